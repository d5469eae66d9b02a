import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import { html, type Html } from '../pages/html.ts';
import { time, withTimes } from '../pages/time.ts';
import { badge } from '../pages/parts/badge.ts';
import { en } from './texts.ts';

type Standing = Pick<SubscriptionDocument, 'status' | 'paused_because' | 'paused_at'>;

/** Whether the service paused the subscription, so that only a test that succeeds makes it active. */
export const isPausedByUs = ({ status, paused_because }: Standing): boolean =>
  status === 'paused' && paused_because !== undefined;

/** The state of a subscription in two or three words. */
export function stateBadge(standing: Standing): Html {
  if (standing.status === 'active') return badge(en.state.active, 'good');
  if (standing.status === 'deleted') return badge(en.state.deleted);
  return isPausedByUs(standing) ? badge(en.state.pausedByUs, 'bad') : badge(en.state.pausedByYou);
}

/** The state, and for a paused one since when and why. */
export const stateOf = (standing: Standing): Html =>
  html`${stateBadge(standing)}${
    standing.status === 'paused' && standing.paused_at !== undefined
      ? html`<span class="hint">
          since ${time(standing.paused_at, 'minute')}. ${withTimes(standing.paused_because ?? '')}</span
        >`
      : ''
  }`;

/** A share of 1 as people read it. */
export const percent = (share: number | null): string =>
  share === null ? '–' : `${(Math.floor(share * 1_000) / 10).toLocaleString('en')}%`;

/** A count that was not counted further than a limit. */
export const upTo = (count: number, limit: number): string =>
  count >= limit ? `${limit.toLocaleString('en')} or more` : count.toLocaleString('en');

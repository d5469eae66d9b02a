import { hostOf } from '../../events/webhooks/webhook.ts';
import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import { form, hidden, notice } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { time, withTimes } from '../pages/time.ts';
import { badge } from '../pages/parts/badge.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { tabs } from '../pages/parts/list-controls.ts';
import { ofTeam } from '../pages/paths.ts';
import { copyableLines, secretOnce } from '../pages/parts/show-once.ts';
import { addressOf, webhookPaths } from './addresses.ts';
import { en } from './texts.ts';

/** The pages of one webhook. */
const places = { overview: [], deliveries: ['deliveries'], settings: ['settings'] } as const;

export const webhookTabs = (team: string, subscription: string, here: keyof typeof places): Html =>
  tabs({
    label: en.tabs.label,
    here: addressOf(team, subscription, places[here]),
    entries: (['overview', 'deliveries', 'settings'] as const).map((each) => ({
      to: addressOf(team, subscription, places[each]),
      label: en.tabs[each],
    })),
  });

/** The pages about all webhooks of a team. `here`: the path of the one that is shown. */
export const webhooksTabs = (team: string, here: string, also?: Readonly<Record<string, string>>): Html =>
  tabs({
    label: en.title,
    here: ofTeam(here, team, also),
    entries: [
      { to: ofTeam(webhookPaths.list, team), label: en.inUse },
      { to: ofTeam(webhookPaths.list, team, { show: 'deleted' }), label: en.deleted },
      { to: ofTeam(webhookPaths.allDeliveries, team), label: en.allDeliveries },
      { to: ofTeam(webhookPaths.received, team), label: en.received.title },
      { to: ofTeam(webhookPaths.signature, team), label: en.signature.tab },
    ],
  });

export const headerLines = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');

/** A body as it is sent, and by a press with a line for each member, if it is JSON. */
export function shownBody(body: string, label: string): Html {
  const readable = indented(body);
  return html`${copyableLines(body, label)}
  ${
    readable === undefined
      ? ''
      : html`<details>
          <summary>${en.body.readable}</summary>
          <p class="quiet small">${en.body.readableIsNot}</p>
          ${copyableLines(readable, en.body.readable)}
        </details>`
  }`;
}

/** Undefined for what is no JSON, such as the beginning of a long body. */
function indented(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return undefined;
  }
}

/** A form about one webhook. `what`: what it does, by the last part of its address. */
export const webhookForm = (
  { formToken: token, team }: TeamPageContext,
  subscription: string,
  what: string,
  content: Html,
  inline = false,
): Html =>
  form({
    action: addressOf(team.team, subscription, [what]),
    token,
    inline,
    content: html`${hidden('team', team.team)}${content}`,
  });

/** A button that asks before it does something with one webhook. */
export const webhookAsk = (
  { formToken: token, team }: TeamPageContext,
  doc: SubscriptionDocument,
  what: string,
  { values, ...words }: Omit<Parameters<typeof ask>[0], 'of' | 'action' | 'token'>,
): Html =>
  ask({
    ...words,
    of: hostOf(doc),
    action: addressOf(team.team, doc.subscription, [what]),
    token,
    values: { team: team.team, ...values },
  });

type PauseState = Pick<SubscriptionDocument, 'status' | 'paused_because' | 'paused_at'>;

/** Whether the service paused the subscription, so that only a test that succeeds makes it active. */
export const isPausedByUs = ({ status, paused_because }: PauseState): boolean =>
  status === 'paused' && paused_because !== undefined;

/** The state of a subscription in two or three words. */
export function stateBadge(subscription: PauseState): Html {
  if (subscription.status === 'active') return badge(en.state.active, 'good');
  if (subscription.status === 'deleted') return badge(en.state.deleted);
  return isPausedByUs(subscription) ? badge(en.state.pausedByUs, 'bad') : badge(en.state.pausedByYou);
}

/** The state, and for a paused one since when and why. */
export const stateOf = (subscription: PauseState): Html =>
  html`${stateBadge(subscription)}${
    subscription.status === 'paused' && subscription.paused_at !== undefined
      ? html`<span class="hint">
          since ${time(subscription.paused_at, 'minute')}.
          ${withTimes(subscription.paused_because ?? '')}</span
        >`
      : ''
  }`;

/** A share of 1 as people read it. */
export const percent = (share: number | null): string =>
  share === null ? '–' : `${(Math.floor(share * 1_000) / 10).toLocaleString('en')}%`;

/** A count that was not counted further than a limit. */
export const upTo = (count: number, limit: number): string =>
  count >= limit ? `${limit.toLocaleString('en')} or more` : count.toLocaleString('en');

interface SecretTexts {
  readonly title: string;
  readonly done: (host: string) => string;
  readonly label?: string;
  /** What to do with it. */
  readonly next?: string;
  /** What is said in place of the secret when the form was sent twice, and what to do then. */
  readonly again: string;
  readonly lost?: string;
  readonly open: string;
}

/** The answer to a form shows the signing secret, and nothing else ever does. `to`: the page to go on with. */
export const secretView = (
  { team }: TeamPageContext,
  texts: SecretTexts,
  { host, secret }: { readonly host: string; readonly secret: string | undefined },
  to: string,
): View => ({
  title: texts.title,
  content: html`${
      secret === undefined
        ? html`${notice(texts.again, 'plain')} ${texts.lost === undefined ? '' : html`<p>${texts.lost}</p>`}`
        : html`${notice(texts.done(host))}
          ${secretOnce({
            label: texts.label ?? en.secret.label,
            value: secret,
            sentence: en.secret.sentence,
            kept: 'sealed',
          })}
          ${texts.next === undefined ? '' : html`<p>${texts.next}</p>`}`
    }
    <p><a class="button primary" href="${ofTeam(to, team.team)}">${texts.open}</a></p>`,
});

import { hostOf } from '../../events/webhooks/webhook.ts';
import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import { form, hidden } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { TeamPageContext } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { tabs } from '../pages/parts/list-controls.ts';
import { addressOf } from './addresses.ts';
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

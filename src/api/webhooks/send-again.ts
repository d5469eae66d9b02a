import { isReplayPlace } from '../../dispatch/operations/replay.ts';
import { listDeliveries } from '../../projections/webhooks/delivery-list.ts';
import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, Wrong, type InputField } from '../pages/action-form.ts';
import { button, hidden, type Problems } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { TeamPageContext } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { dayEnds, instantTyped } from '../pages/reader-clock.ts';
import { webhookPaths } from './addresses.ts';
import { en } from './texts.ts';
import { webhookForm } from './webhook-parts.ts';
import { ofTeam } from '../pages/paths.ts';

const since = { hint: en.again.sinceHint, maxlength: 40 } as const;

/** Since when deliveries that failed are sent again. */
export const failedSince = ({ now }: PageDependencies): readonly InputField[] => [
  {
    ...since,
    name: 'failed-since',
    input: 'since',
    label: en.again.failedSince,
    read: (typed) => pastTime(typed, now()),
  },
];

/** From where on events are sent again: from a time on, or behind the last event of the replay before. */
export const replayFrom = (
  { store, now }: PageDependencies,
  { form: typed }: TeamPageContext,
): readonly InputField[] => [
  {
    ...since,
    name: 'replay-since',
    input: 'from',
    label: en.again.replaySince,
    async read(text) {
      const after = typed.get('after');
      if (after !== null && /^\d{1,19}$/.test(after)) {
        const [place, head] = [BigInt(after), await store.head()];
        if (place >= head) return { after: head };
        if (await isReplayPlace(store, place)) return { after: place };
      }
      const time = pastTime(text, now());
      return time instanceof Wrong ? time : { since: new Date(time) };
    },
  },
  replayUntil({ now }),
];

/** Up to when events are sent again. Left out: up to now. */
const replayUntil = ({ now }: Pick<PageDependencies, 'now'>): InputField => ({
  name: 'replay-until',
  input: 'until',
  label: en.again.until,
  hint: en.again.untilHint,
  maxlength: 40,
  optional: true,
  read(typed) {
    if (typed === '') return undefined;
    // A day means all of it.
    const time = pastTime(typed, now(), /^\d{4}-\d\d-\d\d$/.test(typed) ? dayEnds(typed) : undefined);
    return time instanceof Wrong ? time : new Date(time);
  },
});

/** The two ways to send what was sent or missed before. After a replay that stopped at its limit: how to go on. */
export function sendAgainCards(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  subscription: string,
  problems: Problems = {},
): Html {
  const { query, form: typed } = pageContext;
  const more = /^\d{1,19}$/.exec(query.get('more') ?? '')?.[0];
  const { again } = en;
  const failed = inputFields(failedSince(dependencies), typed, problems);
  const replayed = inputFields(replayFrom(dependencies, pageContext), typed, problems);
  const card = (heading: string, what: string, content: Html, sentence?: string): Html =>
    html`<section class="card">
      <h2>${heading}</h2>
      ${sentence === undefined ? '' : html`<p>${sentence}</p>`}
      ${webhookForm(pageContext, subscription, what, content)}
    </section>`;
  const sending = (label: string) => button(label, { weight: 'secondary' });
  return html`${
    more === undefined
      ? ''
      : card(
          again.moreHeading,
          'replay',
          html`${hidden('after', more)}${hidden('replay-until', query.get('until') ?? '')}${button(again.goOn)}`,
        )
  }
  ${card(again.waitingHeading, 'send-waiting', sending(again.sendWaiting), again.waitingSentence)}
  ${card(again.failedHeading, 'resend-failed', html`${failed}${sending(again.failed)}`, again.failedSentence)}
  ${card(again.replayHeading, 'replay', html`${replayed}${sending(again.replay)}`, again.replaySentence)}`;
}

/** What could not be sent for reasons of ours, and what to do with it. Nothing where there is none. */
export async function parkedCard(
  { documents }: PageDependencies,
  { formToken: token, team }: TeamPageContext,
  all: readonly SubscriptionDocument[],
): Promise<Html> {
  const [any] = await listDeliveries(documents, {
    subscriptions: all.map(({ subscription }) => subscription),
    status: 'parked',
    limit: 1,
  });
  if (!any) return html``;
  const decide = (decision: 'replay' | 'discard') =>
    ask({
      label: en.parked[decision],
      of: en.parked.of,
      sentence: en.parked[`${decision}Asks`],
      action: ofTeam(webhookPaths.parked, team.team),
      token,
      values: { team: team.team, decision },
      weight: decision === 'replay' ? 'secondary' : 'danger',
    });
  return html`<section class="card">
    <h2>${en.parked.heading}</h2>
    <p>${en.parked.sentence}</p>
    <div class="choices">${decide('replay')}${decide('discard')}</div>
  </section>`;
}

/** The sentences after something was sent again, with the numbers in the address. */
export function sentAgain({ query }: TeamPageContext) {
  const number = (name: string) => Number(/^\d{1,9}$/.exec(query.get(name) ?? '')?.[0] ?? 0);
  return {
    replayed: en.again.replayed(number('first'), number('again'), number('waiting')),
    resent: en.again.resent(number('again')),
    resending: en.again.resending,
    'parked-replayed': en.parked.replayed(number('again')),
    'parked-discarded': en.parked.discarded(number('again')),
  };
}

/** A time that a person typed by their clock: a day, or a day and a time of day. It lies in the past. */
function pastTime(text: string, now: Date, means?: Date): string | Wrong {
  if (means && means > now && instantTyped(text)) return now.toISOString();
  const at = means ?? instantTyped(text);
  if (!at) return new Wrong(en.problems.wrongTime);
  return at > now ? new Wrong(en.problems.future) : at.toISOString();
}

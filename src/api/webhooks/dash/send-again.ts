import { CommandRefused } from '../../../commands/errors.ts';
import { replay, type ReplayStart } from '../../../dispatch/operations/replay.ts';
import { resendFailed } from '../../../dispatch/operations/resend.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, field, form, hidden, notice } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import {
  redirectTo,
  type Page,
  type Redirect,
  type TeamPageContext,
  type View,
} from '../../pages/page-context.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { pathOf, webhookPaths } from './addresses.ts';
import { withinReason } from './long-work.ts';
import { subscriptionIn } from './of-team.ts';
import { webhookTabs } from './tabs.ts';
import { en } from './texts.ts';

/** Events that one press of the button sends: few enough that the person waits for them. */
const replayedAtOnce = 2_000;

/** What was typed, and what is wrong with it. */
interface Tried {
  readonly which: 'replay' | 'failed';
  readonly since: string;
  readonly problem: string;
}

/** The two ways to send what was sent or missed before. After a replay that stopped at its limit: how to go on. */
export function sendAgainCards(
  { formToken: token, team, query }: TeamPageContext,
  subscription: string,
  tried?: Tried,
): Html {
  const more = /^\d{1,19}$/.exec(query.get('more') ?? '')?.[0];
  const sinceField = (which: Tried['which'], label: string) =>
    field({
      name: `${which}-since`,
      label,
      hint: en.again.sinceHint,
      ...(tried?.which === which ? { value: tried.since, error: tried.problem, autofocus: true } : {}),
      maxlength: 40,
    });
  return html`${
      more === undefined
        ? ''
        : html`<section class="card">
            <h2>${en.again.moreHeading}</h2>
            ${form({
              action: pathOf(subscription, 'replay'),
              token,
              content: html`${hidden('team', team.team)}${hidden('after', more)}${button(en.again.goOn)}`,
            })}
          </section>`
    }
    <section class="card">
      <h2>${en.again.failedHeading}</h2>
      <p>${en.again.failedSentence}</p>
      ${form({
        action: pathOf(subscription, 'resend-failed'),
        token,
        content: html`${hidden('team', team.team)}${sinceField('failed', en.again.failedSince)}
        ${button(en.again.failed, { weight: 'secondary' })}`,
      })}
    </section>
    <section class="card">
      <h2>${en.again.replayHeading}</h2>
      <p>${en.again.replaySentence}</p>
      ${form({
        action: pathOf(subscription, 'replay'),
        token,
        content: html`${hidden('team', team.team)}${sinceField('replay', en.again.replaySince)}
        ${button(en.again.replay, { weight: 'secondary' })}`,
      })}
    </section>`;
}

/** Sends the events of a time again to one webhook, the oldest first. */
export function replayEvents(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.change('replay'),
    async post(pageContext) {
      const { subscription } = await subscriptionIn(dependencies, pageContext);
      const from = await startIn(dependencies, pageContext);
      if ('problem' in from) return triedView(pageContext, subscription, from);
      try {
        const wish = { subscription, from, atMost: replayedAtOnce };
        const done = await replay(dependencies, wish, pageContext.onceContext());
        return withNumbers(redirectDone(pathOf(subscription, 'deliveries'), pageContext, 'replayed'), {
          first: done.scheduled,
          again: done.reopened,
          waiting: done.waiting,
          ...(done.more ? { more: String(done.position) } : {}),
        });
      } catch (error) {
        return refusedView(pageContext, subscription, error);
      }
    },
  };
}

/** From where on: behind the last event of the replay before, or from a time on. */
async function startIn(
  { store, now }: PageDependencies,
  { form: sent }: TeamPageContext,
): Promise<ReplayStart | Tried> {
  const after = sent.get('after');
  if (after !== null && /^\d{1,19}$/.test(after)) {
    const [asked, head] = [BigInt(after), await store.head()];
    if (asked >= head) return { after: head };
    // A place that no replay has returned: a store may refuse to read from it.
    if ((await store.eventIdAt(asked)) !== undefined) return { after: asked };
  }
  const since = sent.get('replay-since') ?? '';
  const read = pastTime(since, now());
  return 'problem' in read ? { which: 'replay', since, problem: read.problem } : { since: read.at };
}

/** Sends again what failed since a time. */
export function resendFailedPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.change('resend-failed'),
    async post(pageContext) {
      const { subscription } = await subscriptionIn(dependencies, pageContext);
      const since = pageContext.form.get('failed-since') ?? '';
      const read = pastTime(since, dependencies.now());
      if ('problem' in read)
        return triedView(pageContext, subscription, { which: 'failed', since, problem: read.problem });
      try {
        const wish = { subscription, since: read.at.toISOString() };
        const work = resendFailed(dependencies, wish, pageContext.onceContext());
        const resent = await withinReason(pageContext, work);
        const key = resent === undefined ? 'resending' : 'resent';
        const done = redirectDone(pathOf(subscription, 'deliveries'), pageContext, key);
        return withNumbers(done, { again: resent ?? 0 });
      } catch (error) {
        return refusedView(pageContext, subscription, error);
      }
    },
  };
}

const page = (
  { team }: TeamPageContext,
  subscription: string,
  { status, content }: { readonly status: number; readonly content: Html },
): View => ({
  title: en.again.failedHeading,
  status,
  content: html`${webhookTabs(team.team, subscription, 'deliveries')}${content}`,
});

const triedView = (pageContext: TeamPageContext, subscription: string, tried: Tried): View =>
  page(pageContext, subscription, {
    status: 422,
    content: sendAgainCards(pageContext, subscription, tried),
  });

function refusedView(pageContext: TeamPageContext, subscription: string, error: unknown): View {
  if (!(error instanceof CommandRefused)) throw error;
  return page(pageContext, subscription, {
    status: error.status,
    content: notice(error.message, 'wrong'),
  });
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

/** Adds numbers for the sentence to the address. */
export const withNumbers = (
  { to }: Redirect,
  numbers: Readonly<Record<string, number | string>>,
): Redirect => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(numbers)) query.set(name, String(value));
  return redirectTo(`${to}&${query.toString()}`);
};

/** A time that a person typed, in UTC: a day, or a day and a time of day. It lies in the past. */
function pastTime(text: string, now: Date): { readonly at: Date } | { readonly problem: string } {
  const [, day, clock = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(?:\s*(?:Z|UTC))?)?$/.exec(
      text.trim(),
    ) ?? [];
  const at = new Date(day === undefined ? Number.NaN : `${day}T${clock}Z`);
  // A day that a month does not have would be one of the next month.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day ?? ''))
    return { problem: en.problems.wrongTime };
  return at > now ? { problem: en.problems.future } : { at };
}

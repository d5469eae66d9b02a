import { untilDecisionsShown } from '../../dispatch/operations/parked-deliveries.ts';
import { decideParked, listParked, type Parked } from '../../dispatch/operations/parked-work.ts';
import { partOf } from '../../dispatch/operations/resend.ts';
import type { Status } from '../../status/status.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { Redirect, SignedInPageContext } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.parkedWork;
const shownAtMost = 50;
/** Parked deliveries that one press of the button decides on. */
const decidedAtOnce = 500;
const all = 'all';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the sending of webhooks has set aside, and what to do with it. Nothing where there is none. */
export async function parkedCard(
  dependencies: PageDependencies,
  { webhooks }: Status,
  pageContext: SignedInPageContext,
): Promise<Html | ''> {
  if (webhooks.parked === 0) return '';
  const shown = (await listParked(dependencies, shownAtMost)).slice(0, shownAtMost);
  const more = webhooks.parked - shown.length;
  return html`<section class="card" aria-labelledby="parked">
    <h2 id="parked">${texts.heading}</h2>
    <p>${texts.lead}</p>
    ${table({
      caption: texts.heading,
      columns: [
        { label: texts.what },
        { label: texts.team },
        { label: texts.since },
        { label: texts.reason },
        { label: '' },
      ],
      rows: shown.map((each) => [
        whatOf(each),
        each.team === '' ? '–' : each.team,
        time(each.parked_at, 'minute'),
        each.reason,
        decisions(each.id, `${each.event} ${each.id}`, pageContext),
      ]),
    })}
    ${more > 0 ? html`<p class="quiet">${texts.more(more)}</p>` : ''}
    ${shown.length > 1 ? decisions(all, texts.ofAll, pageContext) : ''}
  </section>`;
}

const whatOf = ({ kind, id, event, subscription, team }: Parked): Html =>
  kind === 'event'
    ? html`<a href="${paths.auditEvent}/${id}">${event}</a>`
    : html`<a href="${ofTeam(`${paths.webhooks}/${subscription ?? ''}/deliveries/${id}`, team)}"
        >${event}</a
      >`;

function decisions(id: string, of: string, { formToken: token }: SignedInPageContext): Html {
  const asked = { of, action: paths.operations, token } as const;
  return html`<div class="choices">
    ${ask({
      ...asked,
      label: id === all ? texts.replayAll : texts.replay,
      sentence: texts.replaySentence,
      values: { do: 'replay-parked', id },
      weight: 'secondary',
    })}
    ${ask({
      ...asked,
      label: id === all ? texts.discardAll : texts.discard,
      sentence: texts.discardSentence,
      values: { do: 'discard-parked', id },
    })}
  </div>`;
}

/** Sends parked work again, or gives it up: one piece, or all that one press decides on. */
export async function changeParked(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  decision: 'replay' | 'discard',
): Promise<Redirect | { readonly status: number; readonly sentence: string }> {
  const id = pageContext.form.get('id') ?? '';
  const parked = await listParked(dependencies, id === all ? decidedAtOnce : Infinity);
  const chosen = id === all ? parked : parked.filter((each) => uuid.test(id) && each.id === id);
  const context = pageContext.context();
  const decided = await decideParked(dependencies.store, decision, chosen, (of) => partOf(context, of));
  if (decided.events + decided.deliveries === 0) return { status: 404, sentence: texts.gone };
  if (decided.deliveries > 0) await untilDecisionsShown(dependencies);
  const done = decision === 'replay' ? 'replayed' : 'discarded';
  // Decisions on parked events are no events, so there may be nothing to lead to.
  const recorded = decided.deliveries > 0 ? pageContext : { ...pageContext, correlationId: '' };
  return redirectDone(paths.operations, recorded, done);
}

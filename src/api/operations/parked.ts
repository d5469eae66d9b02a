import { all } from '../../actions/operations.ts';
import { listParked, type Parked } from '../../dispatch/operations/parked-work.ts';
import type { Status } from '../../status/status.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { SignedInPageContext } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { table } from '../pages/parts/table.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.parkedWork;
const shownAtMost = 50;

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
  const common = { of, action: paths.operations, token } as const;
  return html`<div class="choices">
    ${ask({
      ...common,
      label: id === all ? texts.replayAll : texts.replay,
      sentence: texts.replaySentence,
      values: { do: 'replay-parked', id },
      weight: 'secondary',
    })}
    ${ask({
      ...common,
      label: id === all ? texts.discardAll : texts.discard,
      sentence: texts.discardSentence,
      values: { do: 'discard-parked', id },
    })}
  </div>`;
}

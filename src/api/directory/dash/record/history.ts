import { knownNames } from '../../../../audit/known-names.ts';
import { readEvents } from '../../../../audit/read-events.ts';
import { sentenceOf } from '../../../../audit/sentences/sentences.ts';
import { streamName } from '../../../../events/define.ts';
import type { ResourceFields } from '../../../../events/directory/resource-fields.ts';
import { resourceStream } from '../../../../events/directory/resource.ts';
import type { ProjectedEvent } from '../../../../projections/engine/define.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { time } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { changesTable, type FieldChange } from '../../../pages/parts/changes.ts';
import { en } from '../texts.ts';
import { differences } from './said-fields.ts';

const { records: texts } = en;

/** So many events are shown. The one before them tells what the first of them changed. */
const mostShown = 50;

interface Entry {
  readonly at: string;
  readonly sentence: string;
  readonly changes: readonly FieldChange[];
}

/** What has happened to a record, the newest first: who did what, when, and what a change changed. */
export async function historySection(
  dependencies: PageDependencies,
  { svcId, team }: { readonly svcId: string; readonly team: string },
): Promise<Html> {
  const entries = await historyOf(dependencies, svcId, team);
  return html`<section class="card" aria-labelledby="history">
    <h2 id="history">${texts.history}</h2>
    <ul class="points history">
      ${entries.map(
        ({ at, sentence, changes }) =>
          html`<li>
            <p>${sentence}</p>
            <p class="quiet small">${time(at, 'minute')}</p>
            ${
              changes.length === 0
                ? ''
                : html`<details>
                    <summary>${texts.whatChanged}</summary>
                    ${changesTable(texts.changes, changes)}
                  </details>`
            }
          </li>`,
      )}
    </ul>
    ${entries.length < mostShown ? '' : html`<p class="quiet small">${texts.historyLimit(mostShown)}</p>`}
  </section>`;
}

/** From the stream itself, so that a change is in it at once. */
async function historyOf(dependencies: PageDependencies, svcId: string, team: string): Promise<Entry[]> {
  const { store } = dependencies;
  const stream = streamName(resourceStream, svcId);
  const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  const last = newest?.revision ?? -1;
  const first = Math.max(0, last - mostShown);
  const places = Array.from({ length: last - first + 1 }, (_, place) => ({
    stream,
    revision: first + place,
    team,
  }));
  const found = await readEvents(store, places);
  const names = await knownNames(dependencies, found, team);
  return found
    .map(({ recorded, event }, place) => ({
      at: String(recorded.metadata['at']),
      sentence: event ? sentenceOf({ ...event, team }, names) : recorded.type,
      changes: changesOf(
        event,
        found.slice(0, place).map((each) => each.event),
      ),
    }))
    .slice(first === 0 ? 0 : 1)
    .reverse()
    .slice(0, mostShown);
}

function changesOf(
  event: ProjectedEvent | undefined,
  before: readonly (ProjectedEvent | undefined)[],
): FieldChange[] {
  if (event?.type !== 'ResourceRevised') return [];
  const former = before.map(fieldsIn).findLast((fields) => fields !== undefined);
  return former ? differences(former, event.data.fields) : [];
}

const fieldsIn = (event: ProjectedEvent | undefined): ResourceFields | undefined =>
  event?.type === 'ResourceRevised' || event?.type === 'ResourceSubmitted' ? event.data.fields : undefined;

import { namesOfEvents } from '../../../../audit/names-of-events.ts';
import { readEvents } from '../../../../audit/read-events.ts';
import { sentenceOf } from '../../../../audit/sentences/sentences.ts';
import { bulkActions, type BulkDocument } from '../../../../projections/directory/bulk-actions.ts';
import type { ProjectedEvent } from '../../../../projections/engine/read-model.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { time } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { changesTable, type FieldChange } from '../../../pages/parts/changes.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { bulkPath } from '../dash-paths.ts';
import { en } from '../texts.ts';

const { records: texts } = en;

/** So many events are shown. The one before them tells what the first of them changed. */
const mostShown = 50;

interface Entry {
  readonly at: string;
  readonly sentence: string;
  /** The decision about many records that it was part of. */
  readonly bulk?: BulkDocument | undefined;
  readonly changes: readonly FieldChange[];
}

/** Whose history is shown, and how two of its states are compared. */
export interface HistoryOf<Fields> {
  readonly stream: string;
  readonly team: string;
  readonly differences: (before: Fields, after: Fields) => readonly FieldChange[];
}

/** What has happened to a record or an organization, the newest first: who did what, when, and what a change changed. */
export async function historySection<Fields>(
  dependencies: PageDependencies,
  of: HistoryOf<Fields>,
): Promise<Html> {
  const entries = await historyOf(dependencies, of);
  return html`<section class="card" aria-labelledby="history">
    <h2 id="history">${texts.history}</h2>
    <ul class="points history">
      ${entries.map(
        ({ at, sentence, bulk, changes }) =>
          html`<li>
            <p>${sentence}</p>
            <p class="quiet small">
              ${time(at, 'second')}
              ${bulk ? html`<a href="${ofTeam(bulkPath(bulk.bulk), of.team)}">${texts.withOthers(bulk.number)}</a>` : ''}
            </p>
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
async function historyOf<Fields>(
  dependencies: PageDependencies,
  { stream, team, differences }: HistoryOf<Fields>,
): Promise<Entry[]> {
  const { store } = dependencies;
  const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  const last = newest?.revision ?? -1;
  const first = Math.max(0, last - mostShown);
  const places = Array.from({ length: last - first + 1 }, (_, place) => ({
    stream,
    revision: first + place,
    team,
  }));
  const found = await readEvents(store, places);
  const operations = found
    .filter(({ recorded: { metadata } }) => metadata['causation_id'] !== metadata['command_id'])
    .map(({ recorded }) => String(recorded.metadata['correlation_id']));
  const [names, bulk] = await Promise.all([
    namesOfEvents(dependencies, found, team),
    dependencies.documents.collection(bulkActions.collection).getMany([...new Set(operations)]),
  ]);
  return found
    .map(({ recorded, event }, place) => ({
      at: String(recorded.metadata['at']),
      sentence: event ? sentenceOf({ ...event, team }, names) : recorded.type,
      bulk: bulk.get(String(recorded.metadata['correlation_id'])),
      changes: changesOf(
        event,
        found.slice(0, place).map((each) => each.event),
        differences,
      ),
    }))
    .slice(first === 0 ? 0 : 1)
    .reverse()
    .slice(0, mostShown);
}

function changesOf<Fields>(
  event: ProjectedEvent | undefined,
  before: readonly (ProjectedEvent | undefined)[],
  differences: HistoryOf<Fields>['differences'],
): readonly FieldChange[] {
  if (event?.type !== 'ResourceRevised' && event?.type !== 'OrganizationRevised') return [];
  const former = before.map(fieldsIn).findLast((fields) => fields !== undefined);
  return former ? differences(former as Fields, event.data.fields as Fields) : [];
}

/** The fields that an event replaces. Those of one stream are of one kind. */
function fieldsIn(event: ProjectedEvent | undefined): object | undefined {
  if (event?.type === 'ResourceSubmitted' || event?.type === 'ResourceRevised') return event.data.fields;
  if (event?.type === 'OrganizationSubmitted' || event?.type === 'OrganizationRevised')
    return event.data.fields;
  return undefined;
}

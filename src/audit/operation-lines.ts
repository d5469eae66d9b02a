import type { BulkEvent } from '../events/directory/bulk.ts';
import type { ImportCounts, ImportEvent, UndoCounts } from '../events/directory/import.ts';
import { counted } from '../ground/counted.ts';
import { beginsOperation } from '../events/operations.ts';
import { sourceNameOf } from '../projections/directory/sources.ts';
import type { ProjectedEvent } from '../projections/engine/read-model.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { readableEvent } from './read-events.ts';
import type { FoundEvent } from './search.ts';
import type { Names } from './sentences/names.ts';
import { bulkDecision, bulkOutcome } from './sentences/of-directory.ts';
import { plainLine, sentence, Speaker, type DescribedEvent } from './sentences/speaker.ts';
import { shown, type ShownEvent } from './shown-event.ts';
import type { EventNames } from './names-of-events.ts';

type OfImport = ProjectedEvent<ImportEvent>;
type OfOperation = OfImport | ProjectedEvent<BulkEvent>;
type Begun = Extract<OfImport, { type: 'ImportBegun' | 'ImportUndoBegun' }>;
type BulkBegun = Extract<OfOperation, { type: 'BulkBegun' | 'BulkUndoBegun' }>;

/** What lines are made with. */
interface LineParts {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly documents: Pick<Documents, 'collection'>;
}

/**
 * Events as lines of a list that has no parts of operations: the event that began one says what became of it. That is read
 * from the stream of the operation, which has a few events.
 */
export async function shownLines(
  { store, documents }: LineParts,
  found: readonly FoundEvent[],
  names: EventNames,
): Promise<ShownEvent[]> {
  const read = new Map<string, Promise<readonly OfOperation[]>>();
  const historyOf = (stream: string) => {
    const history = read.get(stream) ?? readHistory(store, stream);
    read.set(stream, history);
    return history;
  };
  return Promise.all(
    found.map(async (each) => {
      const line = shown(each, names);
      const { event, team } = each;
      if (!event || !isBegun(event)) return line;
      const operation = await historyOf(event.stream);
      if (isOfBulk(event))
        return { ...line, sentence: bulkSentence({ ...event, team }, operation.filter(isOfBulk), names) };
      const history = operation.filter(isOfImport);
      const origin = history.find(({ type }) => type === 'ImportBegun') ?? event;
      const source =
        origin.type === 'ImportBegun'
          ? await sourceNameOf(documents, origin.data.team, origin.data.source)
          : undefined;
      return { ...line, sentence: operationSentence({ ...event, team }, history, { names, source }) };
    }),
  );
}

const isBegun = (event: ProjectedEvent): event is Begun | BulkBegun => beginsOperation(event.type);

const isOfBulk = <Event extends OfOperation>(
  event: Event,
): event is Extract<Event, ProjectedEvent<BulkEvent>> => event.type.startsWith('Bulk');

const isOfImport = (event: OfOperation): event is OfImport => event.type.startsWith('Import');

async function readHistory(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<readonly OfOperation[]> {
  const recorded = await store.readStream(stream);
  return recorded.flatMap((each) => (readableEvent(each) as OfOperation | undefined) ?? []);
}

/**
 * An import or its undoing, with what became of it: `history` has the events of its stream, `source` is what its source is
 * called now.
 */
function operationSentence(
  begun: Begun & Pick<DescribedEvent, 'team'>,
  history: readonly OfImport[],
  { names, source }: { readonly names: Names; readonly source: string | undefined },
): string {
  const say = new Speaker(begun, names);
  const end = history.find(({ metadata }) => metadata.causation_id === begun.id);
  const origin = history.find(({ type }) => type === 'ImportBegun') ?? begun;
  const what =
    origin.type === 'ImportBegun'
      ? `${plainLine(source ?? origin.data.source)} into the directory of ${say.team(origin.data.team)}`
      : 'a source';
  if (begun.type === 'ImportUndoBegun')
    return sentence(
      end?.type === 'ImportUndone'
        ? `${say.actor} undid the import from ${what}${outcome(undone(end.data))}`
        : `${say.actor} began to undo the import from ${what}, which has not ended`,
    );
  const isUndone = history.some(({ type }) => type === 'ImportUndone');
  return sentence(
    end?.type === 'ImportEnded'
      ? `${say.actor} imported from ${what}${outcome(imported(end.data))}${isUndone ? '; it was undone since' : ''}`
      : `${say.actor} began to import from ${what}, which has not ended`,
  );
}

/** A bulk action or its undoing, with what became of it: `history` has the events of its stream. */
function bulkSentence(
  begun: BulkBegun & Pick<DescribedEvent, 'team'>,
  history: readonly Extract<OfOperation, ProjectedEvent<BulkEvent>>[],
  names: Names,
): string {
  const say = new Speaker(begun, names);
  const end = history.find(({ metadata }) => metadata.causation_id === begun.id);
  const origin = history.find(({ type }) => type === 'BulkBegun') ?? begun;
  const number = origin.type === 'BulkBegun' ? origin.data.number : 0;
  if (begun.type === 'BulkUndoBegun') {
    const what =
      origin.type === 'BulkBegun'
        ? `the bulk action that ${bulkDecision(origin.data, records(number), say)}`
        : 'a bulk action';
    return sentence(
      end?.type === 'BulkUndone'
        ? `${say.actor} undid ${what}${outcome(undone(end.data))}`
        : `${say.actor} began to undo ${what}, which has not ended`,
    );
  }
  if (end?.type !== 'BulkEnded')
    return sentence(`${say.actor} ${bulkDecision(begun.data, records(number), say)}, which has not ended`);
  const isUndone = history.some(({ type }) => type === 'BulkUndone');
  const all = end.data.done === number;
  const what = bulkDecision(begun.data, records(end.data.done), say);
  return sentence(
    `${say.actor} ${what}${all ? '' : ` (${bulkOutcome(end.data)})`}${isUndone ? '; it was undone since' : ''}`,
  );
}

const records = (number: number): string => counted(number, 'record');

type Counted = readonly (readonly [count: number, what: string])[];

const imported = (counts: ImportCounts): Counted => [
  [counts.new, 'new'],
  [counts.revised, 'changed'],
  [counts.deactivated, 'taken out'],
  [counts.reactivated, 'put back'],
  [counts.conflicts, 'with conflicts'],
  [counts.left_out, 'left out'],
];

const undone = (counts: UndoCounts): Counted => [
  [counts.taken_out, 'taken out'],
  [counts.revised, 'changed back'],
  [counts.returned, 'put back'],
  [counts.left, 'left as changed since'],
];

function outcome(counted: Counted): string {
  const some = counted.filter(([count]) => count > 0);
  return some.length === 0
    ? ', and nothing changed'
    : `: ${some.map(([count, what]) => `${count.toLocaleString('en')} ${what}`).join(', ')}`;
}

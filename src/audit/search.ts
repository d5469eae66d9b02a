import {
  kindOfStream,
  subjectIn,
  subjectNamedBy,
  subjectsOf,
  subjectText,
  type Subject,
} from '../events/audit-subjects.ts';
import { streams } from '../events/catalogue.ts';
import type { Metadata } from '../events/metadata.ts';
import { isPartOfOperation } from '../events/operations.ts';
import { auditEvents, type AuditEventDocument } from '../projections/audit.ts';
import {
  actorsOf,
  actorTerm,
  correlationTerm,
  eventTerm,
  lineTerm,
  periodTerms,
  subjectTerm,
  teamTerm,
  typeTerm,
} from '../projections/audit-terms.ts';
import type { ProjectedEvent } from '../projections/engine/read-model.ts';
import type { Collection, Documents, PageQuery } from '../stores/documents/port.ts';
import type { EventStore, RecordedEvent } from '../stores/event-store/port.ts';
import type { AuditConditions } from './search-filter.ts';
import { readEvents } from './read-events.ts';
import { entriesOfStream } from './stream-entries.ts';
import type { Entry, IndexPart } from './stream-entries.ts';

export interface SearchParts {
  readonly store: EventStore;
  readonly documents: Documents;
}

/** An event as it was found. */
export interface FoundEvent {
  readonly recorded: RecordedEvent;
  /** In the newest version of its data. Undefined when a newer release wrote it. */
  readonly event: ProjectedEvent | undefined;
  readonly team: string | undefined;
}

/** Of each of these lists, an event has one. Lists that are absent do not narrow a search. */
export interface Among {
  readonly types?: readonly string[] | undefined;
  /** As `kind:id`. */
  readonly actors?: readonly string[] | undefined;
  /** As `kind:id`. */
  readonly subjects?: readonly string[] | undefined;
}

export interface EventSearch {
  readonly conditions: AuditConditions;
  readonly among?: Among | undefined;
  /** The team whose events alone the reader may see. Undefined: all events. */
  readonly team?: string | undefined;
  readonly newestFirst: boolean;
  /** False leaves out the parts of operations, such as the records of an import: see `isPartOfOperation`. */
  readonly withParts: boolean;
  /** The position of the last event of the page before. */
  readonly place?: number | undefined;
  readonly limit: number;
}

export interface FoundPage {
  readonly found: readonly FoundEvent[];
  /** The place of the next page. Undefined at the end. */
  readonly next?: number;
}

const entryFields = ['position', 'stream', 'revision', 'at', 'team'] as const;

/** Entries that are read at once when those of the first read did not fill the page. */
const further = 1_000;

/** A page of events that meet all conditions, in the order of the log. */
export async function searchEvents(parts: SearchParts, search: EventSearch): Promise<FoundPage> {
  const { conditions, among, newestFirst, limit } = search;
  const index = parts.documents.collection(auditEvents.collection);
  const every = termsOf(search);
  const { after, before } = conditions;
  const [lowest, highest] = [after ?? -1, before ?? Number.MAX_SAFE_INTEGER];
  const end = newestFirst ? lowest + 1 : highest - 1;
  const found: FoundEvent[] = [];
  let place = search.place ?? (newestFirst ? highest : lowest);
  for (let size = limit + 1; ; size = further) {
    const part = { place, end, newestFirst, limit: size };
    const entries =
      among === undefined && isOfStreamAlone(conditions)
        ? await entriesOfStream(parts.store, index, conditions.stream, part)
        : await entriesAfter(index, { every, ...part });
    const fitting = entries.filter((entry) => entryMeets(entry, search));
    for (let from = 0; from < fitting.length; from += limit + 1) {
      for (const each of await readEvents(parts.store, fitting.slice(from, from + limit + 1)))
        if (meets(each, search)) found.push(each);
      if (found.length > limit) {
        const shown = found.slice(0, limit);
        return { found: shown, next: Number(shown.at(-1)?.recorded.position ?? 0n) };
      }
    }
    const last = entries.at(-1);
    if (!last || entries.length < size) return { found };
    place = last.position;
  }
}

/** The event with this id. Undefined when there is none, or none that the reader may see. */
export async function eventOf(
  { store, documents }: SearchParts,
  id: string,
  team: string | undefined,
): Promise<FoundEvent | undefined> {
  const index = documents.collection(auditEvents.collection);
  const every = [[eventTerm(id)], ...(team === undefined ? [] : [[teamTerm(team)]])];
  const entries = await index.select({ matching: { every }, orderBy: ['position'], limit: 10 }, entryFields);
  const allowed = entries.filter((entry) => team === undefined || entry.team === team);
  return (await readEvents(store, allowed)).find(({ recorded }) => recorded.id === id);
}

/** The index has no terms of streams: it would read all events of the stream's kind. */
const isOfStreamAlone = (
  conditions: AuditConditions,
): conditions is AuditConditions & { readonly stream: string } => {
  const { stream, actor, subject, type, correlation, from, until } = conditions;
  return (
    stream !== undefined &&
    [actor, subject, type, correlation, from, until].every((each) => each === undefined)
  );
};

function entriesAfter(
  index: Collection<AuditEventDocument>,
  { every, place, end, newestFirst, limit }: IndexPart & { readonly every: string[][] },
): Promise<Entry[]> {
  const query: PageQuery<AuditEventDocument> = {
    orderBy: ['position'],
    after: [place],
    upTo: [end],
    descending: newestFirst,
    limit,
    ...(every.length === 0 ? {} : { matching: { every } }),
  };
  return index.select(query, entryFields);
}

/** Terms of which every fitting event has one of each group. Some others may have them too. */
function termsOf({ conditions, among = {}, team, withParts }: EventSearch): string[][] {
  const { actor, subject, stream, type, correlation, from, until } = conditions;
  const about = subject === undefined ? undefined : subjectIn(subject);
  const whose = team === undefined ? [] : [[teamTerm(team)]];
  return [
    ...(withParts ? whose : [[lineTerm(team)]]),
    ...(actor === undefined ? [] : [[actorTerm(actor)]]),
    ...(about ? [[subjectTerm(about)]] : []),
    ...(type === undefined ? [] : [[typeTerm(type)]]),
    ...(correlation === undefined ? [] : [[correlationTerm(correlation)]]),
    ...(stream === undefined ? [] : termsOfStream(stream)),
    ...(among.types ? [among.types.map(typeTerm)] : []),
    ...(among.actors ? [among.actors.map(actorTerm)] : []),
    ...(among.subjects ? [subjectsFrom(among.subjects).map(subjectTerm)] : []),
    ...(from || until ? [periodTerms(from ?? beginningOfTime, until ?? endOfTime())] : []),
  ];
}

const subjectsFrom = (texts: readonly string[]): readonly Subject[] =>
  texts.flatMap((text) => subjectIn(text) ?? []);

/** Before every event. */
const beginningOfTime = new Date('2000-01-01T00:00:00Z');
/** After every event: clocks differ. */
const endOfTime = (): Date => new Date(Date.now() + 2 * 86_400_000);

function termsOfStream(stream: string): string[][] {
  const kind = streams.find(({ name }) => name === kindOfStream(stream));
  const own = subjectNamedBy(stream);
  const types = Object.keys(kind?.events ?? {}).map(typeTerm);
  return [types, ...(own ? [[subjectTerm(own)]] : [])];
}

function entryMeets({ stream, at, team }: Entry, { conditions, team: readers }: EventSearch): boolean {
  const { stream: required, from, until } = conditions;
  const time = Date.parse(at);
  return (
    (readers === undefined || team === readers) &&
    (required === undefined || stream === required) &&
    (!from || time >= from.getTime()) &&
    (!until || time < until.getTime())
  );
}

/** Whether an event meets the conditions that its entry does not tell. */
function meets({ recorded, event }: FoundEvent, { conditions, among = {}, withParts }: EventSearch): boolean {
  const { actor, subject, type, correlation } = conditions;
  const metadata = recorded.metadata as unknown as Metadata;
  if (!withParts && isPartOfOperation({ stream: recorded.stream, metadata })) return false;
  if (type !== undefined && recorded.type !== type) return false;
  if (among.types?.includes(recorded.type) === false) return false;
  if (!event)
    return [actor, subject, correlation, among.actors, among.subjects].every((each) => each === undefined);
  const isAbout = among.subjects !== undefined || subject !== undefined;
  const subjects = isAbout ? subjectsOf(event).map(subjectText) : [];
  if (among.subjects?.some((each) => subjects.includes(each)) === false) return false;
  const actors = actorsOf(event.metadata.actor);
  if (among.actors?.some((each) => actors.includes(each)) === false) return false;
  const about = subject === undefined ? undefined : subjectIn(subject);
  return (
    (correlation === undefined || event.metadata.correlation_id === correlation) &&
    (actor === undefined || actors.includes(actor)) &&
    (!about || subjects.includes(subjectText(about)))
  );
}

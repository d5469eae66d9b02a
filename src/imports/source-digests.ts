import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { organizationStream, type OrganizationEvent } from '../events/directory/organization.ts';
import { resourceStream, type ResourceEvent } from '../events/directory/resource.ts';
import { streamName } from '../events/define.ts';
import { uuidOf } from '../events/ids.ts';
import { eventIdOf } from '../events/new-event.ts';
import type { ReadBefore } from '../hsds/row-digests.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { organizations } from '../projections/directory/organizations.ts';
import { resources, sourceKey } from '../projections/directory/resources.ts';
import { pages } from '../projections/engine/paginate.ts';
import { NotYetVisible } from '../projections/engine/read-your-writes.ts';
import { untilShown } from '../projections/until-shown.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';

/** What digests are loaded, and remembered, with. */
export interface DigestParts {
  readonly store: Pick<EventStore, 'head'>;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly personal: PersonalData;
}

interface OfSource {
  readonly team: string;
  readonly source: string;
  readonly importId: string;
  readonly approve: boolean;
}

/** The event that says what the source said last, and the digest of the rows that said it. */
type Remembered = readonly [event: string, digest: string];

/** Of so many records in an entry of the side store. */
const together = 1_000;
/** What nobody has imported for so long is read again. */
const keptMs = 400 * 24 * 60 * 60_000;
const visibleWithinMs = 600_000;

/**
 * What a source said last, by digests, so that what it says again need not be read again.
 *
 * A digest stands beside the id of the event that says what the source said (`read_event` of the read models), and counts
 * as long as that is still the newest such event. An import, an undoing and the erasure of a contact append another one,
 * so they make their records be read again; what people change appends none, and needs none: where the source says what it said
 * before, what stands stays, whatever that is. What else an import does although the source says the same is left to it:
 * records that are not public, of which some come back and some are approved, are read each time, as are those from
 * which an erased contact is left out (`ImportOutcome.erased`), and those that the source has as inactive.
 *
 * The read models are waited for before anything is compared with them, and when they are late nothing counts. An event
 * that is appended after that can only be a person's: a team has one import, or one undoing, at a time. The entries are
 * a cache: without them everything is read, and one whose event is gone never counts again.
 */
export class SourceDigests {
  readonly before: ReadBefore;
  /** The ids of the organizations that may come unchanged, by the ids in the source. */
  readonly organizations: ReadonlyMap<string, string>;
  readonly #eventOf: ReadonlyMap<string, string>;
  readonly #table: SideTable<readonly Remembered[]>;
  readonly #prefix: string;
  readonly #former: readonly string[];
  readonly #written: string[] = [];
  #next: Remembered[] = [];

  private constructor(
    before: Omit<ReadBefore, 'digests'>,
    table: SideTable<readonly Remembered[]>,
    prefix: string,
    former: readonly string[],
    counting: Counting,
  ) {
    this.#eventOf = counting.eventOf;
    this.organizations = counting.organizations;
    this.before = { ...before, digests: new Set(counting.eventOf.keys()) };
    this.#table = table;
    this.#prefix = prefix;
    this.#former = former;
  }

  /** `choices`: with which the file is read. */
  static async load(parts: DigestParts, of: OfSource, choices: unknown): Promise<SourceDigests> {
    const table = parts.side.table<readonly Remembered[]>('import-digests');
    const ofSource = `${uuidOf('import digests', of.team, of.source)}/`;
    const digestOf = new Map<string, string>();
    const former: string[] = [];
    for (let after = ofSource; ;) {
      const page = (await table.list({ after, limit: 20 })).filter(({ id }) => id.startsWith(ofSource));
      for (const { id, value } of page) {
        former.push(id);
        for (const [event, digest] of value) digestOf.set(event, digest);
      }
      const last = page.at(-1);
      if (!last) break;
      after = last.id;
    }
    const counting = digestOf.size === 0 ? noneCounting : await countingOf(parts, of, digestOf);
    const key = Buffer.from(await parts.personal.blindIndex('the key of import digests'), 'hex');
    const readBy = JSON.stringify([readerVersion(), of.source, choices]);
    return new SourceDigests({ key, readBy }, table, `${ofSource}${of.importId}/`, former, counting);
  }

  /** The event that said what these rows say. */
  eventOf(digest: string): string | undefined {
    return this.#eventOf.get(digest);
  }

  /** The source says again what it said. */
  async again(digest: string): Promise<void> {
    const event = this.#eventOf.get(digest);
    if (event !== undefined) await this.#add([event, digest]);
  }

  /**
   * A record was imported, from rows with this digest. `events`: what was appended to its stream by the command.
   * `current`: the event that says what the source said, where none of these does.
   */
  async remember(
    digest: string,
    { stream, events, commandId }: Appended,
    current: () => Promise<string | undefined>,
  ): Promise<void> {
    const at = events.findLastIndex(isFromSource);
    const event = at === -1 ? await current() : eventIdOf(stream, at, { commandId });
    if (event !== undefined) await this.#add([event, digest]);
  }

  /** The import has ended: what former ones remembered of the source is remembered anew or out of date. */
  async end(): Promise<void> {
    await this.#flush();
    for (const id of this.#former) if (!this.#written.includes(id)) await this.#table.delete(id);
  }

  async #add(entry: Remembered): Promise<void> {
    this.#next.push(entry);
    if (this.#next.length >= together) await this.#flush();
  }

  async #flush(): Promise<void> {
    const entries = this.#next;
    this.#next = [];
    if (entries.length === 0) return;
    const id = `${this.#prefix}${String(this.#written.length).padStart(6, '0')}`;
    this.#written.push(id);
    await this.#table.put(id, entries, new Date(Date.now() + keptMs));
  }
}

interface Appended {
  readonly stream: string;
  readonly events: readonly (ResourceEvent | OrganizationEvent)[];
  readonly commandId: string;
}

const isFromSource = (event: ResourceEvent | OrganizationEvent): boolean =>
  event.type === 'ResourceRevised' || event.type === 'OrganizationRevised'
    ? event.data.from_source === true
    : /(?:Submitted|ReadFromSource)$/.test(event.type);

interface Counting {
  /** By digest. */
  readonly eventOf: ReadonlyMap<string, string>;
  readonly organizations: ReadonlyMap<string, string>;
}

const noneCounting: Counting = { eventOf: new Map(), organizations: new Map() };

/** Which of the digests count. */
async function countingOf(
  { store, documents }: DigestParts,
  { team, source, approve }: OfSource,
  digestOf: Map<string, string>,
): Promise<Counting> {
  try {
    const types = ['ResourceReadFromSource', 'OrganizationReadFromSource'];
    await untilShown(documents, { types, position: await store.head() }, visibleWithinMs);
  } catch (error) {
    if (error instanceof NotYetVisible) return noneCounting;
    throw error;
  }
  const eventOf = new Map<string, string>();
  const ids = new Map<string, string>();
  const counts = (doc: { readonly status: string; readonly read_event?: string }): boolean => {
    const digest = digestOf.get(doc.read_event ?? '');
    const stays = doc.status === 'approved' || (doc.status === 'submitted' && !approve);
    if (digest === undefined || doc.read_event === undefined || !stays) return false;
    eventOf.set(digest, doc.read_event);
    return true;
  };
  const ofSource = { where: { source_key: sourceKey(team, source) }, orderBy: ['number'] } as const;
  for await (const page of pages(documents.collection(resources.collection), ofSource)) page.forEach(counts);
  const ofTeam = { where: { team }, orderBy: ['name_key', 'org_id'] } as const;
  for await (const page of pages(documents.collection(organizations.collection), ofTeam))
    for (const doc of page)
      if (doc.source?.system === source && counts(doc)) ids.set(doc.source.id, doc.org_id);
  return { eventOf, organizations: ids };
}

/** The names of the streams of records. */
export const resourceStreamOf = (svcId: string): string => streamName(resourceStream, svcId);
export const organizationStreamOf = (orgId: string): string => streamName(organizationStream, orgId);

/** What makes records of rows, and the packages that it uses. */
const reading = ['hsds', 'tables', 'places', 'events/directory', 'ground', '../package.json'];

let version: string | undefined;

/**
 * The version of what reads sources: a digest of its files, so that nobody has to remember to raise a number, and a better
 * reader reads everything again. Takes about 20 ms, once a process.
 */
export function readerVersion(): string {
  if (version !== undefined) return version;
  const hash = createHash('sha256').update(process.version);
  const root = join(import.meta.dirname, '..');
  for (const place of reading)
    for (const file of filesIn(join(root, place)))
      hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file));
  return (version = hash.digest('base64url'));
}

const filesIn = (path: string): string[] =>
  path.endsWith('.json')
    ? [path]
    : readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort();

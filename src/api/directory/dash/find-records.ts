import { integerOfSvcId, svcIdOf } from '../../../events/ids.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import type { Collection, Documents } from '../../../stores/documents/port.ts';
import { wordsOf } from '../../../stores/documents/port.ts';
import { Search } from '../search/search.ts';

export type Status = ResourceDocument['status'];

/** Which records of a team are asked for. */
export interface AskedRecords {
  readonly team: string;
  readonly status?: Status | undefined;
  readonly category?: string | undefined;
  readonly words?: string | undefined;
  /** The number of the last record that was looked at. */
  readonly after?: number | undefined;
}

/** A record in a list. */
export interface RecordRow {
  readonly svcId: string;
  readonly name: string;
  readonly city: string | undefined;
  readonly status: Status;
  readonly category: string;
  readonly updatedAt: string;
}

export interface RecordPage {
  readonly rows: readonly RecordRow[];
  /** Where the next page begins. Undefined at the end. */
  readonly next?: number;
  /** They come from the search: the best of public records alone, in one page. */
  readonly best?: true;
}

/** The most records of a page. */
export const mostRows = 50;
/** The most that are looked at for a page. A directory with more is searched by its index. */
const mostExamined = 500;

const read = ['number', 'status', 'category', 'updated_at', 'card'] as const;
type Read = Pick<ResourceDocument, (typeof read)[number]>;

/** A page of a team's records, in the order of their numbers. Reads a bounded part of the directory. */
export async function findRecords(documents: Documents, asked: AskedRecords): Promise<RecordPage> {
  const collection = documents.collection(resources.collection);
  const { team, words = '', status } = asked;
  const exact = integerOfSvcId(words.trim());
  if (exact !== undefined) return oneRecord(collection, team, svcIdOf(exact));
  const isNarrowed = words !== '' || asked.category !== undefined;
  const mayBePublic = status === undefined || status === 'approved';
  if (isNarrowed && mayBePublic) {
    const size = await collection.count({ where: { team }, atMost: mostExamined + 1 });
    if (size > mostExamined) return words === '' ? byCategory(collection, asked) : bySearch(documents, asked);
  }
  return examined(collection, asked, isNarrowed ? mostExamined : mostRows);
}

async function oneRecord(
  collection: Collection<ResourceDocument>,
  team: string,
  svcId: string,
): Promise<RecordPage> {
  const doc = await collection.get(svcId);
  return { rows: doc?.team === team ? [rowOf(doc)] : [] };
}

/** Looks at the records one after the other. */
async function examined(
  collection: Collection<ResourceDocument>,
  { team, status, category, words = '', after }: AskedRecords,
  atMost: number,
): Promise<RecordPage> {
  const found = await collection.select(
    {
      where: { team, ...(status === undefined ? {} : { status }) },
      orderBy: ['number'],
      limit: atMost + 1,
      ...(after === undefined ? {} : { after: [after] }),
    },
    read,
  );
  const every = wordsOf(words);
  return pageOf(found, atMost, (doc) => category === undefined || doc.category === category, every);
}

/** Public records of a kind. Those of other teams are few in a directory that is large. */
async function byCategory(
  collection: Collection<ResourceDocument>,
  { team, category = '', after }: AskedRecords,
): Promise<RecordPage> {
  const found = await collection.select(
    {
      where: { listed: 1, category },
      orderBy: ['number'],
      limit: mostExamined + 1,
      ...(after === undefined ? {} : { after: [after] }),
    },
    [...read, 'team'],
  );
  return pageOf(found, mostExamined, (doc) => doc.team === team, []);
}

function pageOf<Row extends Read>(
  found: readonly Row[],
  atMost: number,
  fits: (doc: Row) => boolean,
  every: readonly string[],
): RecordPage {
  const rows: RecordRow[] = [];
  for (const [place, doc] of found.slice(0, atMost).entries()) {
    if (fits(doc) && hasWords(doc, every)) rows.push(rowOf(doc));
    if (rows.length === mostRows && place + 1 < found.length) return { rows, next: doc.number };
  }
  const last = found.length > atMost ? found[atMost - 1] : undefined;
  return { rows, ...(last ? { next: last.number } : {}) };
}

async function bySearch(
  documents: Documents,
  { team, words = '', category }: AskedRecords,
): Promise<RecordPage> {
  const { hits } = await new Search({ documents }).find({ text: words, category, limit: mostRows });
  const ids = hits.map(({ number }) => svcIdOf(number));
  const docs = await documents.collection(resources.collection).getMany(ids);
  const rows = ids
    .flatMap((id) => docs.get(id) ?? [])
    .filter((doc) => doc.team === team && doc.listed === 1)
    .slice(0, mostRows)
    .map(rowOf);
  return { rows, best: true };
}

/** What of a record is shown in the list, and searched. */
interface Card {
  readonly name: string;
  readonly alternate_name?: string;
  readonly organization?: { readonly name: string };
  readonly city: string | null;
  readonly address: string | null;
  readonly phone: string | null;
}

const cardOf = ({ card }: Pick<Read, 'card'>): Card => JSON.parse(`{${card}}`) as Card;

/** Each word begins a word of the name, the organization, the address, the city or the phone. */
function hasWords(doc: Read, every: readonly string[]): boolean {
  if (every.length === 0) return true;
  const { name, alternate_name, organization, city, address, phone } = cardOf(doc);
  const own = wordsOf([name, alternate_name, organization?.name, city, address, phone].join(' '));
  return every.every((word) => own.some((each) => each.startsWith(word)));
}

function rowOf(doc: Read): RecordRow {
  const { name, city } = cardOf(doc);
  return {
    svcId: svcIdOf(doc.number),
    name,
    city: city ?? undefined,
    status: doc.status,
    category: doc.category,
    updatedAt: doc.updated_at,
  };
}

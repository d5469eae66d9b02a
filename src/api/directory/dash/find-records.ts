import { integerOfSvcId, svcIdOf } from '../../../events/ids.ts';
import { hasWords, lookupQueries, type LookedUp } from '../../../projections/directory/lookup-terms.ts';
import { recordLookup } from '../../../projections/directory/record-lookup.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import type { Documents, TermQuery } from '../../../stores/documents/port.ts';
import { wordsOf } from '../../../stores/documents/port.ts';

export type Status = ResourceDocument['status'];

/** Which records of a team are asked for. */
export interface AskedRecords {
  readonly team: string;
  readonly status?: Status | undefined;
  readonly category?: string | undefined;
  readonly words?: string | undefined;
  /** The place of the last record that was looked at. */
  readonly after?: Place | undefined;
}

/** Where a page ends: the query among those of a lookup, and the number of a record. */
interface Place {
  readonly query: number;
  readonly number: number;
}

/** Before the first record. Numbers are positive. */
const firstPlace: Place = { query: 0, number: 0 };

/** A place as it stands in an address. */
export const placeText = ({ query, number }: Place): string =>
  query === 0 ? String(number) : `${query}-${number}`;

/** Undefined for what is none. */
export function placeFrom(text: string): Place | undefined {
  const [, query = '0', number] = /^(?:(\d)-)?(\d{1,16})$/.exec(text) ?? [];
  return number === undefined ? undefined : { query: Number(query), number: Number(number) };
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
  readonly next?: Place;
}

/** The most records of a page. */
const mostRows = 50;
/** The most that are looked at for a page, where the index finds records that do not have the words. */
const mostExamined = 500;

const read = ['number', 'status', 'category', 'updated_at', 'card'] as const;
type Read = Pick<ResourceDocument, (typeof read)[number]>;

/**
 * A page of a team's records, in the order of their numbers. With words: first those that are called exactly so, then
 * those that have the words in their names.
 */
export async function findRecords(documents: Documents, asked: AskedRecords): Promise<RecordPage> {
  const exact = integerOfSvcId(asked.words?.trim() ?? '');
  if (exact !== undefined) return oneRecord(documents, asked.team, svcIdOf(exact));
  const words = wordsOf(asked.words ?? '');
  const isListed = words.length === 0 && asked.category === undefined;
  return isListed ? listed(documents, asked) : lookedUp(documents, asked, words);
}

async function oneRecord(documents: Documents, team: string, svcId: string): Promise<RecordPage> {
  const doc = await documents.collection(resources.collection).get(svcId);
  return { rows: doc?.team === team ? [rowOf(doc)] : [] };
}

async function listed(documents: Documents, { team, status, after }: AskedRecords): Promise<RecordPage> {
  const found = await documents.collection(resources.collection).select(
    {
      where: { team, ...(status === undefined ? {} : { status }) },
      orderBy: ['number'],
      after: [(after ?? firstPlace).number],
      limit: mostRows + 1,
    },
    read,
  );
  return pageOf(found.map((doc) => ({ row: rowOf(doc), place: { query: 0, number: doc.number } })));
}

interface Found {
  readonly row: RecordRow;
  readonly place: Place;
}

/** Of one more than fit, whether there is a next page. */
function pageOf(found: readonly Found[]): RecordPage {
  const rows = found.slice(0, mostRows).map(({ row }) => row);
  const last = found[mostRows - 1];
  return { rows, ...(found.length > mostRows && last ? { next: last.place } : {}) };
}

/** The records that the index finds for each of the queries, compared with what is asked for. */
async function lookedUp(
  documents: Documents,
  asked: AskedRecords,
  words: readonly string[],
): Promise<RecordPage> {
  const index = documents.collection(recordLookup.collection);
  const queries = lookupQueries({ ...asked, words });
  const found: Found[] = [];
  let examined = 0;
  let { query, number } = asked.after ?? firstPlace;
  for (; query < queries.length; query++, number = firstPlace.number) {
    const matching = queries[query] as TermQuery;
    for (let isWhole = false; !isWhole;) {
      if (examined >= mostExamined) return { rows: found.map(({ row }) => row), next: { query, number } };
      const limit = mostRows + 1 - found.length;
      const numbers = await index.select({ matching, orderBy: ['number'], after: [number], limit }, [
        'number',
      ]);
      for (const doc of await recordsOf(documents, numbers, asked)) {
        const card = cardOf(doc);
        if (hasWords(card, words))
          found.push({ row: rowOf(doc, card), place: { query, number: doc.number } });
      }
      if (found.length > mostRows) return pageOf(found);
      examined += numbers.length;
      isWhole = numbers.length < limit;
      number = numbers.at(-1)?.number ?? number;
    }
  }
  return pageOf(found);
}

/** The index may be behind the records, and has a team's name only shortened. */
async function recordsOf(
  documents: Documents,
  numbers: readonly { readonly number: number }[],
  { team, status, category }: AskedRecords,
): Promise<ResourceDocument[]> {
  const ids = numbers.map(({ number }) => svcIdOf(number));
  const docs = await documents.collection(resources.collection).getMany(ids);
  return ids
    .flatMap((id) => docs.get(id) ?? [])
    .filter(
      (doc) =>
        doc.team === team &&
        (status === undefined || doc.status === status) &&
        (category === undefined || doc.category === category),
    );
}

const cardOf = ({ card }: Pick<Read, 'card'>): LookedUp => JSON.parse(`{${card}}`) as LookedUp;

function rowOf(doc: Read, { name, city } = cardOf(doc)): RecordRow {
  return {
    svcId: svcIdOf(doc.number),
    name,
    city: city ?? undefined,
    status: doc.status,
    category: doc.category,
    updatedAt: doc.updated_at,
  };
}

import type { Position } from '../../src/stores/event-store/port.ts';
import {
  wordsOf,
  type Change,
  type CollectionSpec,
  type CollectionWriter,
  type Documents,
  type TermQuery,
} from '../../src/stores/documents/port.ts';

/** What a suite needs to know of an adapter: how to get a store, and a second client of the same store. */
export interface DocumentsUnderTest {
  readonly documents: Documents;
  another(): Promise<Documents>;
  dispose(): Promise<void>;
}

/** The documents that the suites write. */
export interface Place {
  readonly number: number;
  readonly name: string;
  readonly rank: number;
  readonly city?: string;
  readonly about?: string;
  readonly terms?: string;
  readonly words?: string;
  readonly phones?: readonly { readonly number: string; readonly extension?: number | null }[];
}

/** Both kinds of collection answer the same: the clustering field is a hint. */
export const layouts = [
  { layout: 'without a clustering field', clustered: false },
  { layout: 'with a clustering field', clustered: true },
];

export const placeId = (number: number): string => `place-${number}`;

export function placesSpec(name: string, clustered = false): CollectionSpec<Place> {
  const spec: CollectionSpec<Place> = {
    name,
    fields: ['number', 'name', 'rank', 'city'],
    indexes: [
      ['number'],
      ['name', 'number'],
      ['rank', 'number', 'city', 'name'],
      ['city', 'rank', 'number', 'name'],
    ],
    terms: 'terms',
  };
  return clustered ? { ...spec, cluster: { field: 'number', fromId: numberOf } } : spec;
}

function numberOf(id: string): number | undefined {
  const digits = /^place-(0|[1-9][0-9]{0,8})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A place whose terms are the words of its name. */
export function aPlace(number: number, rest: Partial<Place> = {}): Place {
  const place = { number, name: `Place ${number}`, rank: number % 3, ...rest };
  return { ...place, terms: rest.terms ?? wordsOf(place.name).join(' ') };
}

/** Documents that have each of these terms. */
export const having = (...terms: readonly string[]): TermQuery => ({ every: terms.map((term) => [term]) });

export function put(place: Place, position: Position): Change<Place> {
  return { id: placeId(place.number), doc: place, position };
}

export function remove(number: number, position: Position): Change<Place> {
  return { id: placeId(number), doc: undefined, position };
}

/** A new generation, ready to serve, and its writer. */
export async function buildNew<Doc extends object>(
  documents: Documents,
  spec: CollectionSpec<Doc>,
  version = 1,
): Promise<{ generation: number; writer: CollectionWriter<Doc> }> {
  const { generation } = await documents.build(spec, version);
  return { generation, writer: await documents.writer(spec, generation) };
}

/** A collection that serves these places, each last touched at position 1. */
export async function servePlaces(
  documents: Documents,
  spec: CollectionSpec<Place>,
  places: readonly Place[] = [],
): Promise<CollectionWriter<Place>> {
  const { generation, writer } = await buildNew(documents, spec);
  await writer.write(
    places.map((place) => put(place, 1n)),
    1n,
  );
  await writer.finish();
  await documents.serve(spec.name, generation);
  return writer;
}

/** Text in the order of its UTF-8 bytes, numbers by their value. */
export function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

import { randomInt } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { CollectionWriter } from '../../../stores/documents/port.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { nameOf, type AnyProjection } from '../read-model.ts';
import { addTo, documentsOfSums, IndependentFold, type Folded } from './independent-fold.ts';

/** A new generation shows something else than the log. It must not be served. */
export class DiffersFromLog extends Error {
  /** The id of the document that differs, if one does. */
  readonly document: string | undefined;

  constructor(projection: AnyProjection, difference: string, document?: string) {
    super(`The new generation of ${nameOf(projection)} differs from the log: ${difference}.`);
    this.name = 'DiffersFromLog';
    this.document = document;
  }
}

/** Documents of a sample: up to twice this many while it is taken. */
const sampleSize = 500;
/** Documents in memory at a time, when all are compared. Each further part reads the log again. */
const partSize = 20_000;
/** Documents read at a time, to compare them. */
const comparedAtOnce = 500;

/** A sample of a projection's documents, other ones in each rebuild. */
export const sampleOf = (projection: AnyProjection): IndependentFold =>
  new IndependentFold(projection, { salt: randomInt(2 ** 31), atMost: 2 * sampleSize });

/** What was compared. */
export interface Verified {
  /** Documents of the new generation. */
  readonly documents: number;
  /** How many of them were compared, those that rightly are not there left out. */
  readonly verified: number;
}

export interface VerificationParts {
  readonly store: EventStore;
  readonly projection: AnyProjection;
  /** The writer of the new generation. Nothing writes it meanwhile. */
  readonly writer: CollectionWriter<object>;
  /** Throws when the rebuild is not wanted any more. Awaited between steps. */
  readonly rest: () => Promise<void>;
}

/**
 * Compares the documents of a sample with those of the new generation. A sample that did not see the whole log, because
 * the rebuild was interrupted, reads it first. A sample says nothing about sums.
 * @throws DiffersFromLog
 */
export async function verifySample(parts: VerificationParts, sample: IndependentFold): Promise<Verified> {
  const { store, writer, rest } = parts;
  if (sample.position < writer.checkpoint) await sample.readUpTo(store, writer.checkpoint, rest);
  const verified = await compare(parts, sample.documents);
  return { documents: await writer.count(), verified };
}

/**
 * Compares all documents, part by part, their sums, and their number, so that a document that should not be there is found too.
 * @throws DiffersFromLog
 */
export async function verifyWhole(parts: VerificationParts): Promise<Verified> {
  const { store, projection, writer, rest } = parts;
  const salt = randomInt(2 ** 31);
  let verified = 0;
  const sums = new Map<string, number>();
  for (let from: number | undefined = 0; from !== undefined;) {
    const part: IndependentFold = new IndependentFold(projection, { salt, atMost: partSize, from });
    await part.readUpTo(store, writer.checkpoint, rest);
    verified += await compare(parts, part.documents);
    addTo(sums, part.sums);
    from = part.below;
  }
  verified += await compare(parts, documentsOfSums(projection, sums));
  const documents = await writer.count();
  if (documents !== verified)
    throw new DiffersFromLog(projection, `it has ${documents} documents, the log makes ${verified}`);
  return { documents, verified };
}

/** Returns how many documents there are among those compared. */
async function compare({ projection, writer, rest }: VerificationParts, folded: Folded): Promise<number> {
  let there = 0;
  const ids = [...folded.keys()];
  for (let from = 0; from < ids.length; from += comparedAtOnce) {
    const some = ids.slice(from, from + comparedAtOnce);
    const stored = await writer.load(some);
    for (const id of some) {
      const ours = folded.get(id);
      const theirs = stored.get(id)?.doc;
      const difference = differenceOf(ours, theirs);
      if (difference !== undefined) throw new DiffersFromLog(projection, `document ${id} ${difference}`, id);
      if (ours !== undefined) there += 1;
    }
    await rest();
    await nextTick();
  }
  return there;
}

/** Names fields and no values, which may be about a person. */
export function differenceOf(ours: object | undefined, theirs: object | undefined): string | undefined {
  if (ours === undefined) return theirs === undefined ? undefined : 'should not be there';
  if (theirs === undefined) return 'is missing';
  const [folded, stored] = [ours, theirs].map(fieldsOf) as [Fields, Fields];
  const fields = [...new Set([...folded.keys(), ...stored.keys()])].filter(
    (field) => folded.get(field) !== stored.get(field),
  );
  return fields.length === 0 ? undefined : `differs in ${fields.join(', ')}`;
}

type Fields = ReadonlyMap<string, string>;

/** The fields of a document as canonical JSON: the order of keys says nothing, and what is undefined is not there. */
const fieldsOf = (doc: object): Fields =>
  new Map(
    Object.entries(doc)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, JSON.stringify(inOrder(value))]),
  );

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

import { BSON } from 'mongodb';
import type { EventPlace, Position } from '../event-store/port.ts';
import type { Generation, Generations } from './port.ts';

/** The generations of one read model. In one document, so that every step is one atomic update. */
export interface PointerRow {
  readonly _id: string;
  /** The highest epoch of any write. */
  readonly epoch: number;
  /** The highest generation number ever used. */
  readonly newest: number;
  readonly serving?: number;
  readonly generations: Readonly<Record<string, GenerationRow>>;
}

/** The entry of one generation. */
export interface GenerationRow {
  /** Unique. In a database that was emptied, a new generation may have the same number. */
  readonly born: string;
  readonly version: number;
  readonly checkpoint: Position;
  /** Rises with every batch that changes documents, before the first of them is written. */
  readonly changed: number;
  /** The highest position of documents that may still be written. Absent when none are. */
  readonly writing?: Position;
  readonly lastEvent?: EventPlace;
}

/** The generations of one read model, by number. */
export interface Pointer {
  readonly epoch: number;
  readonly newest: number;
  readonly serving: number | undefined;
  readonly generations: ReadonlyMap<number, GenerationRow>;
}

/** A change of a generation's entry. */
export interface PointerChange {
  readonly epoch: number;
  /** The value that the caller has seen. */
  readonly changed: number;
  readonly set?: Partial<GenerationRow>;
  readonly unset?: readonly (keyof GenerationRow)[];
  readonly checkpoint?: Position;
}

/** The generations of an entry, as defined by the port. */
export function generationsOf(pointer: Pointer | undefined): Generations {
  const all = [...(pointer?.generations ?? [])]
    .sort(([one], [other]) => one - other)
    .map(([number, row]) => generationOf(number, row));
  return {
    serving: all.find(({ generation }) => generation === pointer?.serving),
    building: all.filter(({ generation }) => generation !== pointer?.serving),
  };
}

/** One generation, as defined by the port. */
export function generationOf(
  generation: number,
  { version, checkpoint, lastEvent }: GenerationRow,
): Generation {
  return { generation, version, checkpoint, ...(lastEvent ? { lastEvent } : {}) };
}

/** A key that cannot be taken for an array index. */
export const key = (number: number): string => `g${number}`;

/** The path of a generation, or of a field of it, in an update. */
export const path = (number: number, field?: string): string =>
  `generations.${key(number)}${field === undefined ? '' : `.${field}`}`;

/** The entries in a raw answer of the server. */
export function rowsIn(answer: Uint8Array): PointerRow[] {
  const { firstBatch } = BSON.deserialize(answer, { useBigInt64: true }) as { firstBatch: PointerRow[] };
  return firstBatch;
}

/** An entry with its generations by number. */
export function pointerOf({ epoch, newest, serving, generations }: PointerRow): Pointer {
  return {
    epoch,
    newest,
    serving,
    generations: new Map(Object.entries(generations).map(([each, row]) => [Number(each.slice(1)), row])),
  };
}

/** Changes when waiters must be woken. */
export function fingerprintOf({ _id, serving, newest, generations }: PointerRow): string {
  const each = Object.entries(generations).map(
    ([number, { born, checkpoint, changed }]) => `${number} ${born} ${checkpoint.toString()} ${changed}`,
  );
  return `${_id} ${serving ?? '-'} ${newest} ${each.join(' ')}`;
}

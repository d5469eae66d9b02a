import { BSON } from 'mongodb';
import type { EventPlace, Position } from '../../event-store/port.ts';
import type { Generation, Generations } from '../port.ts';

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
  /** Tells this generation from one of the same number in a database that was emptied since. */
  readonly born: string;
  readonly version: number;
  readonly checkpoint: Position;
  /** Rises with every batch that changes documents, before the first of them is written. */
  readonly changed: number;
  /** Set while documents may be being written: their highest position. */
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
  /** As the caller knows it. */
  readonly changed: number;
  readonly set?: Partial<GenerationRow>;
  readonly unset?: readonly (keyof GenerationRow)[];
  readonly checkpoint?: Position;
}

/** An entry as the port has it. */
export function generationsOf(pointer: Pointer | undefined): Generations {
  const all = [...(pointer?.generations ?? [])]
    .sort(([one], [other]) => one - other)
    .map(([number, row]) => generationOf(number, row));
  return {
    serving: all.find(({ generation }) => generation === pointer?.serving),
    building: all.filter(({ generation }) => generation !== pointer?.serving),
  };
}

/** One generation as the port has it. */
export function generationOf(
  generation: number,
  { version, checkpoint, lastEvent }: GenerationRow,
): Generation {
  return { generation, version, checkpoint, ...(lastEvent ? { lastEvent } : {}) };
}

/** A key that no server mistakes for an array index. */
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

/** Differs when a waiter must be woken. */
export function fingerprintOf({ _id, serving, newest, generations }: PointerRow): string {
  const each = Object.entries(generations).map(
    ([number, { born, checkpoint, changed }]) => `${number} ${born} ${checkpoint.toString()} ${changed}`,
  );
  return `${_id} ${serving ?? '-'} ${newest} ${each.join(' ')}`;
}

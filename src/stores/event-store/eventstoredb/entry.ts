import type { ResolvedEvent } from '@eventstore/db-client';
import { StoreError } from '../../errors.ts';
import type { Position } from '../port.ts';
import { Unanswered, ignored, silenceMs } from './client-errors.ts';

/** An event as the server has it. */
export interface Entry {
  readonly id: string;
  /** As the server names it, with its namespace. */
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** "No position": minus one in the unsigned field that carries it. */
export const noPosition = 0xffff_ffff_ffff_ffffn;

/** How many entries the client library holds before it stops reading. */
export const buffering = { highWaterMark: 256 };

/** Reads all entries. A read is never left early: the client library cannot handle that. */
export function drained(read: {
  on(event: 'data', listener: (each: ResolvedEvent) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  cancel(): Promise<void>;
}): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    const fail = (error: unknown) => {
      clearTimeout(silence);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the client library has it
      reject(error);
    };
    const silence = setTimeout(() => {
      read.cancel().catch(ignored);
      fail(new Unanswered(silenceMs));
    }, silenceMs);
    read.on('data', ({ event }) => {
      silence.refresh();
      try {
        if (event) entries.push(entryOf(event));
      } catch (error) {
        fail(error);
      }
    });
    read.on('end', () => {
      clearTimeout(silence);
      resolve(entries);
    });
    read.on('error', fail);
  });
}

export function entryOf(event: NonNullable<ResolvedEvent['event']>): Entry {
  const { id, streamId, revision, type, data, metadata, position } = event;
  if (!position || position.commit === noPosition) {
    throw new StoreError(
      'incompatible',
      'The server does not report the log position of an event in a stream. EventStoreDB 22.10 or newer does.',
    );
  }
  return {
    id,
    stream: streamId,
    revision: Number(revision),
    position: position.commit,
    type,
    data,
    metadata: isRecord(metadata) ? metadata : {},
  };
}

/** Another product's metadata may be bytes, or missing. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

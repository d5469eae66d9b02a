import { Backoff } from '../../../ground/back-off.ts';
import { StoreError, WrongExpectedRevision } from '../../errors.ts';
import type { Appended, ExpectedRevision, NewEvent, Position } from '../port.ts';
import { failureOf, storeErrorOf, unavailable, type Failure } from './client-errors.ts';
import { retryForMs, retryWaits } from './retry.ts';
import type { Server } from './server.ts';

/** Id and place of an event, to recognise our own append. */
interface Placed {
  readonly id: string;
  readonly revision: number;
  readonly position: Position;
}

/** No attempt is made with less time than this. */
const shortestMs = 250;

export interface AppendRequest {
  readonly stream: string;
  /** The server's name for it. */
  readonly outer: string;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
  readonly read: (from: number, limit: number) => Promise<readonly Placed[]>;
  readonly closed: AbortSignal;
}

/**
 * Appends, and retries while the outcome is unknown: with an expected revision the server treats the same event ids
 * at the same revision as the same append. With `any` a retry could append twice, so it is not retried once it may
 * have arrived.
 */
export async function appendOnce(server: Pick<Server, 'append'>, request: AppendRequest): Promise<Appended> {
  const { stream, outer, events, expected, closed } = request;
  const backoff = new Backoff(retryWaits);
  const until = performance.now() + retryForMs;
  let arrived = false;
  for (;;) {
    try {
      const within = Math.max(until - performance.now(), shortestMs);
      const { revision, position } = await server.append(outer, events, expected, within);
      return position === undefined ? await readBack(request, revision) : { revision, position };
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const failure: Failure = failureOf(error);
      if (failure.kind === 'wrong_expected_revision') {
        const ours = arrived ? await written(request) : undefined;
        if (ours) return ours;
        if (expected !== 'any') throw new WrongExpectedRevision(stream, expected, failure.actual);
      }
      if (failure.kind !== 'away') throw storeErrorOf(failure, stream, error);
      arrived ||= failure.arrived;
      const outcome = arrived ? 'unknown' : 'none';
      const left = until - performance.now() - shortestMs;
      if (left <= 0 || closed.aborted || (arrived && expected === 'any'))
        throw unavailable(failure, error, outcome);
      await backoff.pause(closed, left);
    }
  }
}

/** The server has confirmed the append without a position. */
async function readBack({ stream, events, read }: AppendRequest, revision: number): Promise<Appended> {
  const [last] = await read(revision, 1);
  if (last?.id !== events.at(-1)?.id || !last) {
    throw new StoreError('unavailable', `The events appended to ${stream} cannot be read back.`, {
      outcome: 'unknown',
    });
  }
  return { revision: last.revision, position: last.position };
}

/** After an attempt of unknown outcome, a conflict may be with our own append. */
async function written({ events, expected, read }: AppendRequest): Promise<Appended | undefined> {
  if (expected === 'any') return undefined;
  const found = await read(expected === 'no_stream' ? 0 : expected + 1, events.length);
  const last = found.at(-1);
  if (!last || found.length < events.length || !events.every(({ id }, index) => found[index]?.id === id))
    return undefined;
  return { revision: last.revision, position: last.position };
}

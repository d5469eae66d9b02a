import { Backoff } from '../../../ground/back-off.ts';
import { StoreError } from '../../errors.ts';
import { beginning, type Position, type ReadStreamOptions, type RecordedEvent } from '../port.ts';
import type { Entry } from './entry.ts';
import { failureOf, storeErrorOf, unavailable } from './client-errors.ts';
import type { Namespace } from './namespace.ts';
import { retryForMs, retryWaits } from './retry.ts';
import type { Server } from './server.ts';

/** Reads of the log, retried for a few seconds while the server is down. Failures become errors of the port. */
export class LogReader {
  readonly #server: Server;
  readonly #namespace: Namespace;
  readonly #closed: AbortSignal;

  constructor(server: Server, namespace: Namespace, closed: AbortSignal) {
    this.#server = server;
    this.#namespace = namespace;
    this.#closed = closed;
  }

  /** The position of the newest entry. */
  async head(): Promise<Position> {
    return (await this.newest(1))[0]?.position ?? beginning;
  }

  /** The newest entries, oldest first. */
  async newest(limit: number): Promise<Entry[]> {
    const entries = await this.reading('the log', () => this.#server.readAll('backwards', 'end', limit));
    return entries.reverse();
  }

  /** The id of the entry at a position, undefined when none is there. */
  async eventIdAt(position: Position): Promise<string | undefined> {
    if (position === beginning) return undefined;
    return this.reading(position.toString(), async () => {
      try {
        const [entry] = await this.#server.readAll('forwards', position, 1);
        return entry?.position === position ? entry.id : undefined;
      } catch (error) {
        // The position is inside an entry or beyond the end: a different log.
        if (failureOf(error).kind === 'no_such_position') return undefined;
        throw error;
      }
    });
  }

  /** Entries of a stream, none where there is no stream. `outer` is the server's name of it. */
  readEntries(outer: string, subject: string, options: ReadStreamOptions): Promise<Entry[]> {
    const { from, direction = 'forwards', limit = Number.MAX_SAFE_INTEGER } = options;
    return this.reading(subject, async () => {
      try {
        return await this.#server.readStream(outer, direction, from, limit);
      } catch (error) {
        if (failureOf(error).kind === 'no_stream') return [];
        throw error;
      }
    });
  }

  /** Entries after a position. The server's reads are inclusive, so the first one is dropped. */
  async after(position: Position, limit: number): Promise<Entry[]> {
    return this.reading(position.toString(), async () => {
      if (position === beginning) return this.#server.readAll('forwards', 'start', limit);
      const entries = await this.#server.readAll('forwards', position, limit + 1);
      return entries[0]?.position === position ? entries.slice(1) : entries.slice(0, limit);
    });
  }

  /** An entry by our name of its stream. */
  recorded(entry: Entry): RecordedEvent {
    const stream = this.#namespace.inner(entry.stream);
    return stream === entry.stream ? entry : { ...entry, stream };
  }

  /** Retries a read for a few seconds while the server is down. */
  async reading<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
    const backoff = new Backoff(retryWaits);
    const until = performance.now() + retryForMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof StoreError) throw error;
        const failure = failureOf(error);
        if (failure.kind !== 'away') throw storeErrorOf(failure, subject, error);
        const left = until - performance.now();
        if (left <= 0 || this.#closed.aborted) throw unavailable(failure, error);
        await backoff.pause(this.#closed, left);
      }
    }
  }

  /** Returns when a retry may help. @throws StoreError when it will not */
  async mayRetry(error: unknown, position: Position): Promise<void> {
    if (error instanceof StoreError) throw error;
    const failure = failureOf(error);
    if (failure.kind !== 'away') throw storeErrorOf(failure, position.toString(), error);
    // A subscription from an invalid position fails without a reason; a read reports it.
    if (failure.message.startsWith('2 UNKNOWN')) {
      await this.after(position, 1).catch((reason: unknown) => {
        if (reason instanceof StoreError && reason.code !== 'unavailable') throw reason;
      });
    }
  }
}

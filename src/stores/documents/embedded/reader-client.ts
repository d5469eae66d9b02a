import { Worker } from 'node:worker_threads';
import { StoreError, type StoreErrorCode } from '../../errors.ts';
import { endThread, smallYoungGeneration } from '../../thread-memory.ts';
import type { Scalar } from '../port.ts';
import { SearchConnection } from './search-connection.ts';

export type ReaderMessage =
  { readonly kind: 'read'; readonly calls: readonly ReaderCall[] } | { readonly kind: 'close' };

interface ReaderCall {
  readonly call: number;
  readonly sql: string;
  readonly values: readonly Scalar[];
}

export type ReaderReply =
  /** The values of all rows in one list: it costs a tenth of a list for each row. */
  | { readonly call: number; readonly values: readonly (Scalar | null)[] }
  | {
      readonly call: number;
      readonly error: { readonly code: StoreErrorCode; readonly message: string };
    };

/** How long a closing thread may take to answer what it has been asked. */
const endWithinMs = 5_000;

interface Pending {
  readonly resolve: (values: readonly (Scalar | null)[]) => void;
  readonly reject: (error: StoreError) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  /** Resolves when it can answer, or has ended. */
  readonly started: PromiseWithResolvers<void>;
  isStarted: boolean;
}

/**
 * Sends statements to the reader thread of this process, those of one tick of the event loop in one message, to which
 * one message answers. The first one starts the thread, unless `start` has. A thread takes 50 ms and more to start: until
 * then the caller's own thread runs the statements. When the thread has died, its calls fail, and the next call starts
 * another.
 */
export class ReaderClient {
  readonly #path: string;
  #thread: Thread | undefined;
  #outgoing: ReaderCall[] = [];
  #calls = 0;
  #closed = false;
  /** While the thread starts. */
  readonly #meanwhile: SearchConnection;

  constructor(path: string) {
    this.#path = path;
    this.#meanwhile = new SearchConnection(path);
  }

  /** Starts the thread. Resolves when it can answer. */
  async start(): Promise<void> {
    if (this.#closed) return;
    await (this.#thread ??= this.#startThread()).started.promise;
  }

  /** The rows of a query, each an array of its `width` columns. @throws StoreError */
  async rows(sql: string, values: readonly Scalar[], width: number): Promise<(Scalar | null)[][]> {
    const flat = await this.#values(sql, values);
    return Array.from({ length: flat.length / width }, (_, row) =>
      flat.slice(row * width, (row + 1) * width),
    );
  }

  /** Ends the thread, after the calls under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#meanwhile.close();
    if (!this.#thread) return;
    const { worker, isStarted } = this.#thread;
    if (!isStarted) {
      await worker.terminate();
      return;
    }
    this.#send();
    await endThread(worker, { kind: 'close' } satisfies ReaderMessage, endWithinMs);
  }

  #values(sql: string, values: readonly Scalar[]): Promise<readonly (Scalar | null)[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new StoreError('unavailable', `${this.#path}: the read models are closed`));
        return;
      }
      if (!this.#thread?.isStarted) {
        // Before the thread is started, which takes some of the processor's time.
        const found = this.#meanwhile.values(sql, values);
        this.#thread ??= this.#startThread();
        // Who asks again and again lets others have their turn, and the thread report that it has started.
        setImmediate(() => resolve(found));
        return;
      }
      const { worker, pending } = this.#thread;
      const call = ++this.#calls;
      pending.set(call, { resolve, reject });
      if (pending.size === 1) worker.ref();
      this.#outgoing.push({ call, sql, values });
      if (this.#outgoing.length === 1) queueMicrotask(() => this.#send());
    });
  }

  #send(): void {
    const calls = this.#outgoing;
    this.#outgoing = [];
    if (calls.length > 0) this.#thread?.worker.postMessage({ kind: 'read', calls } satisfies ReaderMessage);
  }

  #startThread(): Thread {
    const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      name: 'reader',
      workerData: { path: this.#path },
      resourceLimits: smallYoungGeneration,
    });
    const thread: Thread = {
      worker,
      pending: new Map(),
      started: Promise.withResolvers(),
      isStarted: false,
    };
    worker.unref();
    worker.once('message', () => {
      thread.isStarted = true;
      thread.started.resolve();
      this.#meanwhile.close();
    });
    worker.on('message', (replies: readonly ReaderReply[]) => {
      for (const reply of replies) this.#settle(thread, reply);
    });
    worker.on('error', (error) => this.#lost(thread, error));
    worker.on('exit', () => this.#lost(thread));
    return thread;
  }

  #settle({ worker, pending }: Thread, reply: ReaderReply): void {
    const call = pending.get(reply.call);
    pending.delete(reply.call);
    if (pending.size === 0) worker.unref();
    if ('values' in reply) call?.resolve(reply.values);
    else call?.reject(new StoreError(reply.error.code, reply.error.message));
  }

  #lost(thread: Thread, cause?: unknown): void {
    if (this.#thread === thread) {
      this.#thread = undefined;
      this.#outgoing = [];
    }
    for (const { reject } of thread.pending.values()) {
      reject(new StoreError('unavailable', `${this.#path}: the reader thread has ended`, { cause }));
    }
    thread.pending.clear();
    thread.started.resolve();
  }
}

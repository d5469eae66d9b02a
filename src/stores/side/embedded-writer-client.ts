import { Worker } from 'node:worker_threads';
import { StoreError, type StoreErrorCode } from '../errors.ts';
import { endThread, smallYoungGeneration } from '../thread-memory.ts';
import type { SideWrite } from './embedded-writer.ts';
import { messageOf } from '../../ground/store-error.ts';

export type SideThreadMessage = { readonly call: number; readonly writes: readonly SideWrite[] } | 'close';

export type SideThreadReply =
  | { readonly replies: readonly { readonly call: number; readonly changes: readonly number[] }[] }
  | {
      readonly calls: readonly number[];
      readonly error: {
        readonly code: StoreErrorCode;
        readonly message: string;
        readonly outcome: 'none' | 'unknown';
      };
    };

/** How long a closing thread may take to write what it still has. */
const endWithinMs = 20_000;

/** A thread that commits side entries. When it has died, what it had fails with outcome unknown. */
export class SideWriterThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<readonly number[]>>();
  #calls = 0;
  #gone: string | undefined;

  constructor(path: string) {
    this.#worker = new Worker(new URL('./embedded-writer-thread.ts', import.meta.url), {
      name: 'side writer',
      workerData: { path },
      resourceLimits: smallYoungGeneration,
    });
    this.#worker.on('message', (reply: SideThreadReply) => this.#settle(reply));
    this.#worker.once('error', (error) => this.#fail(messageOf(error)));
    this.#worker.once('exit', () => this.#fail('it has ended'));
    this.#worker.unref();
  }

  /** Whether it can take more. */
  get isAlive(): boolean {
    return this.#gone === undefined;
  }

  /** Makes all changes in one transaction. Resolves with the changed rows of each, when they are on the disk. */
  commit(writes: readonly SideWrite[]): Promise<readonly number[]> {
    const answer = Promise.withResolvers<readonly number[]>();
    const call = ++this.#calls;
    if (this.#pending.size === 0) this.#worker.ref();
    this.#pending.set(call, answer);
    this.#worker.postMessage({ call, writes } satisfies SideThreadMessage);
    return answer.promise;
  }

  async close(): Promise<void> {
    if (this.#gone !== undefined) return;
    await endThread(this.#worker, 'close' satisfies SideThreadMessage, endWithinMs);
  }

  #settle(reply: SideThreadReply): void {
    if ('replies' in reply) {
      for (const { call, changes } of reply.replies) this.#take(call)?.resolve(changes);
      return;
    }
    const { code, message, outcome } = reply.error;
    for (const call of reply.calls) this.#take(call)?.reject(new StoreError(code, message, { outcome }));
  }

  #take(call: number): PromiseWithResolvers<readonly number[]> | undefined {
    const pending = this.#pending.get(call);
    this.#pending.delete(call);
    if (this.#pending.size === 0) this.#worker.unref();
    return pending;
  }

  #fail(why: string): void {
    this.#gone ??= why;
    const error = new StoreError('unavailable', `The thread that writes side.db has died: ${why}.`, {
      outcome: 'unknown',
    });
    for (const call of [...this.#pending.keys()]) this.#take(call)?.reject(error);
  }
}

import { Worker } from 'node:worker_threads';
import type { HashedRange, LogRange } from '../../audit/verify/hash-range.ts';
import type { Config } from '../../config.ts';
import { messageOf } from '../../ground/store-error.ts';
import { StoreError } from '../../stores/errors.ts';
import { batchYoungGeneration } from '../../stores/thread-memory.ts';

interface Answer {
  readonly number: number;
  readonly hashed?: HashedRange;
  readonly failed?: string;
}

/** Threads that hash parts of a log at the same time. */
export interface HashingThreads {
  /** @throws StoreError unavailable, also when a thread has ended: what was not hashed was not verified */
  readonly hash: (range: LogRange) => Promise<HashedRange>;
  stop(): Promise<void>;
}

/** Starts so many threads, each with its own connection to the stores. `script`: what they run. */
export function startHashing(
  config: Config,
  threads: number,
  script = new URL('./hashing.ts', import.meta.url),
): HashingThreads {
  const waiting = new Map<number, PromiseWithResolvers<HashedRange>>();
  let isStopping = false;
  let lost: StoreError | undefined;
  const lose = (why: string) => {
    lost ??= new StoreError('unavailable', `A thread that hashes the log has ended: ${why}`);
    for (const pending of waiting.values()) pending.reject(lost);
    waiting.clear();
  };
  const workers = Array.from({ length: threads }, (_, index) => {
    const worker = new Worker(new URL('./start.js', import.meta.url), {
      name: `hashing-${index}`,
      argv: [script.href],
      workerData: { config },
      resourceLimits: batchYoungGeneration,
    });
    worker.on('message', ({ number, hashed, failed }: Answer) => {
      const pending = waiting.get(number);
      waiting.delete(number);
      if (hashed) pending?.resolve(hashed);
      else pending?.reject(new StoreError('unavailable', failed ?? 'A part of the log was not hashed.'));
    });
    worker.on('error', (error) => lose(messageOf(error)));
    worker.on('exit', (code) => {
      if (!isStopping) lose(`it stopped with ${code}.`);
    });
    return worker;
  });
  const ended = workers.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())));
  let next = 0;
  return {
    async hash(range) {
      if (lost) throw lost;
      const number = next++;
      const pending = Promise.withResolvers<HashedRange>();
      waiting.set(number, pending);
      workers[number % workers.length]?.postMessage({ number, range });
      return pending.promise;
    },
    async stop() {
      isStopping = true;
      for (const worker of workers) worker.postMessage('stop');
      await Promise.all(ended);
    },
  };
}

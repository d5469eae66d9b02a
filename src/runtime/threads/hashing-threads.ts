import { Worker } from 'node:worker_threads';
import type { HashedRange, LogRange } from '../../audit/verify/hash-range.ts';
import type { Config } from '../../config.ts';
import { StoreError } from '../../stores/errors.ts';

interface Answer {
  readonly number: number;
  readonly hashed?: HashedRange;
  readonly failed?: string;
}

/** Threads that hash parts of a log at the same time. */
export interface HashingThreads {
  hash(range: LogRange): Promise<HashedRange>;
  stop(): Promise<void>;
}

/** Starts so many threads, each with its own connection to the stores. */
export function startHashing(config: Config, threads: number): HashingThreads {
  const waiting = new Map<number, PromiseWithResolvers<HashedRange>>();
  const workers = Array.from({ length: threads }, (_, index) => {
    const worker = new Worker(new URL('./hashing.ts', import.meta.url), {
      name: `hashing-${index}`,
      workerData: { config },
    });
    worker.on('message', ({ number, hashed, failed }: Answer) => {
      const pending = waiting.get(number);
      waiting.delete(number);
      if (hashed) pending?.resolve(hashed);
      else pending?.reject(new StoreError('unavailable', failed ?? 'A part of the log was not hashed.'));
    });
    worker.on('error', (error) => {
      for (const pending of waiting.values()) pending.reject(error);
      waiting.clear();
    });
    return worker;
  });
  const ended = workers.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())));
  let next = 0;
  return {
    hash(range) {
      const number = next++;
      const pending = Promise.withResolvers<HashedRange>();
      waiting.set(number, pending);
      workers[number % workers.length]?.postMessage({ number, range });
      return pending.promise;
    },
    async stop() {
      for (const worker of workers) worker.postMessage('stop');
      await Promise.all(ended);
    },
  };
}

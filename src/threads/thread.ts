import { parentPort, Worker, type MessagePort } from 'node:worker_threads';
import type { Config } from '../config.ts';
import { StoreError } from '../stores/errors.ts';

/** What a thread of ours is started with. */
export interface ThreadData {
  readonly config: Config;
  /** Leads to the process's writer thread, where it has one. */
  readonly writer: MessagePort | undefined;
}

/** What a thread tells the one that started it. */
export type ThreadMessage = { readonly kind: 'fault'; readonly what: string; readonly message: string };

export interface Thread {
  readonly name: string;
  /** Rejects when the thread dies of an error, resolves when it has stopped as told. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export type ThreadName = 'projector' | 'dispatcher';

export function startThread(
  name: ThreadName,
  data: ThreadData,
  onMessage: (message: ThreadMessage) => void,
): Thread {
  const worker = new Worker(new URL(`./${name}.ts`, import.meta.url), {
    name,
    workerData: data,
    transferList: data.writer ? [data.writer] : [],
  });
  worker.on('message', onMessage);
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', (error) => reject(error instanceof Error ? error : new Error(String(error))));
    worker.once('exit', () => resolve());
  });
  ended.catch(() => undefined);
  return {
    name,
    ended,
    async stop() {
      worker.postMessage('stop');
      await ended.catch(() => undefined);
    },
  };
}

/** In the thread: works until the starter says stop. */
export async function untilToldToStop(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  parentPort?.on('message', stop);
  try {
    await work(stopping.signal);
  } catch (error) {
    // An error of ours loses its class on the way to the other thread; its sentence is what counts there.
    throw error instanceof StoreError ? new Error(error.message, { cause: error }) : error;
  } finally {
    parentPort?.off('message', stop);
  }
}

export function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

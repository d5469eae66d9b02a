import { parentPort, Worker, type MessagePort } from 'node:worker_threads';
import type { Config } from '../../config.ts';
import { StoreError } from '../../stores/errors.ts';

/** What a thread of ours is started with. */
export interface ThreadData {
  readonly config: Config;
  /** Leads to the process's writer thread, where it has one. */
  readonly writer: MessagePort | undefined;
}

/** What a thread tells the one that started it. */
export interface ThreadMessage {
  /** A fault is tried again; of a warning nothing need be done. */
  readonly kind: 'fault' | 'warning';
  readonly what: string;
  readonly message: string;
}

export interface Thread {
  readonly name: string;
  /** Rejects when the thread dies of an error, resolves when it has stopped as told. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Longer than an attempt at a delivery may take; a thread that has not ended by then is stuck. */
const stopWithinMs = 30_000;

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
      const late = setTimeout(() => void worker.terminate(), stopWithinMs);
      await ended.catch(() => undefined);
      clearTimeout(late);
    },
  };
}

/**
 * In the thread: works until the starter says stop.
 * @throws what `lost` rejects with: without what the thread works by it must end, and so must the process
 */
export async function runUntilStopped(
  work: (signal: AbortSignal) => Promise<void>,
  lost: Promise<never>,
): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  parentPort?.on('message', stop);
  try {
    await Promise.race([work(stopping.signal), lost]);
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

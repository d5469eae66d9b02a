import { parentPort, Worker, type MessagePort } from 'node:worker_threads';
import type { Config } from '../../config.ts';
import { StoreError } from '../../stores/errors.ts';

/** The start data of a thread. */
export interface ThreadData {
  readonly config: Config;
  /** A port to the process's writer thread, if there is one. */
  readonly writer: MessagePort | undefined;
}

/** A message of a thread to the main thread. */
export interface ThreadMessage {
  /** A fault is retried. A warning needs no action. */
  readonly kind: 'fault' | 'warning';
  readonly what: string;
  readonly message: string;
}

export interface Thread {
  readonly name: string;
  /** Rejects when the thread dies of an error. Resolves when it has stopped. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Longer than a delivery attempt may take. A thread that has not ended by then is stuck. */
const stopWithinMs = 30_000;

export type ThreadName = 'projector' | 'dispatcher' | 'signer';

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
 * In the thread: works until the main thread sends "stop".
 * @throws the error of `lost`: the thread and the process must then end
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
    // An error loses its class between threads, so only its message is passed.
    throw error instanceof StoreError ? new Error(error.message, { cause: error }) : error;
  } finally {
    parentPort?.off('message', stop);
  }
}

export function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

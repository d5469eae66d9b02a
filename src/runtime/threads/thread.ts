import { parentPort, Worker, type MessagePort } from 'node:worker_threads';
import type { Config } from '../../config.ts';
import { pause } from '../../ground/back-off.ts';
import type { Family } from '../../status/metric-families.ts';
import { messageOf } from '../../ground/store-error.ts';
import { StoreError } from '../../stores/errors.ts';
import { batchYoungGeneration } from '../../stores/thread-memory.ts';
import { giveBackWhenIdle } from './idle-memory.ts';

/** The start data of a thread. */
export interface ThreadData {
  readonly config: Config;
  /** A port to the process's writer thread, if there is one. */
  readonly writer: MessagePort | undefined;
  /** A UUID of this process, for its traces. Undefined: one of the thread. */
  readonly instance?: string;
}

/** A message of a thread to the main thread. */
export interface ThreadMessage {
  /** A fault is retried. A warning needs no action. A notice is the same from every thread, and is said once. */
  readonly kind: 'fault' | 'warning' | 'notice';
  readonly what: string;
  readonly message: string;
}

/** What the main thread sends: the request to stop, or for metrics, which the thread answers. */
type ThreadRequest = 'stop' | 'measure';
interface ThreadAnswer {
  readonly kind: 'measured';
  readonly families: readonly Family[];
}

export interface Thread {
  readonly name: string;
  /** Rejects when the thread dies of an error. Resolves when it has stopped. */
  readonly ended: Promise<void>;
  /** What the thread has measured. Undefined when it does not answer in time: its event loop is blocked. */
  measured(): Promise<readonly Family[] | undefined>;
  stop(): Promise<void>;
}

/** A scrape waits so long for a thread. */
const measuredWithinMs = 2_000;

/** Longer than a delivery attempt may take. A thread that has not ended by then is stuck. */
const stopWithinMs = 30_000;

export type ThreadName = 'projector' | 'dispatcher';

export function startThread(
  name: ThreadName,
  data: ThreadData,
  onMessage: (message: ThreadMessage) => void,
): Thread {
  const worker = new Worker(new URL('./start.js', import.meta.url), {
    name,
    argv: [new URL(`./${name}.ts`, import.meta.url).href],
    workerData: data,
    resourceLimits: batchYoungGeneration,
    transferList: data.writer ? [data.writer] : [],
  });
  let pending: PromiseWithResolvers<readonly Family[]> | undefined;
  worker.on('message', (message: ThreadMessage | ThreadAnswer) => {
    if (message.kind !== 'measured') onMessage(message);
    else {
      pending?.resolve(message.families);
      pending = undefined;
    }
  });
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', (error) => reject(error instanceof Error ? error : new Error(String(error))));
    worker.once('exit', () => resolve());
  });
  ended.catch(() => undefined);
  return {
    name,
    ended,
    async measured() {
      if (!pending) {
        pending = Promise.withResolvers();
        worker.postMessage('measure' satisfies ThreadRequest);
      }
      const late = new AbortController();
      const answer = await Promise.race([pending.promise, pause(measuredWithinMs, late.signal)]);
      late.abort();
      return answer;
    },
    async stop() {
      worker.postMessage('stop' satisfies ThreadRequest);
      const late = setTimeout(() => void worker.terminate(), stopWithinMs);
      await ended.catch(() => undefined);
      clearTimeout(late);
    },
  };
}

/**
 * In the thread: works until the main thread sends "stop". `families` answers requests for metrics.
 * @throws the error of `lost`: the thread and the process must then end
 */
export async function runUntilStopped(
  work: (signal: AbortSignal) => Promise<void>,
  lost: Promise<never>,
  families: () => Promise<readonly Family[]> = () => Promise.resolve([]),
): Promise<void> {
  const stopping = new AbortController();
  const ended = new AbortController();
  void giveBackWhenIdle(ended.signal);
  const onRequest = (request: ThreadRequest) => {
    if (request === 'stop') stopping.abort();
    else
      void families().then((measured) =>
        parentPort?.postMessage({ kind: 'measured', families: measured } satisfies ThreadAnswer),
      );
  };
  parentPort?.on('message', onRequest);
  try {
    await Promise.race([work(stopping.signal), lost]);
  } catch (error) {
    // An error loses its class between threads, so only its message is passed.
    throw error instanceof StoreError ? new Error(error.message, { cause: error }) : error;
  } finally {
    ended.abort();
    parentPort?.off('message', onRequest);
  }
}

export function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

export const tellFault = (what: string, error: unknown): void =>
  tell({ kind: 'fault', what, message: messageOf(error) });

import { Worker } from 'node:worker_threads';
import { DatapackageError } from '../errors.ts';
import type { SourceSummary } from '../accounting.ts';
import { defined } from '../../ground/defined.ts';
import type { HsdsItem } from '../item.ts';
import type { NamedService } from './named-services.ts';
import type { Datapackage } from '../package.ts';
import type { ReadBefore } from '../row-digests.ts';
import type { SheetChoice } from '../sheet/stage-sheet.ts';
import type { ZipLimits } from './zip.ts';
import type { Reply, Request, Source } from './thread-messages.ts';
import { messageOf } from '../../ground/store-error.ts';

/** A datapackage that a thread of its own reads. */
export interface ThreadedDatapackage extends Pick<Datapackage, 'version' | 'name' | 'services' | 'sheet'> {
  /** As `Datapackage.records`, once. */
  records(before?: ReadBefore): AsyncGenerator<HsdsItem>;
  /** As `Datapackage.names`. Before its records are read. */
  names(most?: number): Promise<readonly NamedService[]>;
  /** As `Datapackage.summary`. */
  summary(): Promise<SourceSummary>;
  close(): Promise<void>;
}

/** In MB. The largest object of a JSON file has room in it; a source as a whole is in a temporary database. */
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/**
 * Opens a datapackage in a thread, which maps its rows to records while this one stores them. Throws as
 * `openDatapackage` does, and when the signal aborts before it is open.
 */
export async function openInThread(
  path: string,
  {
    onRead,
    signal,
    name,
    limits,
    sheet,
  }: {
    readonly onRead?: (bytes: number, total: number) => void;
    readonly signal?: AbortSignal;
    /** As in `openDatapackage`. */
    readonly name?: string;
    readonly limits?: Partial<ZipLimits>;
    /** As in `openDatapackage`. */
    readonly sheet?: SheetChoice | undefined;
  } = {},
): Promise<ThreadedDatapackage> {
  const worker = new Worker(new URL('./package-thread.ts', import.meta.url), {
    name: 'hsds',
    workerData: { path, name, limits, sheet } satisfies Source,
    resourceLimits: memory,
  });
  const close = async (): Promise<void> => {
    await worker.terminate();
  };
  signal?.addEventListener('abort', () => void close(), { once: true });
  const answers = answersOf(worker, (bytes, total) => onRead?.(bytes, total));
  try {
    const opened = await answers.next('opened');
    return {
      ...opened,
      async *records(before) {
        let coming = ask({ kind: 'items', before });
        for (;;) {
          const { items, done } = await coming;
          // The thread makes the next ones meanwhile.
          if (!done) coming = ask({ kind: 'items' });
          yield* items;
          if (done) return;
        }
      },
      names: async (most) => (await ask({ kind: 'names', ...defined({ most }) })).names,
      summary: async () => (await ask({ kind: 'summary' })).summary,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  function ask<Kind extends Request['kind']>(
    request: Extract<Request, { kind: Kind }>,
  ): Promise<Extract<Reply, { kind: Kind }>> {
    const answer = answers.next(request.kind);
    // Whoever reads the records sees the failure, perhaps later.
    answer.catch(() => undefined);
    worker.postMessage(request);
    return answer;
  }
}

/** The answers of the thread, one after the other. Once it has failed, every answer is the failure. */
function answersOf(worker: Worker, onRead: (bytes: number, total: number) => void) {
  let waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    waiting?.reject(failure);
  };
  worker.on('message', (reply: Reply) => {
    if (reply.kind === 'read') onRead(reply.bytes, reply.total);
    else if (reply.kind === 'failed') fail(failureOf(reply));
    else waiting?.resolve(reply);
  });
  worker.on('error', (error) => {
    fail(
      new DatapackageError('unreadable', `The source could not be read: ${messageOf(error)}.`, {
        cause: error,
      }),
    );
  });
  worker.on('exit', () => fail(new Error('The thread that reads the source has ended.')));
  return {
    next: <Kind extends Reply['kind']>(kind: Kind): Promise<Extract<Reply, { kind: Kind }>> =>
      new Promise((resolve, reject) => {
        if (failure) {
          reject(failure);
          return;
        }
        waiting = {
          reject,
          resolve(reply) {
            if (reply.kind === kind) resolve(reply as Extract<Reply, { kind: Kind }>);
            else reject(new Error(`The thread answered ${reply.kind}, not ${kind}.`));
          },
        };
      }),
  };
}

const failureOf = ({ code, message }: Extract<Reply, { kind: 'failed' }>): Error =>
  code === undefined ? new Error(message) : new DatapackageError(code, message);

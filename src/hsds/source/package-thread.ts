import { parentPort, workerData } from 'node:worker_threads';
import { DatapackageError } from '../errors.ts';
import type { HsdsItem } from '../item.ts';
import { openDatapackage } from '../package.ts';
import type { Reply, Request, Source } from './thread-messages.ts';
import { messageOf } from '../../ground/store-error.ts';

/** The thread of `openInThread`: reads a source and makes its records, some at a time, when it is asked. */

/** Items in one answer. Enough that messages cost little, few enough that memory stays small. */
const batchSize = 128;
/** A person sees no more than this of a bar. */
const tellEveryMs = 100;

const { path, name: shownName, limits, sheet: choice } = workerData as Source;
const reply = (message: Reply): void => parentPort?.postMessage(message);

let reportedAt = performance.now();
try {
  const datapackage = await openDatapackage(path, {
    name: shownName,
    limits,
    sheet: choice,
    onRead(bytes, total) {
      const now = performance.now();
      if (now - reportedAt < tellEveryMs && bytes < total) return;
      reportedAt = now;
      reply({ kind: 'read', bytes, total });
    },
  });
  const { version, name, services, sheet } = datapackage;
  reply({ kind: 'opened', version, name, services, ...(sheet ? { sheet } : {}) });
  let records: AsyncGenerator<HsdsItem> | undefined;
  parentPort?.on('message', (request: Request) => {
    const answer =
      request.kind === 'items'
        ? nextOf((records ??= datapackage.records(request.before)))
        : new Promise<Reply>((resolve) => {
            if (request.kind === 'names') resolve({ kind: 'names', names: datapackage.names(request.most) });
            else resolve({ kind: 'summary', summary: datapackage.summary() });
          });
    answer.then(reply, fail);
  });
} catch (error) {
  fail(error);
}

async function nextOf(records: AsyncGenerator<HsdsItem>): Promise<Reply> {
  const items: HsdsItem[] = [];
  while (items.length < batchSize) {
    const next = await records.next();
    if (next.done === true) return { kind: 'items', items, done: true };
    items.push(next.value);
  }
  return { kind: 'items', items, done: false };
}

function fail(error: unknown): void {
  reply({
    kind: 'failed',
    message: messageOf(error),
    ...(error instanceof DatapackageError ? { code: error.code } : {}),
  });
}

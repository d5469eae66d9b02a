import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

/** Holds 60 MB of objects, lets go of them, and tells the size of its heap before and after it gives memory back. */
const thread = `
  const { parentPort } = require('node:worker_threads');
  const { getHeapStatistics } = require('node:v8');
  import(${JSON.stringify(new URL('../../src/stores/thread-memory.ts', import.meta.url).href)}).then(({ giveMemoryBack }) => {
    const size = () => getHeapStatistics().total_heap_size;
    let held = Array.from({ length: 500_000 }, (_, n) => ({ n, text: 'text ' + n }));
    const holding = size();
    held = undefined;
    giveMemoryBack();
    parentPort.postMessage({ holding, after: size() });
  });
`;

it('a thread gives the memory back that long work has left in its heap', async () => {
  const worker = new Worker(thread, { eval: true });
  const [{ holding, after }] = (await once(worker, 'message')) as [{ holding: number; after: number }];
  await worker.terminate();
  expect(after).toBeLessThan(holding - 20_000_000);
});

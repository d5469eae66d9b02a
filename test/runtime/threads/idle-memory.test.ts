import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

/** Holds 60 MB of objects, lets go of them, and tells the size of its heap then, and until it has become smaller. */
const thread = `
  const { parentPort } = require('node:worker_threads');
  const { getHeapStatistics } = require('node:v8');
  import(${JSON.stringify(new URL('../../../src/runtime/threads/idle-memory.ts', import.meta.url).href)}).then(({ giveBackWhenIdle }) => {
    const size = () => getHeapStatistics().total_heap_size;
    let held = Array.from({ length: 500_000 }, (_, n) => ({ n, text: 'text ' + n }));
    const holding = size();
    held = undefined;
    void giveBackWhenIdle(new AbortController().signal, { atStartMs: 100, everyMs: 100 });
    setInterval(() => size() < holding - 20_000_000 && parentPort.postMessage('smaller'), 20);
  });
`;

it('a thread gives the memory back that long work has left in its heap, once it has little to do', async () => {
  const worker = new Worker(thread, { eval: true });
  expect(await once(worker, 'message')).toEqual(['smaller']);
  await worker.terminate();
});

import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { Pointers } from '../../src/stores/documents/mongodb-pointers.ts';
import { MongoCollectionWriter } from '../../src/stores/documents/mongodb-writer.ts';
import { placesSpec } from '../contract/places.ts';

test('a checkpoint that is put off when the rest is about to end sets no timer in the past', async () => {
  // Nothing listens there, and nothing is asked: what is put off is written when the timer runs.
  const client = new MongoClient('mongodb://127.0.0.1:9/unused');
  const closing = new AbortController();
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  onTestFinished(async () => {
    process.off('warning', note);
    closing.abort();
    await client.close();
  });
  // Milliseconds, and the first rest ends at 0: whoever looks twice finds it ended.
  let reading = -1;
  const writer = new MongoCollectionWriter({
    db: client.db(),
    spec: placesSpec('places'),
    pointers: new Pointers(client.db()),
    generation: 1,
    epoch: 0,
    row: { born: 'a', version: 1, checkpoint: 0n, changed: 0 },
    closed: closing.signal,
    clock: () => (reading += 1) - 0.5,
  });
  await writer.write([], 7n);
  closing.abort();
  await new Promise(setImmediate);
  expect(writer.checkpoint).toBe(7n);
  expect(warnings).toEqual([]);
});

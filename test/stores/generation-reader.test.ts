import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EmbeddedDocuments } from '../../src/stores/documents/embedded/documents.ts';
import { GenerationReader } from '../../src/stores/documents/embedded/generation-reader.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/folder.ts';

let folder: TemporaryFolder;
let documents: EmbeddedDocuments;
let reader: GenerationReader;
let other: DatabaseSync;
beforeEach(async () => {
  folder = temporaryFolder();
  documents = new EmbeddedDocuments(folder.path);
  const { generation } = await documents.build({ name: 'things', fields: [], indexes: [] }, 1);
  await documents.serve('things', generation);
  reader = new GenerationReader(join(folder.path, 'views.db'));
  other = new DatabaseSync(join(folder.path, 'views.db'));
});
afterEach(async () => {
  other.close();
  reader.close();
  await documents.close();
  folder.remove();
});

const commit = (version: number) => other.prepare('UPDATE generations SET version = ?').run(version);
const seen = () => reader.of('things')?.version;

it('looks once for all that goes on without waiting for input, however many promises it awaits', async () => {
  expect(seen()).toBe(1);
  commit(2);
  for (let awaited = 0; awaited < 10; awaited++) await Promise.resolve();
  expect(seen()).toBe(1);
});

it('looks again in every further callback: one may bring the news of a commit', async () => {
  expect(seen()).toBe(1);
  commit(2);
  await nextTurn();
  expect(seen()).toBe(2);

  const { port1, port2 } = new MessageChannel();
  const inMessage = new Promise((resolve) => port1.once('message', () => resolve(seen())));
  await nextTurn();
  expect(seen()).toBe(2);
  commit(3);
  port2.postMessage('committed');
  expect(await inMessage).toBe(3);
  port1.close();

  // A look that a promise makes long after the callback began.
  await Promise.resolve();
  expect(seen()).toBe(3);
  commit(4);
  const inTick = new Promise((resolve) => setTimeout(() => resolve(seen()), 0));
  expect(await inTick).toBe(4);
});

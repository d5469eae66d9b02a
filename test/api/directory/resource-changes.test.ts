import { afterEach, beforeEach, expect, test } from 'vitest';
import { ResourceChanges } from '../../../src/api/directory/resource-changes.ts';
import { svcIdOf } from '../../../src/events/ids.ts';
import { placeOf } from '../../../src/projections/engine/place-of.ts';
import { resources, type ResourceDocument } from '../../../src/projections/directory/resources.ts';
import type { CollectionWriter } from '../../../src/stores/documents/port.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

let folder: DataFolder;
let stores: Stores;
let writer: CollectionWriter<ResourceDocument>;

beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  const { generation } = await stores.documents.build(resources.collection, resources.version);
  await stores.documents.serve(resources.collection.name, generation);
  writer = await stores.documents.writer(resources.collection, generation);
});
afterEach(() => folder.dispose());

const changedAt = (number: number, position: bigint) => ({
  id: svcIdOf(number),
  position,
  doc: {
    svc_id: svcIdOf(number),
    number,
    team: 'commons',
    status: 'approved',
    listed: 1,
    category: 'food',
    updated_at: '2026-01-01T00:00:00.000Z',
    card: `"svc_id":"${svcIdOf(number)}"`,
    confirmation: '{}',
    checksum: 0,
    details: '"email":null',
    submitted_at: '2026-01-01T00:00:00.000Z',
    changed_place: placeOf(position),
  } as const,
});

test('a page of changes ends at the checkpoint, because before a later document another may still be missing', async () => {
  const changes = new ResourceChanges(stores.documents, stores.personal);
  const page = () => changes.after(beginning, { tier: 'developer', limit: 10 });
  await writer.write([changedAt(1, 5n)], 3n);
  expect(await page()).toEqual({ entries: [], last: undefined, hasMore: false });
  await writer.write([changedAt(2, 4n)], 5n);
  const { entries, last } = await page();
  expect(entries.map((entry) => (JSON.parse(entry) as { svc_id: string }).svc_id)).toEqual([
    svcIdOf(2),
    svcIdOf(1),
  ]);
  expect(last).toBe(5n);
});

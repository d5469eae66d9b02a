import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordAccess } from '../../src/commands/audit.ts';
import { StoreError } from '../../src/stores/errors.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { aCommand } from '../support/context.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

const viewed = { type: 'OutboxViewed', data: { mails: 2 } } as const;

let folder: DataFolder;
let stores: Stores;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

describe('reading the audit log', () => {
  it('is recorded in a stream of its day, with who read it, and each time anew', async () => {
    const at = new Date('2026-03-04T23:59:59.999Z');
    const actor = { kind: 'key', id: 'AbCdEf012345' } as const;
    const context = aCommand({ at, actor });
    await recordAccess(stores.store, viewed, context);
    await recordAccess(stores.store, viewed, { ...context, commandId: randomUUID() });
    await recordAccess(stores.store, viewed, aCommand({ at: new Date(at.getTime() + 1) }));

    const day = await stores.store.readStream('audit-access-2026-03-04');
    expect(day.map(({ type, data, metadata }) => [type, data, metadata['actor']])).toEqual([
      ['OutboxViewed', { mails: 2 }, actor],
      ['OutboxViewed', { mails: 2 }, actor],
    ]);
    expect(await stores.store.readStream('audit-access-2026-03-05')).toHaveLength(1);
  });

  it('is recorded for each of many who read at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        recordAccess(stores.store, viewed, aCommand({ at: new Date('2026-03-04T00:00:00Z') })),
      ),
    );
    expect(await stores.store.readStream('audit-access-2026-03-04')).toHaveLength(20);
  });

  it.each(['stream_deleted', 'misuse', 'unavailable', 'full'] as const)(
    'fails for the moment when the store answers %s',
    async (code) => {
      const store = {
        append: () => Promise.reject(new StoreError(code, 'The stream was deleted.')),
      } as unknown as EventStore;
      const failure = await recordAccess(store, viewed, aCommand()).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreError);
      expect((failure as StoreError).code).toBe(code === 'full' ? 'full' : 'unavailable');
    },
  );
});

import { describe, expect, it } from 'vitest';
import { auditEvents } from '../../src/projections/audit.ts';
import { projected, type AnyProjection } from '../../src/projections/engine/read-model.ts';
import { FirstEvents } from '../../src/projections/engine/fold-batch.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { appending } from '../support/append.ts';
import { ids, sampleOf } from '../support/every-event.ts';
import { foldLog } from '../support/fold-log.ts';
import { dataFolder } from '../support/stores.ts';

const story = [
  'ResourceSubmitted',
  'FormPublished',
  'ApiKeyCreated',
  'DeliveryScheduled',
  'ResourceRevised',
  'FormClosed',
  'ApiKeyRevoked',
  'DeliveryExpired',
  'UserRegistered',
  'UserErased',
  'SubscriptionCreated',
  'SubscriptionDeleted',
] as const;

describe('the index of the audit log', () => {
  it('knows the team of every event of a team, also where only the first event of the stream says it', async () => {
    const folder = dataFolder();
    const { store, documents } = folder.open();
    for (const type of story) await appending(store, sampleOf(type).stream, sampleOf(type));
    await documents.build(auditEvents.collection, 1);
    const writer = await documents.writer(auditEvents.collection, 1);
    await foldLog(auditEvents as unknown as AnyProjection, { store, documents, writer });
    await documents.serve(auditEvents.collection.name, 1);

    const docs = await documents
      .collection(auditEvents.collection)
      .page({ orderBy: ['position'], limit: 100 });
    expect(docs.map(({ team }) => team)).toEqual(
      story.map((type) => (type.startsWith('User') ? undefined : ids.team)),
    );
    expect(docs.map(({ stream, revision }) => `${stream}@${revision}`)).toContain(`api-key-${ids.key}@1`);
    // What an event says is not copied.
    expect(JSON.stringify(docs)).not.toMatch(/Corner Pantry|c2VhbGVk|leaked/);
    await folder.dispose();
  });

  it('reads the first event of a stream once, also when it folds from the middle of the log', async () => {
    const folder = dataFolder();
    const { store } = folder.open();
    const { stream } = sampleOf('ResourceSubmitted');
    for (const type of ['ResourceSubmitted', 'ResourceRevised', 'ResourceDeactivated'] as const)
      await appending(store, stream, sampleOf(type));
    const { events } = await store.readAll({ after: beginning, limit: 10 });
    const later = events.slice(1).map(projected);
    let reads = 0;
    const firsts = new FirstEvents({
      readStream: (...asked) => {
        reads += 1;
        return store.readStream(...asked);
      },
    });
    const audit = auditEvents as unknown as AnyProjection;
    await firsts.tell(audit, later);
    expect(later.map(({ firstSays }) => firstSays)).toEqual([ids.team, ids.team]);
    await firsts.tell(audit, later);
    expect(reads).toBe(1);
    await folder.dispose();
  });
});

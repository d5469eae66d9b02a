import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findEvent } from '../../../src/audit/proof-log/find-event.ts';
import { beginning, type ReadAllOptions, type RecordedEvent } from '../../../src/stores/event-store/port.ts';
import { everyOwn, fill, signedScene, type SignedScene } from '../signed-log.ts';

const count = 3_000;

describe('an event of the log, by its id', () => {
  let scene: SignedScene;
  let events: RecordedEvent[];
  let read: ReadAllOptions[] = [];
  beforeAll(async () => {
    scene = await signedScene(count);
    events = await everyOwn(scene.system);
  }, 60_000);
  afterAll(async () => {
    await scene.system.close();
    scene.folder.remove();
  });

  const sources = () => {
    const { store, proofLog } = scene.system;
    read = [];
    const counted = {
      readAll: (options: ReadAllOptions) => {
        read.push(options);
        return store.readAll(options);
      },
    };
    return { store: counted, proofLog };
  };
  const eventAt = (index: number) => events[index] as RecordedEvent;

  it.each([0, 1, 255, 256, 257, 1_500, 2_815, 2_816, 2_999])(
    'is found at entry %i, in its bundle when its position is known, and in the whole log otherwise',
    async (index) => {
      const { id, position } = eventAt(index);
      expect(await findEvent(sources(), id, { position })).toMatchObject({ index, event: { id } });
      expect(read).toHaveLength(1);
      expect(read[0]?.after).toBe(events[Math.floor(index / 256) * 256 - 1]?.position ?? beginning);
      expect(await findEvent(sources(), id)).toMatchObject({ index, event: { id } });
      expect(read[0]?.after).toBe(beginning);
    },
  );

  it('is found where it is when it is said to be elsewhere', async () => {
    const { id } = eventAt(700);
    for (const other of [0, 400, 699, 701, 2_000])
      expect(await findEvent(sources(), id, { position: eventAt(other).position })).toMatchObject({
        index: 700,
      });
  });

  it('is not found when there is none', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    expect(await findEvent(sources(), none, { position: eventAt(9).position })).toBeUndefined();
  });

  it('is found before it is signed', async () => {
    await fill(scene.system, 3, 3, 'later');
    events = await everyOwn(scene.system);
    const { id, position } = eventAt(count + 1);
    expect(await findEvent(sources(), id, { position })).toMatchObject({ index: count + 1 });
  });

  it('has its right entry where the places of bundles are wrong', async () => {
    await scene.system.proofLog.putBundles([{ index: 4, after: eventAt(1_100).position }]);
    const { id, position } = eventAt(1_200);
    expect(await findEvent(sources(), id, { position })).toMatchObject({ index: 1_200 });
    expect(read.length).toBeGreaterThan(1);
  });
});

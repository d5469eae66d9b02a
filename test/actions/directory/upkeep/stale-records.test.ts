import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  markStaleRecords,
  roundMs,
  untilNextRound,
} from '../../../../src/actions/directory/upkeep/stale-records.ts';
import { commandResource } from '../../../../src/commands/directory/resource.ts';
import { context, startSystem, v1, type RunningSystem } from '../../../api/harness.ts';

const days = 730;
const dayMs = 86_400_000;

let running: RunningSystem;
beforeAll(async () => {
  running = await startSystem();
  await running.team('harbour', ['directory:manage']);
});
afterAll(() => running.stop());

const lapsed = async (svcId: string) => {
  await running.caughtUp();
  const events = await running.system.store.readStream(`resource-${svcId}`);
  return events.filter(({ type }) => type === 'ResourceConfirmationLapsed').map(({ data }) => data);
};
const shown = async (svcId: string) => {
  await running.caughtUp();
  const { bearer } = await running.key();
  const response = await running.server.inject({ url: `${v1}/${svcId}`, headers: bearer });
  return response.json<{ updated_at: string; confirmed?: object }>();
};
const mark = async (now: Date) => {
  const marked = await markStaleRecords(running.system, days, now);
  await running.caughtUp();
  return marked;
};
/** Public, and confirmed by whoever approved it today. */
const publicRecord = async (): Promise<string> => {
  const [svcId = ''] = await running.resources(1, { team: 'harbour' });
  await running.caughtUp();
  return svcId;
};
const after = (number: number) => new Date(Date.now() + number * dayMs);

test('of a confirmation that is too long ago it is said once, by whichever process, until the next confirmation', async () => {
  const svcId = await publicRecord();
  const before = await shown(svcId);
  const on = new Date().toISOString().slice(0, 10);
  expect(before.confirmed).toEqual({ on, by: 'team' });

  expect(await mark(after(days)), 'on its last day it holds').toBe(0);
  const late = after(days + 1);
  await Promise.all([1, 2].map(() => markStaleRecords(running.system, days, late)));
  expect(await mark(late)).toBe(0);
  const confirmed = { on, by: 'team' };
  expect(await lapsed(svcId)).toMatchObject([{ confirmed, announced: { svc_id: svcId, team: 'harbour' } }]);
  expect(await shown(svcId)).toEqual({ ...before, confirmed: { ...confirmed, stale: true } });

  // Somebody confirms it on that day.
  await commandResource(running.system, svcId, { kind: 'confirm', by: 'team' }, { ...context(), at: late });
  expect((await shown(svcId)).confirmed).toEqual({ on: late.toISOString().slice(0, 10), by: 'team' });
  expect(await mark(late)).toBe(0);
  expect(await mark(new Date(late.getTime() + (days + 1) * dayMs))).toBe(1);
  expect(await lapsed(svcId)).toHaveLength(2);
});

test('the feed of changes has the record again, at the time when that was noticed', async () => {
  const svcId = await publicRecord();
  const { bearer } = await running.key();
  const feed = async (cursor?: string) => {
    await running.caughtUp();
    const url = `/dash/api/v1/changes${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`;
    return (await running.server.inject({ url, headers: bearer })).json<{
      data: { svc_id: string; change: string; changed_at: string; record: object }[];
      cursor: string;
    }>();
  };
  const { cursor } = await feed();
  const late = after(days + 1);
  expect(await mark(late)).toBe(1);
  const { data } = await feed(cursor);
  expect(data).toMatchObject([
    {
      svc_id: svcId,
      change: 'upsert',
      changed_at: late.toISOString(),
      record: { confirmed: { by: 'team', stale: true } },
    },
  ]);
});

test('what is not public lapses for nobody, and what comes back does', async () => {
  const svcId = await publicRecord();
  await running.command(svcId, { kind: 'deactivate' });
  await running.caughtUp();
  const late = after(days + 1);
  expect(await mark(late)).toBe(0);
  await running.command(svcId, { kind: 'reactivate' });
  await running.caughtUp();
  expect(await mark(late)).toBe(1);
  expect(await lapsed(svcId)).toHaveLength(1);
});

test('a directory that was old before is noticed a hundred records at a time, and a restart waits for the next round', async () => {
  await running.resources(130, { team: 'harbour' });
  await running.caughtUp();
  const late = after(days + 1);
  expect(await mark(late)).toBe(100);
  expect(await untilNextRound(running.system, late)).toBe(roundMs);
  expect(await untilNextRound(running.system, new Date(late.getTime() + roundMs - 1))).toBe(1);
  expect(await untilNextRound(running.system, new Date(late.getTime() + 10 * roundMs))).toBe(0);
  expect(await mark(late)).toBe(30);
  expect(await mark(late)).toBe(0);
});

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endMembership } from '../../src/commands/teams/member.ts';
import { BulkJobs, type BulkParts } from '../../src/imports/bulk-jobs.ts';
import { startDashboard, type Dashboard } from '../api/accounts/harness.ts';
import { context } from '../api/harness.ts';
import { until } from '../support/until.ts';

let dash: Dashboard;
let count = 0;
let team: string;
let ids: string[];
let user: string;

beforeAll(async () => {
  dash = await startDashboard();
});
afterAll(() => dash.stop());

beforeEach(async () => {
  team = `team-${++count}`;
  await dash.team(team);
  const reviewer = await dash.account();
  await dash.member(team, reviewer, 'reviewer');
  user = reviewer.user;
  ids = [];
  for (let n = 0; n < 40; n += 1)
    ids.push(await dash.submission(team, { name: `Pantry ${n}`, category: 'food' }));
});

const jobs = (also: Partial<BulkParts> = {}) => {
  const { store, documents, side, leases, personal } = dash.system;
  const onFault = (error: unknown) => expect.unreachable(String(error));
  return new BulkJobs({ store, documents, side, leases, personal, onFault, ...also });
};

async function begun(by: BulkJobs, { onProgress }: { onProgress?: (done: number) => void } = {}) {
  const id = crypto.randomUUID();
  await by.records.putIds({ team, id }, ids);
  const report = by.run({
    ...{ team, id, context, number: ids.length },
    actor: { kind: 'user', id: user },
    change: { decision: 'approve' },
    ...(onProgress && { onProgress }),
  });
  return { id, report };
}

/** Longer than it takes until it looks again whether it may go on. */
const longerMs = 200;

/** Those after the first few come later, so that something can happen between. */
function slowAfter(few: number) {
  let taken = 0;
  return () => (++taken > few ? pause(longerMs) : undefined);
}

/** So many records of the team were approved, each event counted. */
const approvals = async (): Promise<number> =>
  (await dash.events('resource-')).filter(
    ({ type, data }) => type === 'ResourceApproved' && data['team'] === team,
  ).length;

describe('a decision about many records', () => {
  test('that stops with its process is gone on with by another, which does nothing twice and counts all', async () => {
    const first = jobs({ rest: slowAfter(10) });
    const { id, report } = await begun(first, { onProgress: (done) => void (done === 5 && first.stop()) });
    await expect(report).rejects.toThrow('The server stops.');
    expect(await approvals()).toBeLessThan(ids.length);
    const other = jobs();
    expect(await other.underWay({ team, id })).toMatchObject({ undoes: false, state: { total: 40 } });
    await other.tend();
    await until(async () => !(await other.underWay({ team, id })));
    expect(await other.report({ team, id })).toMatchObject({ done: 40, unchanged: 0, skipped: {} });
    expect(await approvals()).toBe(40);
    // What has ended is not begun again.
    await other.tend();
    await other.stop();
    expect(await dash.events(`bulk-${id}`)).toHaveLength(2);
  });

  test('ends when whoever began it loses the right, and says how far it came', async () => {
    let looked = 0;
    const losing = jobs({
      rest: async () => {
        if (++looked === 20) await endMembership(dash.system, { team, user }, context());
        if (looked > 20) await pause(longerMs);
      },
    });
    const { id, report } = await begun(losing);
    const came = await report;
    expect(came.stopped).toBe('right');
    expect(came.done).toBeGreaterThan(10);
    expect(came.done + (came.left ?? 0)).toBe(40);
    expect(await approvals()).toBe(came.done);
    expect((await dash.events(`bulk-${id}`)).at(-1)).toMatchObject({
      type: 'BulkEnded',
      data: { stopped: 'right', done: came.done },
    });
  });

  test('is stopped, and what was done is undone', async () => {
    const stopping = jobs({ rest: slowAfter(10) });
    const running: { id?: string } = {};
    const { id, report } = await begun(stopping, {
      onProgress: (done) =>
        void (
          done === 3 &&
          running.id !== undefined &&
          stopping.records.cancel({ team, id: running.id }, user)
        ),
    });
    running.id = id;
    const came = await report;
    expect(came).toMatchObject({ stopped: 'cancelled' });
    expect(came.left).toBeGreaterThan(0);
    const undone = await stopping.undo({ team, id, actor: { kind: 'user', id: user }, total: 40, context });
    expect(undone).toMatchObject({ taken_out: came.done, left: 0 });
  });

  test('waits for its turn while another of its team runs', async () => {
    const [one, other] = [jobs(), jobs()];
    const [first, second] = [await begun(one), await begun(other)];
    const came = await Promise.all([first.report, second.report]);
    expect(came.map(({ done, unchanged }) => done + unchanged)).toEqual([40, 40]);
    expect(came.reduce((sum, { done }) => sum + done, 0)).toBe(40);
    expect(await approvals()).toBe(40);
  });

  test('is never far ahead of what others can see, so that what it says is done is done', async () => {
    ids = [
      ...ids.slice(0, 1),
      ...Array.from({ length: 1_000 }, (_, n) => `r_${String(n).padStart(16, '0')}`),
    ];
    const pacing = jobs({ rest: () => undefined });
    let [done, ended] = [0, Promise.resolve<unknown>(undefined)];
    await dash.withoutProjector(async () => {
      const { id, report } = await begun(pacing, { onProgress: (now) => void (done = now) });
      ended = report;
      await until(async () => {
        const now = await pacing.underWay({ team, id });
        return now !== undefined && now.state.done >= 1_000;
      });
      expect(done).toBe(1_000);
    });
    expect(await ended).toMatchObject({ done: 1, skipped: { missing: 1_000 } });
  });
});

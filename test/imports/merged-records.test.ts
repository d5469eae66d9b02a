import { describe, expect, test } from 'vitest';
import { mergeRecords, undoMerge } from '../../src/commands/directory/merge-records.ts';
import { eraseResourcePerson } from '../../src/commands/directory/resource.ts';
import type { ResourceFieldName } from '../../src/events/directory/resource-fields.ts';
import { CommandRefused } from '../../src/ground/refusals.ts';
import { aCommand } from '../support/context.ts';
import { directory, published, team, usual } from './county.ts';

type Directory = ReturnType<typeof directory>;

const merge = (at: Directory, duplicate: string, survivor: string, take: readonly ResourceFieldName[] = []) =>
  at.system(async (system) => {
    const outcome = await mergeRecords(
      system,
      { duplicate: at.svcId(duplicate), survivor: at.svcId(survivor), take, asTeam: team },
      aCommand(),
    );
    await system.waitUntilVisible([outcome.duplicate, outcome.survivor]);
    return outcome;
  });
const unmerge = (at: Directory, duplicate: string) =>
  at.system(async (system) => {
    const outcome = await undoMerge(system, { duplicate: at.svcId(duplicate), asTeam: team }, aCommand());
    await system.waitUntilVisible([outcome.duplicate, outcome.survivor]);
    return outcome;
  });
const refused = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CommandRefused);
  return error as CommandRefused;
};

describe('a source whose record was merged into another one', () => {
  test('makes no double in the next month, and its changes arrive at the record that stays', async () => {
    const at = directory();
    await at.import(published(usual));
    await merge(at, 's1', 's3', ['phones', 'description']);
    expect(await at.state('s1')).toMatchObject({
      status: 'inactive',
      mergedInto: { survivor: at.svcId('s3') },
    });
    expect(await at.state('s3')).toMatchObject({
      status: 'approved',
      fields: { description: 'A bed for a night.', phones: [{ number: '305-555-0101' }] },
    });

    const same = await at.import(published(usual));
    expect(same.report).toMatchObject({ new: 0, revised: 0, reactivated: 0, conflicts: 0, missing: 0 });
    expect(same.report).toMatchObject({ unchanged: 4 });

    const changed = published({ ...usual, s1: { description: 'Two beds.', phone: '305-555-0109' } });
    const { report: compared } = await at.import(changed, { dryRun: true });
    expect(compared).toMatchObject({ new: 0, revised: 1, conflicts: 0 });
    expect(compared.changes).toMatchObject([{ svc_id: at.svcId('s3') }]);
    const { report } = await at.import(changed);
    expect(report).toMatchObject({ new: 0, revised: 1, conflicts: 0 });
    expect(await at.state('s3')).toMatchObject({
      fields: { description: 'Two beds.', phones: [{ number: '305-555-0109' }] },
      // What its own source says stays what it is.
      base: { description: 'Warm meals.' },
    });
    expect(await at.state('s1')).toMatchObject({ status: 'inactive', base: { description: 'Two beds.' } });
    expect((await at.import(changed)).report).toMatchObject({ revised: 0, conflicts: 0, unchanged: 4 });
  }, 60_000);

  test('is kept out where the record that stays says otherwise, and that is reported once', async () => {
    const at = directory();
    await at.import(published(usual));
    await merge(at, 's1', 's3');
    const changed = published({ ...usual, s1: { ...usual['s1'], description: 'Two beds.' } });
    const { report } = await at.import(changed);
    expect(report).toMatchObject({ new: 0, revised: 0, conflicts: 1 });
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Warm meals.' } });
    expect((await at.import(changed)).report).toMatchObject({ conflicts: 0, unchanged: 4 });
  }, 60_000);

  test('may lose either row: only when both are gone the record is missing', async () => {
    const at = directory();
    await at.import(published(usual));
    await merge(at, 's1', 's3');
    const { s1, s3, ...others } = usual;
    for (const rest of [
      { ...others, ...(s1 && { s1 }) },
      { ...others, ...(s3 && { s3 }) },
    ])
      expect((await at.import(published(rest), { removeMissing: 'any' })).report).toMatchObject({
        missing: 0,
      });
    expect(await at.state('s3')).toMatchObject({ status: 'approved' });
    const { report } = await at.import(published(others), { removeMissing: 'any' });
    expect(report).toMatchObject({ missing: 1 });
    expect(await at.state('s3')).toMatchObject({ status: 'inactive' });
    expect(await at.state('s1')).toMatchObject({ status: 'inactive', mergedInto: {} });
  }, 60_000);

  test('speaks to the last of a chain', async () => {
    const at = directory();
    await at.import(published(usual));
    await merge(at, 's1', 's2', ['description']);
    await merge(at, 's2', 's3', ['description', 'contacts']);
    const changed = published({ ...usual, s1: { ...usual['s1'], description: 'Two beds.' } });
    expect((await at.import(changed)).report).toMatchObject({ new: 0, revised: 1, unchanged: 3 });
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Two beds.' } });
    expect(await at.state('s2')).toMatchObject({ fields: { description: 'A bed for a night.' } });
    expect((await refused(unmerge(at, 's1'))).message).toContain('Undo that first');
  }, 60_000);
});

describe('the undoing of a merge', () => {
  test('brings the record back with what its source has said since, and the other gives back what it took', async () => {
    const at = directory();
    await at.import(published(usual));
    await merge(at, 's1', 's3', ['phones', 'description']);
    await at.import(
      published({ ...usual, s1: { description: 'A bed for a night.', phone: '305-555-0109' } }),
    );
    const outcome = await unmerge(at, 's1');
    expect(outcome.left).toEqual(['phones']);
    expect(await at.state('s1')).toMatchObject({
      status: 'approved',
      mergedInto: undefined,
      fields: { description: 'A bed for a night.', phones: [{ number: '305-555-0109' }] },
    });
    expect(await at.state('s3')).toMatchObject({
      fields: { description: 'Warm meals.', phones: [{ number: '305-555-0109' }] },
    });
    expect((await refused(unmerge(at, 's1'))).code).toBe('conflict');
    // Each has its own source again.
    const changed = published({ ...usual, s1: { description: 'Three beds.', phone: '305-555-0109' } });
    expect((await at.import(changed)).report).toMatchObject({ new: 0, revised: 1, conflicts: 0 });
    expect(await at.state('s1')).toMatchObject({ fields: { description: 'Three beds.' } });
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Warm meals.' } });
  }, 60_000);

  test('of the import that made the records leaves what was merged since, and names it', async () => {
    const at = directory();
    const { report } = await at.import(published(usual));
    await merge(at, 's1', 's3');
    const undone = await at.undo(report.import ?? '');
    expect(undone).toMatchObject({ taken_out: 2, left: 2 });
    expect(undone.left_records.map(({ svc_id }) => svc_id).sort()).toEqual(
      [at.svcId('s1'), at.svcId('s3')].sort(),
    );
    expect(await at.state('s3')).toMatchObject({ status: 'approved' });
    expect(await at.state('s1')).toMatchObject({ mergedInto: {} });
  }, 60_000);

  test('of an import that spoke to a merged record takes back what it changed at the one that stays', async () => {
    const at = directory();
    await at.import(published(usual));
    await merge(at, 's1', 's3', ['description']);
    const changed = published({ ...usual, s1: { ...usual['s1'], description: 'Two beds.' } });
    const { report } = await at.import(changed);
    await at.undo(report.import ?? '');
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'A bed for a night.' } });
    expect(await at.state('s1')).toMatchObject({ base: { description: 'A bed for a night.' } });
    expect((await at.import(changed)).report).toMatchObject({ revised: 1 });
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Two beds.' } });
  }, 60_000);
});

describe('a merge', () => {
  test('that crosses another one: one is made, the other refused, and none leads in a circle', async () => {
    const at = directory();
    await at.import(published(usual));
    await at.system(async (system) => {
      const [s1, s2, s3] = ['s1', 's2', 's3'].map(at.svcId) as [string, string, string];
      const circle = [
        [s1, s2],
        [s2, s1],
        [s2, s3],
        [s3, s1],
      ] as const;
      const outcomes = await Promise.allSettled(
        circle.map(([duplicate, survivor]) =>
          mergeRecords(system, { duplicate, survivor, take: [], asTeam: team }, aCommand()),
        ),
      );
      const made = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(made.length).toBeGreaterThan(0);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(CommandRefused);
      expect(outcomes.slice(0, 2).map(({ status }) => status)).toContain('rejected');
    });
    const states = await Promise.all(['s1', 's2', 's3'].map(at.state));
    expect(states.filter((state) => state?.mergedInto === undefined).length).toBeGreaterThan(0);
    for (const state of states) {
      let [next, steps] = [state, 0];
      for (; next?.mergedInto; steps += 1) {
        const { survivor } = next.mergedInto;
        next = states.find((each) => each?.svc_id === survivor);
        expect(steps).toBeLessThan(3);
      }
    }
  }, 60_000);

  test('is refused into itself, into what is gone, of what is gone, and when somebody changed one of them meanwhile', async () => {
    const at = directory();
    await at.import(published(usual));
    expect((await refused(merge(at, 's1', 's1'))).code).toBe('invalid');
    await at.command('s2', { kind: 'deactivate' });
    expect((await refused(merge(at, 's1', 's2'))).message).toContain('not public');
    expect((await refused(merge(at, 's2', 's1'))).message).toContain('taken out');
    const options = { duplicate: at.svcId('s1'), survivor: at.svcId('s3'), take: [] };
    await refused(at.system((system) => mergeRecords(system, { ...options, seen: '1-2' }, aCommand())));
    await refused(at.system((system) => mergeRecords(system, { ...options, asTeam: 'other' }, aCommand())));
    await merge(at, 's1', 's3');
    for (const kind of ['approve', 'deactivate', 'reactivate'] as const)
      expect((await refused(at.command('s1', { kind }))).message).toContain('undo the merge');
    await refused(at.command('s1', { kind: 'revise', change: { description: 'New.' } }));
    await refused(merge(at, 's4', 's1'));
    await refused(merge(at, 's1', 's4'));
    // Repeated, it is the same merge.
    await merge(at, 's1', 's3');
  }, 60_000);

  test('takes contacts along as they are sealed, and one who is erased is erased in all, and stays out', async () => {
    const at = directory();
    await at.import(published(usual));
    await merge(at, 's2', 's3', ['contacts']);
    const [before, after] = [await at.state('s2'), await at.state('s3')];
    expect(after?.fields.contacts).toEqual(before?.fields.contacts);
    const person = after?.fields.contacts?.[0]?.person ?? '';
    await at.system(async (system) => {
      await system.waitUntilVisible(
        await eraseResourcePerson(system, at.svcId('s3'), { person, asTeam: team }, aCommand()),
      );
    });
    expect((await at.state('s2'))?.people).toMatchObject([{ person, standing: 'erased' }]);
    const { report } = await at.import(
      published({ ...usual, s2: { ...usual['s2'], description: 'Hot showers.' } }),
    );
    expect(report).toMatchObject({ erased_left_out: 1, new: 0 });
    await unmerge(at, 's2');
    expect((await at.import(published({ ...usual, s2: { contact: 'Ada Sample' } }))).report).toMatchObject({
      erased_left_out: 1,
    });
    expect((await at.state('s2'))?.fields.contacts ?? []).toEqual([]);
  }, 60_000);
});

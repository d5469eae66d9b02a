import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openDatapackage } from '../../src/hsds/package.ts';
import type { ReadBefore } from '../../src/hsds/row-digests.ts';
import { readerVersion } from '../../src/imports/source-digests.ts';
import { directory, published, usual } from './county.ts';

describe('a month in which a source has not changed', () => {
  test('makes no record anew and loads no stream, but of what there is something to report about, and reports the same', async () => {
    const at = directory();
    const path = published(usual);
    const first = await at.import(path);
    expect(first.report).toMatchObject({ new: 4, organizations: { new: 2 } });
    expect(first.made).toEqual(['o1', 'o2', 's1', 's2', 's3', 's4']);

    const second = await at.import(path);
    expect(second.report).toMatchObject({ unchanged: 4, organizations: { unchanged: 2 } });
    expect(second.made).toEqual(['s4']);
    expect(second.loaded).toHaveLength(1);
    const { problems, warnings, not_carried, repaired_links, broken_links } = first.report;
    expect(second.report).toMatchObject({ problems, warnings, not_carried, repaired_links, broken_links });
    expect(warnings).toMatchObject([{ reason: expect.stringContaining('email') as string }]);

    const compared = await at.import(path, { dryRun: true });
    expect(compared.made).toEqual(['s4']);
    expect(compared.report).toMatchObject({ unchanged: 4, warnings });
  }, 60_000);

  test('what has changed, wherever in the tables, is read, and nothing else', async () => {
    const at = directory();
    await at.import(published(usual));
    const changed = { ...usual, s1: { ...usual['s1'], phone: '305-555-0199' }, s9: {} };
    const second = await at.import(published(changed));
    // An organization looks where services are offered.
    expect(second.made).toEqual(['o2', 's1', 's4', 's9']);
    expect(second.report).toMatchObject({ new: 1, revised: 1, unchanged: 3 });
    expect((await at.import(published(changed))).made).toEqual(['s4']);
    // As in the first month.
    expect(await at.import(published(usual))).toMatchObject({ report: { revised: 1, missing: 1 } });
    expect((await at.state('s1'))?.fields.phones).toMatchObject([{ number: '305-555-0101' }]);
  }, 60_000);

  test('what a person has changed stays, and what the source changes then is met', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path);
    await at.command('s3', { kind: 'revise', change: { description: 'Warm meals and soup.' } });
    expect((await at.import(path)).made).toEqual(['s4']);
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Warm meals and soup.' } });
    const changed = published({ ...usual, s3: { description: 'Warm meals and stew.' } });
    expect((await at.import(changed)).report).toMatchObject({ conflicts: 1, revised: 0 });
    expect((await at.import(changed)).made).toEqual(['s4']);
    expect(await at.state('s3')).toMatchObject({
      fields: { description: 'Warm meals and soup.' },
      base: { description: 'Warm meals and stew.' },
    });
  }, 60_000);

  test('what was undone is read again, and comes back', async () => {
    const at = directory();
    await at.import(published(usual));
    const changed = published({ ...usual, s3: { description: 'Stew.' } });
    const { report } = await at.import(changed);
    await at.undo(report.import ?? '');
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Warm meals.' } });
    const again = await at.import(changed);
    expect(again.made).toEqual(['s3', 's4']);
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Stew.' } });
  }, 60_000);

  test('what was taken out as missing comes back, and what waits for review is approved when that is chosen', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path, { approve: false });
    expect((await at.import(path, { approve: false })).made).toEqual(['s4']);
    const approving = await at.import(path);
    expect(approving.report).toMatchObject({ approved: 4 });
    const { s3: _, ...rest } = usual;
    await at.import(published(rest), { removeMissing: 'any' });
    expect(await at.state('s3')).toMatchObject({ status: 'inactive' });
    expect((await at.import(path)).report).toMatchObject({ reactivated: 1 });
    expect(await at.state('s3')).toMatchObject({ status: 'approved' });
  }, 60_000);

  test('a contact who was erased stays out, and each report says so', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path);
    await at.eraseContact('s2');
    // The service says what it said, and nothing about the erased contact is looked at.
    await at.import(published({ ...usual, s2: { ...usual['s2'], description: 'Hot showers.' } }));
    const again = await at.import(
      published({ ...usual, s2: { ...usual['s2'], description: 'Hot showers.' } }),
    );
    expect(again.made).toEqual(['s2', 's4']);
    expect(again.report).toMatchObject({ erased_left_out: 1 });
    expect((await at.state('s2'))?.fields.contacts ?? []).toEqual([]);
  }, 60_000);

  test('digests of an older month count for nothing once a record was read from another one', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path);
    const older = await at.digests();
    await at.import(published({ ...usual, s3: { description: 'Stew.' } }));
    await at.forget(await at.digests());
    await at.put(older);
    const third = await at.import(path);
    expect(third.made).toEqual(['s3', 's4']);
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Warm meals.' } });
  }, 60_000);

  test('without digests everything is read, and they are no guess at what they are of', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path);
    const entries = await at.digests();
    expect(JSON.stringify(entries)).not.toMatch(/\b(Ada|s2|county)\b/);
    await at.forget(entries);
    expect((await at.import(path)).made).toHaveLength(6);
    expect((await at.import(path)).made).toEqual(['s4']);
    rmSync(path, { recursive: true });
  }, 60_000);
});

test('a better reader, other choices of columns and another key read everything again', async () => {
  const datapackage = await openDatapackage(published(usual));
  const read = async (before: Omit<ReadBefore, 'digests'>, digests: readonly string[] = []) => {
    const items = [];
    for await (const item of datapackage.records({ ...before, digests: new Set(digests) })) items.push(item);
    return items.filter(({ kind }) => kind !== 'warning');
  };
  const key = randomBytes(32);
  const first = await read({ key, readBy: 'one' });
  const digests = first.flatMap((item) => ('digest' in item ? (item.digest ?? []) : []));
  expect(digests).toHaveLength(5);
  const kinds = async (before: Omit<ReadBefore, 'digests'>) =>
    new Set((await read(before, digests)).map(({ kind }) => kind));
  expect(await kinds({ key, readBy: 'one' })).toEqual(new Set(['unchanged', 'record']));
  expect(await kinds({ key, readBy: 'two' })).toEqual(new Set(['organization', 'record']));
  expect(await kinds({ key: randomBytes(32), readBy: 'one' })).toEqual(new Set(['organization', 'record']));
  datapackage.close();
  expect(readerVersion()).toMatch(/^[\w-]{43}$/);
});

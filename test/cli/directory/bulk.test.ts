import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
const data = join(folder.path, 'data');
const file = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};
const bulk = (...words: readonly string[]) =>
  runCommand(data, 'resources', 'bulk', ...words, '--team', 'harbour');
const failing = (...words: readonly string[]) =>
  runCommandLine(['resources', 'bulk', ...words, '--team', 'harbour'], data);
const shown = async (status: string) =>
  (await runCommand(data, 'resources', 'list', '--team', 'harbour', '--status', status)) as {
    readonly svc_id: string;
  }[];

beforeAll(async () => {
  await runCommand(data, 'teams', 'create', 'harbour', '--name', 'Harbour');
  const services = ['a', 'b', 'c'].map((id) => ({ id, name: `Pantry ${id}`, status: 'active' }));
  await runCommand(
    data,
    'import',
    file('month.json', JSON.stringify(services)),
    '--team',
    'harbour',
    '--source',
    'county',
  );
});
afterAll(() => folder.remove());

describe('decisions about many records by command line', () => {
  test('are made about all that fit a filter or about ids from a file, listed, shown and undone', async () => {
    const approved = (await bulk('approve', '--filter', 'status=submitted')) as { bulk: string };
    expect(approved).toMatchObject({ report: { done: 3, unchanged: 0 } });
    const [first] = await shown('approved');
    const ids = file('ids.txt', `${first?.svc_id ?? ''}\nr_0000000000000000\n`);
    expect(await bulk('take-out', '--ids-from', ids, '--reason', 'Closed')).toMatchObject({
      report: { done: 1, skipped: { missing: 1 }, skipped_records: [{ svc_id: 'r_0000000000000000' }] },
    });
    expect(await shown('inactive')).toHaveLength(1);
    const all = (await bulk('list')) as { bulk: string; decision: string; status: string }[];
    expect(all.map(({ decision }) => decision)).toEqual(['take-out', 'approve']);
    expect(await bulk('undo', all[0]?.bulk ?? '')).toMatchObject({ returned: 1, left: 0 });
    expect(await shown('approved')).toHaveLength(3);
    expect(await runCommand(data, 'resources', 'bulk', 'show', approved.bulk)).toMatchObject({
      decision: 'approve',
      status: 'ended',
    });
    expect(await bulk('kind', '--filter', '', '--category', 'housing')).toMatchObject({
      report: { done: 3 },
    });
  });

  test('are refused without records, with rubbish, and with a filter that means nothing', async () => {
    for (const [words, why] of [
      [['approve'], /--filter or with --ids-from/],
      [['reject', '--filter', 'status=submitted'], /Say why/],
      [['approve', '--filter', 'status=nonsense'], /means nothing/],
      [['approve', '--filter', 'town=Miami'], /means nothing/],
      [['approve', '--ids-from', file('bad.txt', 'hello')], /hello is no id/],
      [['approve', '--ids-from', '/nowhere'], /cannot be read/],
      [['verified', '--filter', 'status=approved'], /on which day/],
      [['undo', crypto.randomUUID()], /no such bulk action/],
    ] as const) {
      const { code, stderr } = await failing(...words);
      expect([code === 0, stderr], words.join(' ')).toEqual([false, expect.stringMatching(why)]);
    }
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandResource, submitResource } from '../../../src/commands/directory/resource.ts';
import { suggestChange } from '../../../src/commands/directory/upkeep/suggestion.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem, type System } from '../../../src/container.ts';
import { context } from '../../api/harness.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
let beside: System;
let svcId: string;
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
  beside = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const fields = { name: 'Corner Pantry', category: 'food', cost: 'Free' } as const;
  const { state } = await submitResource(beside, { team: 'harbour', fields }, context());
  svcId = state?.svc_id ?? '';
  await commandResource(beside, svcId, { kind: 'approve' }, context());
});
afterAll(async () => {
  await beside.close();
  folder.remove();
});

interface Shown {
  readonly suggestion: string;
  readonly status: string;
  readonly changes: readonly { readonly field: string }[];
}

const suggestions = async (...words: readonly string[]) =>
  (await runCommand(folder.path, 'suggestions', ...words)) as Shown[];
const suggest = async (fields: object) =>
  (
    await suggestChange(
      beside,
      { svc_id: svcId, team: 'harbour', by: 'agency', kind: 'change', suggested: { fields, note: 'Ours' } },
      context(),
    )
  ).state?.suggestion ?? '';

test('suggestions are listed, shown, accepted, dismissed and erased by an operator', async () => {
  const first = await suggest({ cost: 'One dollar', url: 'https://pantry.example' });
  const second = await suggest({ cost: 'Two dollars' });
  expect(await suggestions('list', '--status', 'open')).toMatchObject([
    {
      suggestion: first,
      svc_id: svcId,
      by: 'agency',
      note: 'Ours',
      changes: [{ field: 'url' }, { field: 'cost', before: 'Free', suggested: 'One dollar' }],
    },
    { suggestion: second },
  ]);
  expect(await suggestions('accept', first, '--fields', 'cost')).toEqual([
    { suggestion: first, status: 'accepted', taken: ['cost'] },
  ]);
  const outdated = await runCommandLine(['suggestions', 'accept', second], folder.path);
  expect([outdated.code, outdated.stderr]).toEqual([
    1,
    expect.stringContaining('somebody has changed: cost'),
  ]);
  await suggestions('accept', second, '--overwrite');
  expect((await suggestions('list', '--team', 'harbour')).map((each) => each.status)).toEqual([
    'accepted',
    'accepted',
  ]);
  const third = await suggest({ cost: 'Three dollars' });
  await suggestions('dismiss', third);
  await suggestions('erase', third);
  const shown = (await runCommand(folder.path, 'suggestions', 'show', third)) as Shown;
  expect(shown).toMatchObject({ suggestion: third, status: 'dismissed', erased: true, changes: [] });
  expect(shown).not.toHaveProperty('note');
  const none = ['suggestions', 'show', '00000000-0000-4000-8000-000000000000'];
  const missing = await runCommandLine(none, folder.path);
  expect([missing.code, missing.stderr.trim()]).toEqual([1, 'There is no such suggestion.']);
  for (const wrong of [
    ['list', '--status', 'burnt'],
    ['accept', second, '--fields', 'contacts'],
  ])
    expect((await runCommandLine(['suggestions', ...wrong], folder.path)).code).toBe(2);
});

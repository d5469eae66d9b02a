import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandResource, submitResource } from '../../../src/commands/directory/resource.ts';
import { beginClaim, commandClaim, loadClaim } from '../../../src/commands/directory/upkeep/claim.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem, type System } from '../../../src/container.ts';
import { context } from '../../api/harness.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
let beside: System;
let svcId = '';
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
  beside = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const fields = { name: 'Corner Pantry', category: 'food' } as const;
  const { state } = await submitResource(beside, { team: 'harbour', fields }, context());
  svcId = state?.svc_id ?? '';
  await commandResource(beside, svcId, { kind: 'approve' }, context());
});
afterAll(async () => {
  await beside.close();
  folder.remove();
});

async function proven(who: string): Promise<string> {
  const claim = createHash('sha256').update(who).digest('hex');
  const about = { claim, team: 'harbour', subject: svcId, svc_id: svcId, host: 'pantry.example' };
  await beginClaim(beside, { ...about, language: 'en', address: `${who}@pantry.example` }, context());
  const { link = '' } = (await loadClaim(beside.store, claim)) ?? {};
  await commandClaim(beside, claim, { kind: 'prove', link }, context());
  return claim;
}

test('claims are listed, shown, approved, refused and ended by an operator, who never sees an address', async () => {
  const [first, second] = [await proven('ana'), await proven('bo')];
  const listed = await runCommandLine(['claims', 'list', '--status', 'proven'], folder.path);
  for (const text of [first, second, 'pantry.example']) expect(listed.stdout).toContain(text);
  expect(listed.stdout).not.toContain('ana@');
  expect(await runCommand(folder.path, 'claims', 'show', first)).toMatchObject({
    claim: first,
    status: 'proven',
    host: 'pantry.example',
  });
  expect(await runCommand(folder.path, 'claims', 'approve', first)).toEqual([
    { claim: first, status: 'approved' },
  ]);
  expect(await runCommand(folder.path, 'claims', 'refuse', second, '--reason', 'Call us')).toEqual([
    { claim: second, status: 'refused' },
  ]);
  expect((await runCommandLine(['claims', 'approve', second], folder.path)).stderr).toContain('refused');
  expect(await runCommand(folder.path, 'claims', 'end', first)).toEqual([{ claim: first, status: 'ended' }]);
  expect((await runCommandLine(['claims', 'show', 'ab'.repeat(32)], folder.path)).stderr).toContain(
    'There is no such claim.',
  );
});

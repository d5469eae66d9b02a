import { cpSync, copyFileSync, mkdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  agencyContactId,
  askAgencyContact,
  endAgencyContact,
  loadAgencyContact,
} from '../../src/commands/directory/upkeep/agency-contact.ts';
import {
  beginClaim,
  claimIdOf,
  commandClaim,
  endClaim,
  loadClaim,
} from '../../src/commands/directory/upkeep/claim.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { context } from '../api/harness.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
const at = (...names: readonly string[]) => join(folder.path, ...names);
afterAll(() => folder.remove());

const [team, language] = ['harbour', 'en'];

async function inSystem<Result>(dataDir: string, work: (system: System) => Promise<Result>): Promise<Result> {
  const system = await openSystem(readConfig({ DATA_DIR: dataDir }));
  try {
    return await work(system);
  } finally {
    await system.close();
  }
}

/** A public record at a website of its own. */
async function record(system: System, host: string): Promise<string> {
  const fields = { name: `Pantry at ${host}`, category: 'food', url: `https://${host}` } as const;
  const { state } = await submitResource(system, { team, fields }, context());
  await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, context());
  return state?.svc_id ?? '';
}

/** Somebody claims a record, and the team lets them keep it. */
async function keep(system: System, svcId: string, host: string): Promise<string> {
  const address = `ana@${host}`;
  const claim = (await claimIdOf(system.personal, { team, subject: svcId }, address)) ?? '';
  const about = { claim, team, subject: svcId, svc_id: svcId, host, language, address };
  const { state } = await beginClaim(system, about, context());
  await commandClaim(system, claim, { kind: 'prove', link: state?.link ?? '' }, context());
  await commandClaim(system, claim, { kind: 'approve', link: randomUUID() }, context());
  return claim;
}

// It looks into the files of the embedded stores.
test.skipIf(!isEmbedded)(
  'a claim that ended after the backup keeps no record after a restore, one that did not does; and who wanted no mails gets none',
  { timeout: 120_000 },
  async () => {
    await runCommand(at('data'), 'teams', 'create', team, '--name', 'Harbour Network');
    const made = await inSystem(at('data'), async (system) => {
      const ended = await record(system, 'pantry.example');
      const kept = await record(system, 'clinic.example');
      const contact = (await agencyContactId(system.personal, team, 'bo@pantry.example')) ?? '';
      const about = { contact, team, ask: randomUUID(), svc_ids: [ended], language };
      const mailed = { ...about, address: 'bo@pantry.example', mailed_at: new Date().toISOString() };
      await askAgencyContact(system, mailed, context());
      const claim = await keep(system, ended, 'pantry.example');
      return { ended, kept, claim, other: await keep(system, kept, 'clinic.example'), contact };
    });
    copyFileSync(at('data', 'master.key'), at('master.key'));
    expect(await runCommandLine(['backup', at('before')], at('data'))).toMatchObject({ code: 0 });
    await inSystem(at('data'), async (system) => {
      await endClaim(system, made.claim, { kind: 'end', by: 'claimant' }, context());
      await endAgencyContact(system, made.contact, 'stop', context());
    });

    mkdirSync(at('restored'));
    copyFileSync(at('master.key'), at('restored', 'master.key'));
    cpSync(at('data', 'erasures.log'), at('erasures.log'));
    expect(await runCommandLine(['restore', at('before')], at('restored'))).toMatchObject({ code: 0 });
    await inSystem(at('restored'), async ({ store, vault }) => {
      expect((await loadAgencyContact(store, made.contact))?.status).toBe('erased');
      expect(await vault.get(`agency-contact/${made.contact}`)).toBeUndefined();
    });
    const serving = await startServing(at('restored'));
    try {
      const page = async (svcId: string) => (await fetch(`${serving.origin}/r/${svcId}`)).text();
      await until(async () => !(await page(made.ended)).includes('Kept by the agency'));
      expect(await page(made.kept)).toContain('Kept by the agency');
    } finally {
      await serving.stop();
    }
    await inSystem(at('restored'), async ({ store }) => {
      expect(await loadClaim(store, made.claim)).toMatchObject({ status: 'ended', endedBy: 'restore' });
      expect(await loadClaim(store, made.other)).toMatchObject({ status: 'approved' });
    });
  },
);

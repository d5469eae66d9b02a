import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandApiKey, createApiKey } from '../../src/commands/keys.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { apiKeys } from '../../src/projections/keys.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { dropAllButTheVault, dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));
/** A short form; `npm run test:revocations` runs the long one before a release. */
const revocationRounds = Number(process.env['REVOCATION_ROUNDS'] ?? 100);

interface Page {
  readonly data: readonly { readonly svc_id: string; readonly name: string; readonly category: string }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

describe.skipIf(missing)(
  onEngines('a directory, from its import to its readers, over real processes'),
  () => {
    const folder = temporaryFolder();
    let serving: Serving;
    let beside: System;
    let key: string;
    let listed: number;

    beforeAll(async () => {
      serving = await startServing(folder.path, { RATE_LIMIT_PER_MINUTE: '1000000' });
      const report = (await runCommand(folder.path, 'import', example, '--approve')) as { approved: number };
      listed = report.approved;
      key = await newKey();
      beside = await openBeside();
    }, 120_000);
    afterAll(async () => {
      await beside.close();
      await serving.stop();
      await dropDatabase(folder.path);
      folder.remove();
    });

    const openBeside = () =>
      openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    const newKey = async () => {
      const made = await runCommand(
        folder.path,
        'keys',
        'create',
        '--kind',
        'developer',
        '--scopes',
        'resources:read',
      );
      return (made as { key: string }).key;
    };
    const get = (path: string, headers: Record<string, string> = { authorization: `Bearer ${key}` }) =>
      fetch(serving.origin + path, { headers });
    const context = () => ({
      actor: { kind: 'system', id: 'test' } as const,
      commandId: crypto.randomUUID(),
      at: new Date(),
    });

    async function allPages(betweenPages: () => Promise<void> = async () => undefined): Promise<string[]> {
      const seen: string[] = [];
      let cursor = '';
      for (;;) {
        const page = (await (await get(`/dash/api/v1/resources?limit=7${cursor}`)).json()) as Page;
        seen.push(...page.data.map((each) => each.svc_id));
        if (page.next_cursor === null) return seen;
        cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
        await betweenPages();
      }
    }

    async function allByOffset(headers: Record<string, string>, parameter = ''): Promise<string[]> {
      const seen: string[] = [];
      for (let offset = 0; ; offset += 10) {
        const page = (await (
          await get(`/api/resources?limit=10&offset=${offset}${parameter}`, headers)
        ).json()) as Page;
        seen.push(...page.data.map((each) => each.svc_id));
        if (!page.has_more) return seen;
      }
    }

    it('serves every imported resource exactly once, through v1 and through the legacy form by header and by parameter', async () => {
      const pages = await allPages();
      expect(pages).toHaveLength(listed);
      expect(new Set(pages).size).toBe(listed);
      expect(await allByOffset({ 'x-api-key': key })).toEqual(pages);
      expect(await allByOffset({}, `&key=${key}`)).toEqual(pages);
    });

    it('pages through what stays, each exactly once, while another process approves and deactivates', async () => {
      const before = new Set(await allPages());
      const victims = [...before].filter((_, index) => index % 9 === 0);
      const pages = await allPages(async () => {
        const victim = victims.pop();
        if (victim) await commandResource(beside, victim, { kind: 'deactivate' }, context());
        const fields = { name: 'Arrived meanwhile', category: 'other' } as const;
        const { state } = await submitResource(beside, { team: 'commons', fields }, context());
        await commandResource(beside, state?.svc_id ?? '', { kind: 'approve' }, context());
      });
      expect(new Set(pages).size).toBe(pages.length);
      const stayed = [...before].filter((_, index) => index % 9 !== 0);
      expect(stayed.filter((id) => !pages.includes(id))).toEqual([]);
    });

    it(`refuses a key that another process has revoked from the next request on, ${revocationRounds} times`, async () => {
      for (let round = 0; round < revocationRounds; round++) {
        const wish = { kind: 'developer', scopes: ['resources:read'], domains: [] } as const;
        const made = await createApiKey(beside, wish, randomBytes(32), context());
        await visible(beside.documents, [apiKeys.collection.name], made.outcome.position);
        const headers = { authorization: `Bearer ${made.key ?? ''}` };
        expect((await get('/dash/api/v1/resources?limit=1', headers)).status).toBe(200);
        const { position } = await commandApiKey(beside.store, made.keyId, { kind: 'revoke' }, context());
        await visible(beside.documents, [apiKeys.collection.name], position);
        expect((await get('/dash/api/v1/resources?limit=1', headers)).status, `round ${round}`).toBe(401);
        expect((await get('/api/resources?limit=1', { 'x-api-key': made.key ?? '' })).status).toBe(401);
      }
    }, 600_000);

    it('answers the same, to the byte, after its read models were deleted', async () => {
      const hash = async () => {
        const sum = createHash('sha256');
        for (const id of await allPages())
          sum.update(await (await get(`/dash/api/v1/resources/${id}`)).text());
        sum.update(await (await get('/api/resources?limit=500')).text());
        sum.update(await (await get('/dash/api/v1/resources?q=community&limit=100')).text());
        return sum.digest('hex');
      };
      const before = await hash();
      await beside.close();
      expect(await serving.stop()).toBe(0);
      for (const file of ['views.db', 'views.db-wal', 'views.db-shm'])
        rmSync(join(folder.path, file), { force: true });
      await dropAllButTheVault(folder.path);
      serving = await startServing(folder.path, { RATE_LIMIT_PER_MINUTE: '1000000' });
      beside = await openBeside();
      expect(await hash()).toBe(before);
    });
  },
);

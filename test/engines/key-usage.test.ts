import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyUsageCounts } from '../../src/audit/key-usage-counts.ts';
import type { KeyUsage } from '../../src/audit/key-usage.ts';
import { createApiKey } from '../../src/commands/keys.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { runCommandLine } from '../support/command-line.ts';
import { aCommand } from '../support/context.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';

describe.skipIf(missing)(onEngines('what a key was used for', missing), () => {
  const folder = temporaryFolder();
  const now = () => new Date();
  const open = async (): Promise<System> => {
    const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    await system.ready();
    return system;
  };
  const usage = async (keyId: string): Promise<KeyUsage> => {
    const { code, stdout, stderr } = await runCommandLine(['keys', 'usage', keyId, '--json'], folder.path);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as KeyUsage;
  };
  const newKey = async (system: System) => {
    const wish = { kind: 'developer', scopes: ['resources:read'], domains: [] } as const;
    return (await createApiKey(system, wish, randomBytes(32), aCommand({ at: now() }))).keyId;
  };
  let system: System;
  beforeAll(async () => {
    system = await open();
  });
  afterAll(async () => {
    await system.close();
    await dropDatabase(folder.path);
    folder.remove();
  });

  it('is the sum of what nodes counted beside each other, before and after a restart', async () => {
    const [key, quiet] = [await newKey(system), await newKey(system)];
    for (let run = 0; run < 2; run++) {
      const another = await open();
      const nodes = [new KeyUsageCounts(system.side, { now }), new KeyUsageCounts(another.side, { now })];
      for (let round = 0; round < 5; round++) {
        for (const node of nodes) for (let n = 0; n < 20; n++) node.count(key, 'list', 'accepted');
        nodes[1]?.count(key, 'legacy', 'revoked');
        await Promise.all(nodes.map((node) => node.flush()));
      }
      await another.close();
    }
    const { totals, last_used, days } = await usage(key);
    expect(totals).toMatchObject([
      { kind: 'list', outcome: 'accepted', requests: 400 },
      { kind: 'legacy', outcome: 'revoked', requests: 10 },
    ]);
    expect(last_used).toBe(totals[0]?.last_at);
    expect(days.length).toBeGreaterThan(0);
    expect(await usage(quiet)).toMatchObject({ totals: [], last_used: null });
    const listed = await runCommandLine(['keys', 'list', '--legacy', '--json'], folder.path);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ key_id: key, by_programs: 10, by_web_pages: 0 }]);
  });
});

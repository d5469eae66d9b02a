import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vkeyOf } from '../../src/audit/proof-log/format/note.ts';
import { exportFormat } from '../../src/events/audit.ts';
import { fill, metadataAt, openLog, signLog } from '../audit/signed-log.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';

describe.skipIf(missing)(onEngines('audit export and verify', missing), () => {
  const folder = temporaryFolder();
  const out = temporaryFolder();
  let vkey: string;
  const run = (...words: readonly string[]) => runCommandLine(words, folder.path);

  beforeAll(async () => {
    const { system, key } = await openLog(folder, engineSettings(folder.path));
    await system.ready();
    vkey = vkeyOf(key.verifier);
    await fill(system, 700);
    // Others write to the same log: another product, and another installation under a name of ours.
    const metadata = metadataAt('2026-01-01T00:00:00.000Z');
    const stranger = { id: crypto.randomUUID(), type: 'Ordered', data: {}, metadata: {} };
    await system.wholeLog.append('team-of-others', [stranger], 'no_stream');
    const neighbour = {
      id: crypto.randomUUID(),
      type: 'TeamCreated',
      data: { team: 'neighbour', name: 'Neighbour' },
      metadata: { ...metadata, installation: crypto.randomUUID() },
    };
    await system.wholeLog.append('team-neighbour', [neighbour], 'no_stream');
    await fill(system, 100, 3, 'later');
    await signLog(system, key);
    await system.close();
  });
  afterAll(async () => {
    await dropDatabase(folder.path);
    folder.remove();
    out.remove();
  });

  it('verifies the store, without the events of others', async () => {
    const verified = await run('verify', '--json');
    expect(verified).toMatchObject({ code: 0 });
    expect(JSON.parse(verified.stdout)).toMatchObject({
      verified: true,
      events: 801,
      foreign: 2,
      unsigned: 0,
      newest: { size: 801 },
      findings: [],
    });
  });

  it.each(exportFormat.options)(
    'exports as %s what verifies without the store, and with it',
    async (format) => {
      for (const filter of [[], ['--team', 'later-1']]) {
        const at = join(out.path, `${format}-${filter.length}`);
        const made = await run('audit', 'export', '--out', at, '--format', format, ...filter, '--json');
        expect({ code: made.code, stderr: made.code === 0 ? '' : made.stderr }).toEqual({
          code: 0,
          stderr: '',
        });
        expect(JSON.parse(made.stdout)).toMatchObject({
          count: filter.length === 0 ? 801 : 33,
          tree_size: 801,
        });
        expect(made.stdout).not.toContain('neighbour');
        expect(await run('verify', '--export', at, '--vkey', vkey)).toMatchObject({ code: 0 });
        expect(await run('verify', '--export', at, '--full')).toMatchObject({ code: 0 });
      }
    },
  );
});

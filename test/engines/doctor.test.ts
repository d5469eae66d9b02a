import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { runCommandLine } from '../support/command-line.ts';
import { dropDatabase, engineSettings, isEmbedded, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Without TLS a server does not check who asks. */
const credentials = { username: 'admin', password: 'changeit' };

describe.skipIf(isEmbedded || missing !== undefined)(onEngines('the doctor, of a log on a server'), () => {
  const folder = temporaryFolder();
  const settings = engineSettings(folder.path);
  const outer = (stream: string) => `${settings['EVENTSTORE_NAMESPACE']}.${stream}`;
  let raw: EventStoreDBClient;

  beforeAll(async () => {
    raw = EventStoreDBClient.connectionString(settings['EVENTSTORE_URL'] ?? '');
    for (const team of ['harbor', 'meadow', 'quay'])
      await runCommandLine(['teams', 'create', team, '--name', team], folder.path);
  });
  afterAll(async () => {
    await raw.dispose();
    await dropDatabase(folder.path);
    folder.remove();
  });

  async function examined(): Promise<readonly Finding[]> {
    const { stdout } = await runCommandLine(['doctor', '--json'], folder.path);
    return (JSON.parse(stdout) as { readonly findings: readonly Finding[] }).findings;
  }
  const limits = async (): Promise<string[]> =>
    (await examined()).filter(({ check }) => check === 'limits of streams').map(({ sentence }) => sentence);

  it('finds no problem where there is none, and an event of a clock that is ahead', async () => {
    expect((await examined()).filter(({ severity }) => severity === 'problem')).toEqual([]);
    const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...settings }));
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const metadata = { commonweal_schema: 1, at };
    const late = { id: crypto.randomUUID(), type: 'TeamRenamed', data: {}, metadata };
    await system.store.append('team-ahead', [late], 'no_stream');
    await system.close();
    expect((await examined()).filter(({ severity }) => severity === 'problem')).toMatchObject([
      { check: 'clock', severity: 'problem', sentence: expect.stringContaining(at) as string },
    ]);
  });

  it('names the streams whose events the server drops, or has dropped, and no stream of others', async () => {
    const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...settings }));
    const stranger = { id: crypto.randomUUID(), type: 'Ordered', data: {}, metadata: {} };
    await system.wholeLog.append('team-of-others', [stranger], 'no_stream');
    await system.wholeLog.append('orders-1', [{ ...stranger, id: crypto.randomUUID() }], 'no_stream');
    await system.close();
    for (const stream of ['team-of-others', 'orders-1'])
      await raw.setStreamMetadata(outer(stream), { maxCount: 1 }, { credentials });
    expect(await limits()).toEqual([]);

    await raw.setStreamMetadata(outer('team-harbor'), { maxAge: 60 }, { credentials });
    await raw.deleteStream(outer('team-meadow'));
    await raw.tombstoneStream(outer('team-quay'));
    expect(await limits()).toEqual([
      expect.stringMatching(
        /stream team-harbor that drops its events after 60 s \(\$maxAge\)\. Remove the limit/,
      ),
      expect.stringMatching(/stream team-meadow that was deleted\. Run `commonweal verify`/),
      expect.stringMatching(/stream team-quay that was deleted\./),
    ]);

    await raw.setStreamMetadata(outer('team-harbor'), {}, { credentials });
    expect(await limits()).toHaveLength(2);
  });
});

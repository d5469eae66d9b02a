import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { commandApiKey, createApiKey } from '../../src/commands/keys.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { metadataAt } from '../audit/signed-log.ts';
import { runCommandLine } from '../support/command-line.ts';
import { aCommand } from '../support/context.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';

const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 12, n));

interface Said {
  readonly as_of: { readonly position: string; readonly event: { readonly id: string } };
  readonly data: readonly object[];
}

describe.skipIf(missing)(onEngines('as of a time', missing), () => {
  const folder = temporaryFolder();
  const asOf = async (...words: readonly string[]): Promise<Said> => {
    const { code, stdout, stderr } = await runCommandLine(
      ['audit', 'as-of', ...words, '--json'],
      folder.path,
    );
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as Said;
  };
  let key: string;

  beforeAll(async () => {
    const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    await system.ready();
    const { store, wholeLog } = system;
    const team = 'harbour';
    const enable = (...scopes: ('directory:manage' | 'members:read')[]) =>
      ({ kind: 'enable-scopes', team, scopes }) as const;
    await commandTeam(store, { kind: 'create', team, name: 'Harbour' }, aCommand({ at: minute(0) }));
    await commandTeam(store, enable('directory:manage'), aCommand({ at: minute(1) }));
    const scopes = ['resources:read', 'directory:manage'] as const;
    const wish = { kind: 'team', team, scopes, domains: [] } as const;
    const made = await createApiKey(system, wish, new Uint8Array(32), aCommand({ at: minute(2) }));
    key = made.keyId;
    // Others write to the same log, between our times and after them: another installation, and another product.
    const stranger = { id: crypto.randomUUID(), type: 'Ordered', data: {}, metadata: {} };
    await wholeLog.append('team-of-others', [stranger], 'no_stream');
    const theirs = {
      id: crypto.randomUUID(),
      type: 'ApiKeyCreated',
      data: {
        key_id: 'NeighbourKey',
        kind: 'team',
        team,
        scopes,
        domains: [],
        secret_sha256: 'ab'.repeat(32),
      },
      metadata: { ...metadataAt(minute(3).toISOString()), installation: crypto.randomUUID() },
    };
    await wholeLog.append('api-key-NeighbourKey', [theirs], 'no_stream');
    await commandTeam(store, enable('members:read'), aCommand({ at: minute(5) }));
    // The clock of this node is behind.
    await commandApiKey(store, key, { kind: 'revoke' }, aCommand({ at: minute(4) }));
    const late = { ...theirs, id: crypto.randomUUID(), data: { ...theirs.data, key_id: 'LateNeighbour' } };
    await wholeLog.append('api-key-LateNeighbour', [late], 'no_stream');
    await system.close();
  });
  afterAll(async () => {
    await dropDatabase(folder.path);
    folder.remove();
  });

  it('is the state at the last event of ours not after it, whatever others have written', async () => {
    // The first event of the log, which names the installation, has the time of the machine: later than all others.
    for (const scan of [[], ['--scan']]) {
      const before = await asOf('keys', '--team', 'harbour', '--at', minute(3).toISOString(), ...scan);
      expect(before).toMatchObject({
        as_of: { event: { type: 'ApiKeyCreated', stream: `api-key-${key}` }, later_events_included: 1 },
        data: [{ key_id: key, usable_scopes: ['resources:read', 'directory:manage'] }],
      });
      const after = await asOf('keys', '--team', 'harbour', '--at', minute(4).toISOString(), ...scan);
      expect(after).toMatchObject({
        as_of: { event: { type: 'ApiKeyRevoked', stream: `api-key-${key}` }, later_events_included: 2 },
        data: [],
      });
    }
  });

  it('has the same answer by position as by time', async () => {
    const byTime = await asOf('keys', '--team', 'harbour', '--at', minute(3).toISOString());
    const byPosition = await asOf('keys', '--team', 'harbour', '--position', byTime.as_of.position);
    expect(byPosition.data).toEqual(byTime.data);
    expect(byPosition.as_of.event).toEqual(byTime.as_of.event);
  });

  it('has no stream of others', async () => {
    const of = async (stream: string) =>
      runCommandLine(['audit', 'as-of', 'streams', stream, '--at', minute(5).toISOString()], folder.path);
    expect(await of(`api-key-${key}`)).toMatchObject({ code: 0 });
    for (const stream of ['api-key-NeighbourKey', 'team-of-others'])
      expect((await of(stream)).code, stream).toBe(1);
  });
});

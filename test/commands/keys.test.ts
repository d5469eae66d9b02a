import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKey, createApiKey, type NewApiKey } from '../../src/commands/keys.ts';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { withLabel, withLabels, type LabelledKey } from '../../src/commands/keys-label.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import type { ApiKeyEvent } from '../../src/events/keys.ts';
import type { Actor } from '../../src/events/metadata.ts';
import { keyScopes, publicScopes, teamScopes } from '../../src/events/teams.ts';
import { personOf } from '../../src/personal/personal-data.ts';
import { aCommand } from '../support/context.ts';
import { given } from '../support/decider.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

const data: Extract<ApiKeyEvent, { type: 'ApiKeyCreated' }>['data'] = {
  key_id: 'AAAAAAAAAAAA',
  kind: 'developer',
  scopes: ['resources:read'],
  domains: [],
  secret_sha256: '0'.repeat(64),
};
const created: ApiKeyEvent = { type: 'ApiKeyCreated', data };
const restricted: ApiKeyEvent = { type: 'ApiKeyDomainsChanged', data: { domains: ['example.org'] } };
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: {} };

describe('a key', () => {
  it('is created once under its id', () => {
    given(apiKey).when({ kind: 'create', data }).then(created);
    given(apiKey, created).when({ kind: 'create', data }).thenRefused('conflict');
    given(apiKey, created, revoked).when({ kind: 'create', data }).thenRefused('conflict');
  });

  it('is restricted to domains, and to others, and to none', () => {
    given(apiKey, created)
      .when({ kind: 'change-domains', domains: ['example.org'] })
      .then(restricted);
    given(apiKey, created, restricted)
      .when({ kind: 'change-domains', domains: ['*.example.net'] })
      .then({ type: 'ApiKeyDomainsChanged', data: { domains: ['*.example.net'] } });
    given(apiKey, created, restricted)
      .when({ kind: 'change-domains', domains: [] })
      .then({ type: 'ApiKeyDomainsChanged', data: { domains: [] } });
  });

  it('is not restricted again to what it is restricted to', () => {
    given(apiKey, created).when({ kind: 'change-domains', domains: [] }).thenNothing();
    given(apiKey, created, restricted)
      .when({ kind: 'change-domains', domains: ['example.org'] })
      .thenNothing();
    given(apiKey, created, restricted)
      .when({ kind: 'change-domains', domains: ['Example.ORG'] })
      .thenNothing();
  });

  it('is revoked for good, once', () => {
    given(apiKey, created).when({ kind: 'revoke' }).then(revoked);
    given(apiKey, created)
      .when({ kind: 'revoke', reason: 'Leaked.' })
      .then({ type: 'ApiKeyRevoked', data: { reason: 'Leaked.' } });
    given(apiKey, created, revoked).when({ kind: 'revoke', reason: 'Leaked.' }).thenNothing();
  });

  it('that is revoked cannot be restricted', () => {
    given(apiKey, created, revoked)
      .when({ kind: 'change-domains', domains: ['example.org'] })
      .thenRefused('conflict');
    given(apiKey, created, revoked).when({ kind: 'change-domains', domains: [] }).thenRefused('conflict');
  });

  const at = new Date('2026-06-01T12:00:00Z');
  const roll = { kind: 'roll', at, by: 'BBBBBBBBBBBB' } as const;
  const rolled: ApiKeyEvent = { type: 'ApiKeyRolled', data: { replaced_by: 'BBBBBBBBBBBB' } };
  const ending: ApiKeyEvent = {
    type: 'ApiKeyCreated',
    data: { ...data, expires_at: '2026-06-08T00:00:00.000Z' },
  };

  it('is rolled once, and ends when it was going to or earlier', () => {
    given(apiKey, created).when(roll).then(rolled);
    const end = (expires_at: string) => ({ ...roll, expires_at });
    given(apiKey, created)
      .when(end('2026-06-02T00:00:00.000Z'))
      .then({
        type: 'ApiKeyRolled',
        data: { replaced_by: 'BBBBBBBBBBBB', expires_at: '2026-06-02T00:00:00.000Z' },
      });
    given(apiKey, ending).when(end('2026-07-01T00:00:00.000Z')).then(rolled);
    given(apiKey, created, rolled)
      .when({ ...roll, by: 'CCCCCCCCCCCC' })
      .thenRefused('conflict');
    given(apiKey, created, rolled).when({ kind: 'revoke' }).then(revoked);
  });

  it('is rolled again when the key that was to take its place is not valid', () => {
    given(apiKey, created, rolled)
      .when({ ...roll, by: 'CCCCCCCCCCCC', insteadOf: 'BBBBBBBBBBBB' })
      .then({ type: 'ApiKeyRolled', data: { replaced_by: 'CCCCCCCCCCCC' } });
  });

  it('that is revoked or has expired is not rolled, nor to an end that is over or in 1,000 years', () => {
    given(apiKey, created, revoked).when(roll).thenRefused('conflict');
    given(apiKey, ending)
      .when({ ...roll, at: new Date('2026-06-08T00:00:00Z') })
      .thenRefused('conflict');
    given(apiKey).when(roll).thenRefused('not_found');
    for (const expires_at of [
      '2026-06-01T12:00:00.000Z',
      '2020-01-01T00:00:00.000Z',
      '3026-01-01T00:00:00.000Z',
    ])
      given(apiKey, created)
        .when({ ...roll, expires_at })
        .thenRefused('invalid');
  });

  it('that does not exist can be neither restricted nor revoked', () => {
    given(apiKey).when({ kind: 'change-domains', domains: [] }).thenRefused('not_found');
    given(apiKey).when({ kind: 'revoke' }).thenRefused('not_found');
  });
});

describe('the scopes of a new key', () => {
  let folder: DataFolder;
  let stores: Stores;

  beforeEach(async () => {
    folder = dataFolder();
    stores = folder.open();
    await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand());
  });
  afterEach(() => folder.dispose());

  const create = (key: Omit<NewApiKey, 'domains'>, context = aCommand()) =>
    createApiKey(stores, { domains: [], ...key }, crypto.getRandomValues(new Uint8Array(32)), context);
  const enable = (...scopes: (typeof teamScopes)[number][]) =>
    commandTeam(stores.store, { kind: 'enable-scopes', team: 'harbour', scopes }, aCommand());

  it('are public ones for a developer', async () => {
    await create({ kind: 'developer', scopes: publicScopes });
    for (const scope of teamScopes) {
      await expect(
        create({ kind: 'developer', scopes: ['resources:read', scope] }),
        scope,
      ).rejects.toMatchObject({
        code: 'invalid',
        message: `A developer key cannot hold ${scope}; public scopes only.`,
      });
    }
  });

  it('do not matter to a key that would be over, or that would end in 1,000 years', async () => {
    for (const expires_at of ['2020-01-01T00:00:00.000Z', '3026-01-01T00:00:00.000Z'])
      await expect(
        create({ kind: 'developer', scopes: publicScopes, expires_at }),
        expires_at,
      ).rejects.toMatchObject({
        code: 'invalid',
        message: 'A key expires later than now, and within 10 years.',
      });
  });

  it('are public ones for a team until others are enabled', async () => {
    await create({ kind: 'team', team: 'harbour', scopes: publicScopes });
    for (const scope of teamScopes) {
      await expect(create({ kind: 'team', team: 'harbour', scopes: [scope] }), scope).rejects.toMatchObject({
        code: 'invalid',
      });
    }
    await enable('directory:manage');
    await create({ kind: 'team', team: 'harbour', scopes: ['resources:read', 'directory:manage'] });
    await expect(create({ kind: 'team', team: 'harbour', scopes: ['audit:read'] })).rejects.toMatchObject({
      code: 'invalid',
    });
    await enable(...teamScopes);
    await create({ kind: 'team', team: 'harbour', scopes: keyScopes });
    await enable();
    await expect(
      create({ kind: 'team', team: 'harbour', scopes: ['directory:manage'] }),
    ).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('are audit:read, and no other, for a key of the installation', async () => {
    const { outcome } = await create({ kind: 'installation', scopes: ['audit:read'] });
    expect(outcome.events).toMatchObject([{ data: { kind: 'installation', scopes: ['audit:read'] } }]);
    expect(outcome.events[0]?.data).not.toHaveProperty('team');
    for (const scope of keyScopes.filter((each) => each !== 'audit:read')) {
      await expect(
        create({ kind: 'installation', scopes: ['audit:read', scope] }),
        scope,
      ).rejects.toMatchObject({
        code: 'invalid',
        message: `An installation key cannot hold ${scope}; audit:read only.`,
      });
    }
    await enable(...teamScopes);
    await expect(
      create({ kind: 'installation', team: 'harbour', scopes: ['audit:read'] }),
    ).rejects.toMatchObject({ code: 'invalid', message: 'An installation key belongs to no team.' });
  });

  it('need a team that exists for a team key, and none for a developer’s', async () => {
    const scopes = ['resources:read'] as const;
    await expect(create({ kind: 'team', scopes })).rejects.toMatchObject({ code: 'invalid' });
    await expect(create({ kind: 'team', team: 'nowhere', scopes })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(create({ kind: 'developer', team: 'harbour', scopes })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('are at least one, and each once', async () => {
    await expect(create({ kind: 'developer', scopes: [] })).rejects.toMatchObject({ name: 'InvalidEvent' });
    const { outcome } = await create({ kind: 'developer', scopes: ['resources:read', 'resources:read'] });
    expect(outcome.events).toMatchObject([{ data: { scopes: ['resources:read'] } }]);
  });

  it('leave no trace when refused', async () => {
    const before = await stores.store.head();
    await expect(create({ kind: 'developer', scopes: ['audit:read'] })).rejects.toThrow();
    await expect(create({ kind: 'team', team: 'nowhere', scopes: ['audit:read'] })).rejects.toThrow();
    expect(await stores.store.head()).toBe(before);
  });

  it('are not judged again when the command is repeated after they were taken from the team', async () => {
    await enable('audit:read');
    const context = aCommand();
    const first = await create({ kind: 'team', team: 'harbour', scopes: ['audit:read'] }, context);
    await enable();
    const again = await create({ kind: 'team', team: 'harbour', scopes: ['audit:read'] }, context);
    expect(again.keyId).toBe(first.keyId);
    expect(again.key).toBeUndefined();
    expect(again.outcome.events).toEqual(first.outcome.events);
  });
});

describe('the domains of a new key', () => {
  it('are lower case, and each once', async () => {
    const folder = dataFolder();
    const stores = folder.open();
    const domains = ['Example.org', 'example.ORG', '*.example.net'];
    const key: NewApiKey = { kind: 'developer', scopes: ['resources:read'], domains };
    const { outcome } = await createApiKey(stores, key, new Uint8Array(32), aCommand());
    expect(outcome.state?.domains).toEqual(['example.org', '*.example.net']);
    await folder.dispose();
  });
});

describe('the label of a key', () => {
  it('is sealed for the person who made it, or for whom it was made, and goes with them', async () => {
    const folder = dataFolder();
    const stores = folder.open();
    const { userId: ada } = await registerPerson(
      stores,
      { email: 'ada@example.org', profile: { name: 'Ada' } },
      aCommand(),
    );
    const key: NewApiKey = {
      kind: 'developer',
      label: 'Ada’s laptop',
      scopes: ['resources:read'],
      domains: [],
    };
    const documentOf = async (actor: Actor) => {
      const { keyId } = await createApiKey(stores, key, new Uint8Array(32), aCommand({ actor }));
      const events = await stores.store.readStream(`api-key-${keyId}`);
      expect(events).toHaveLength(1);
      return { ...(events[0]?.data as LabelledKey), created_by: actor.on_behalf_of ?? actor.id };
    };
    const hers = [
      await documentOf({ kind: 'user', id: ada }),
      await documentOf({ kind: 'system', id: 'cli', on_behalf_of: ada }),
    ];
    for (const each of hers) {
      expect(JSON.stringify(each)).not.toContain('laptop');
      expect(await withLabel(stores.personal, each)).toMatchObject({ label: 'Ada’s laptop' });
    }
    expect(await documentOf({ kind: 'system', id: 'cli' })).toMatchObject({ label: 'Ada’s laptop' });

    await stores.personal.erase(personOf(ada));
    expect((await withLabels(stores.personal, hers)).map(({ label }) => label)).toEqual([
      undefined,
      undefined,
    ]);
    await expect(documentOf({ kind: 'user', id: ada })).rejects.toMatchObject({ code: 'not_found' });
    await folder.dispose();
  });
});

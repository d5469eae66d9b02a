import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  client,
  changeClient,
  loadClient,
  registerClient,
  type ClientCommand,
} from '../../../src/commands/oauth/client.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import type { ClientEvent } from '../../../src/events/oauth/client.ts';
import { firstPartyScopes, signInScopes } from '../../../src/events/oauth/values.ts';
import { aCommand } from '../../support/context.ts';
import { given } from '../../support/decider.ts';
import { aClient, redirectUri } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

const snapshot = aClient();
const registered: ClientEvent = { type: 'ClientRegistered', data: snapshot };
const deactivated: ClientEvent = { type: 'ClientDeactivated', data: { ...snapshot, status: 'inactive' } };
const own: ClientEvent = { type: 'ClientFirstPartySet', data: { ...snapshot, first_party: true } };

const every: readonly ClientCommand[] = [
  { kind: 'change-details', name: 'Harbour Times' },
  { kind: 'change-redirect-uris', uris: ['https://other.example/'] },
  { kind: 'change-post-logout-uris', uris: ['https://other.example/bye'] },
  { kind: 'change-scopes', scopes: ['openid'] },
  { kind: 'set-first-party', firstParty: true },
  { kind: 'verify-domain', host: 'news.example', by: 'file', at: new Date(0) },
  { kind: 'lapse-domain', host: 'news.example', reason: 'It is gone.' },
  { kind: 'deactivate' },
  { kind: 'reactivate' },
];

describe('a client', () => {
  it('is registered once', () => {
    given(client).when({ kind: 'register', snapshot }).then(registered);
    given(client, registered).when({ kind: 'register', snapshot }).thenRefused('conflict');
  });

  it('that does not exist can be asked nothing', () => {
    for (const command of every) given(client).when(command).thenRefused('not_found');
  });

  it('is not named so that it looks like another; one from before that rule can still be changed otherwise', () => {
    const name = 'Harbour \u202Eswen';
    const old: ClientEvent = { type: 'ClientRegistered', data: { ...snapshot, name } };
    given(client)
      .when({ kind: 'register', snapshot: { ...snapshot, name } })
      .thenRefused('invalid');
    given(client, registered).when({ kind: 'change-details', name }).thenRefused('invalid');
    given(client, old)
      .when({ kind: 'change-details', logoUri: 'https://site.example/logo.svg' })
      .then({
        type: 'ClientDetailsChanged',
        data: { ...snapshot, name, logo_uri: 'https://site.example/logo.svg' },
      });
    given(client, old)
      .when({ kind: 'deactivate' })
      .then({ type: 'ClientDeactivated', data: { ...snapshot, name, status: 'inactive' } });
    given(client, old)
      .when({ kind: 'change-details', name: snapshot.name })
      .then({ type: 'ClientDetailsChanged', data: snapshot });
  });

  it('gets another name and logo, and loses the logo again', () => {
    const logo_uri = 'https://site.example/logo.svg';
    given(client, registered)
      .when({ kind: 'change-details', name: 'Harbour Times', logoUri: logo_uri })
      .then({ type: 'ClientDetailsChanged', data: { ...snapshot, name: 'Harbour Times', logo_uri } });
    given(client, { type: 'ClientDetailsChanged', data: { ...snapshot, logo_uri } })
      .when({ kind: 'change-details', logoUri: null })
      .then({ type: 'ClientDetailsChanged', data: snapshot });
    given(client, registered).when({ kind: 'change-details', name: snapshot.name }).thenNothing();
    for (const bad of [
      'http://site.example/logo.svg',
      'javascript:x',
      'data:x',
      'https://a.example/"onload=',
    ]) {
      given(client, registered).when({ kind: 'change-details', logoUri: bad }).thenRefused('invalid');
    }
  });

  it('gets other redirect URIs, each once, one at least, and only such as may be', () => {
    const redirect_uris = ['https://a.example/', 'http://localhost:3000/'];
    given(client, registered)
      .when({ kind: 'change-redirect-uris', uris: [...redirect_uris, 'https://a.example/'] })
      .then({ type: 'ClientRedirectUrisChanged', data: { ...snapshot, redirect_uris } });
    given(client, registered)
      .when({ kind: 'change-redirect-uris', uris: [redirectUri] })
      .thenNothing();
    for (const uris of [[], ['http://a.example/'], [redirectUri, 'https://a.example/#x']]) {
      given(client, registered).when({ kind: 'change-redirect-uris', uris }).thenRefused('invalid');
    }
  });

  it('gets URIs for after signing out, and loses them', () => {
    const changed: ClientEvent = {
      type: 'ClientPostLogoutUrisChanged',
      data: { ...snapshot, post_logout_redirect_uris: ['https://a.example/bye'] },
    };
    given(client, registered)
      .when({ kind: 'change-post-logout-uris', uris: ['https://a.example/bye'] })
      .then(changed);
    given(client, registered, changed)
      .when({ kind: 'change-post-logout-uris', uris: [] })
      .then({ type: 'ClientPostLogoutUrisChanged', data: snapshot });
    given(client, registered)
      .when({ kind: 'change-post-logout-uris', uris: ['http://a.example/'] })
      .thenRefused('invalid');
  });

  it('may have the open scopes, and the reserved ones only as our own (interface 2.6)', () => {
    given(client, registered)
      .when({ kind: 'change-scopes', scopes: ['email', 'offline_access', 'openid'] })
      .then({
        type: 'ClientScopesChanged',
        data: { ...snapshot, scopes: ['openid', 'email', 'offline_access'] },
      });
    for (const scope of firstPartyScopes) {
      const command: ClientCommand = { kind: 'change-scopes', scopes: ['openid', scope] };
      given(client, registered).when(command).thenRefused('invalid');
      given(client, registered, own)
        .when(command)
        .then({
          type: 'ClientScopesChanged',
          data: { ...snapshot, first_party: true, scopes: ['openid', scope] },
        });
    }
    given(client, registered)
      .when({ kind: 'change-scopes', scopes: ['email'] })
      .thenRefused('invalid');
  });

  it('loses the reserved scopes when it is our own no more', () => {
    given(client, registered).when({ kind: 'set-first-party', firstParty: true }).then(own);
    given(client, registered, own).when({ kind: 'set-first-party', firstParty: true }).thenNothing();
    const all: ClientEvent = {
      type: 'ClientScopesChanged',
      data: { ...snapshot, first_party: true, scopes: [...signInScopes] },
    };
    given(client, registered, own, all)
      .when({ kind: 'set-first-party', firstParty: false })
      .then({
        type: 'ClientFirstPartySet',
        data: { ...snapshot, scopes: ['openid', 'profile', 'email', 'offline_access'] },
      });
  });

  it('is deactivated and reactivated, each once', () => {
    given(client, registered).when({ kind: 'deactivate' }).then(deactivated);
    given(client, registered, deactivated).when({ kind: 'deactivate' }).thenNothing();
    const again: ClientEvent = { type: 'ClientReactivated', data: { ...snapshot, activation: 1 } };
    given(client, registered, deactivated).when({ kind: 'reactivate' }).then(again);
    given(client, registered).when({ kind: 'reactivate' }).thenNothing();
    given(client, registered, deactivated, again)
      .when({ kind: 'deactivate' })
      .then({ type: 'ClientDeactivated', data: { ...snapshot, activation: 1, status: 'inactive' } });
    given(client, { type: 'ClientDeactivated', data: { ...snapshot, activation: 1, status: 'inactive' } })
      .when({ kind: 'reactivate' })
      .then({ type: 'ClientReactivated', data: { ...snapshot, activation: 2 } });
  });
});

describe('registering a site', () => {
  let folder: DataFolder;
  let stores: Stores;
  beforeEach(async () => {
    folder = dataFolder();
    stores = folder.open();
    await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand());
  });
  afterEach(() => folder.dispose());

  const site = { team: 'harbour', name: 'Harbour News', redirectUris: [redirectUri] };

  it('gives it a client_id with the prefix of interface 2.4, the same for the same command', async () => {
    const context = aCommand();
    const { clientId } = await registerClient(stores.store, site, context);
    expect(clientId).toMatch(/^site_[0-9A-Za-z]{20}$/);
    const again = await registerClient(stores.store, site, context);
    expect(again).toMatchObject({ clientId, outcome: { repeated: true } });
    expect((await registerClient(stores.store, site, aCommand())).clientId).not.toBe(clientId);
    expect(await loadClient(stores.store, clientId)).toEqual(aClient({ client: clientId }));
  });

  it('needs a team, a name, a redirect URI, and no reserved scope', async () => {
    const refused = (change: Partial<Parameters<typeof registerClient>[1]>) =>
      expect(registerClient(stores.store, { ...site, ...change }, aCommand())).rejects;
    await refused({ team: 'nowhere' }).toMatchObject({ code: 'not_found' });
    await refused({ name: ' ' }).toMatchObject({ code: 'invalid' });
    await refused({ redirectUris: [] }).toMatchObject({ code: 'invalid' });
    await refused({ scopes: ['openid', 'phone'] }).toMatchObject({ code: 'invalid' });
  });

  it('lets several things be changed as one, each on what the one before leaves, or nothing', async () => {
    const { clientId } = await registerClient(stores.store, site, aCommand());
    const before = await loadClient(stores.store, clientId);
    const rename = { kind: 'change-details', name: 'Harbour Times' } as const;
    const phone = { kind: 'change-scopes', scopes: ['openid', 'phone'] } as const;
    await expect(changeClient(stores.store, clientId, [rename, phone], aCommand())).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(await loadClient(stores.store, clientId)).toEqual(before);

    const own = { kind: 'set-first-party', firstParty: true } as const;
    const { events, state } = await changeClient(stores.store, clientId, [own, rename, phone], aCommand());
    expect(events.map(({ type }) => type)).toEqual([
      'ClientFirstPartySet',
      'ClientDetailsChanged',
      'ClientScopesChanged',
    ]);
    expect(state).toMatchObject({ name: 'Harbour Times', first_party: true, scopes: ['openid', 'phone'] });
    expect(await loadClient(stores.store, clientId)).toEqual(state);
    const again = await changeClient(stores.store, clientId, [own, rename, phone], aCommand());
    expect(again.events).toEqual([]);
  });

  it('lets it be changed, and says nothing of one that is not there', async () => {
    const { clientId } = await registerClient(stores.store, site, aCommand());
    await changeClient(stores.store, clientId, [{ kind: 'deactivate' }], aCommand());
    expect((await loadClient(stores.store, clientId))?.status).toBe('inactive');
    expect(await loadClient(stores.store, 'site_nobody00')).toBeUndefined();
  });
});

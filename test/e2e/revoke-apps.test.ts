import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerClient } from '../../src/commands/client.ts';
import { grantConsent } from '../../src/commands/consent.ts';
import { registerPerson } from '../../src/commands/person.ts';
import { startSession } from '../../src/commands/session.ts';
import { commandTeam } from '../../src/commands/team.ts';
import { issueCode } from '../../src/commands/tokens.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { projections } from '../../src/projections/all.ts';
import { nameOf } from '../../src/projections/define.ts';
import { visible } from '../../src/projections/views.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing, type Serving } from '../support/serving.ts';
import { challengeOf, formOf, redirectUri, verifier, type TokenBody } from '../api/oauth/harness.ts';

/** REVOKE_ROUNDS=1000 takes some minutes. */
const rounds = Number(process.env['REVOKE_ROUNDS'] ?? 5);
const scopes = ['openid', 'profile', 'email'] as const;

const context = () => ({
  actor: { kind: 'system', id: 'test' } as const,
  commandId: crypto.randomUUID(),
  at: new Date(),
});

describe('Revoke at /dash/me/apps, with two processes on one data folder (interface 3)', () => {
  const folder = temporaryFolder();
  let one: Serving;
  let other: Serving;
  let beside: System;
  let user: string;
  let client: string;
  let cookie: string;

  beforeAll(async () => {
    [one, other] = [await startServing(folder.path), await startServing(folder.path)];
    beside = openSystem(readConfig({ DATA_DIR: folder.path }));
    const { store, vault, personal } = beside;
    await commandTeam(store, { kind: 'create', team: 'harbour', name: 'Harbour' }, context());
    const site = { team: 'harbour', name: 'Harbour News', redirectUris: [redirectUri] };
    client = (await registerClient(store, site, context())).clientId;
    const details = { email: 'ada@example.org', profile: { name: 'Ada Lovelace' } };
    user = (await registerPerson({ store, vault, personal }, details, context())).userId;
    const session = await startSession(store, { user, amr: ['pwd'] }, randomBytes(32), context());
    cookie = `commonweal=${session.token}`;
    await caughtUp();
  }, 60_000);
  afterAll(async () => {
    await beside.close();
    await Promise.all([one.stop(), other.stop()]);
    folder.remove();
  });

  const caughtUp = async () => visible(beside.documents, projections.map(nameOf), await beside.store.head());

  const post = (serving: Serving, path: string, fields: Record<string, string>, headers = {}) =>
    fetch(serving.origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: formOf(fields),
    });
  const userinfo = (serving: Serving, { access_token }: TokenBody) =>
    fetch(`${serving.origin}/oauth/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
  const refresh = (serving: Serving, { refresh_token }: TokenBody) =>
    post(serving, '/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id: client });

  /** Consent, a code, and tokens of the process given. */
  async function tokens(serving: Serving): Promise<TokenBody> {
    const { store, personal, tokenKeys, config } = beside;
    await grantConsent(store, { user, client }, scopes, context());
    const wish = { user, client, scopes, redirectUri, codeChallenge: challengeOf(verifier) };
    const { code } = await issueCode(
      { store, personal, tokenKeys, lifetimes: config.lifetimes },
      { ...wish, authTime: Math.floor(Date.now() / 1_000), amr: ['pwd'] },
      context(),
    );
    const answer = await post(serving, '/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: client,
      code_verifier: verifier,
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as TokenBody;
  }

  /** Presses the button of the page. */
  async function revoke(serving: Serving): Promise<void> {
    const page = await (await fetch(`${serving.origin}/dash/me/apps`, { headers: { cookie } })).text();
    const token = /name="token"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? '';
    const action = /<form[^>]*action="([^"]*revoke[^"]*)"/.exec(page)?.[1] ?? '';
    const answer = await post(serving, action, { token, client }, { cookie });
    expect(answer.status).toBe(303);
  }

  it(
    `refuses access and refresh token from the next request on, at both, ${rounds} times; one event did it`,
    { timeout: 60_000 + rounds * 2_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const [here, there] = round % 2 === 0 ? [one, other] : [other, one];
        const held = await tokens(here);
        await caughtUp();
        expect((await userinfo(there, held)).status, 'good before').toBe(200);
        const head = await beside.store.head();
        await revoke(here);
        const answers = await Promise.all([
          userinfo(there, held),
          userinfo(here, held),
          refresh(there, held),
          refresh(here, held),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([401, 401, 400, 400]);
        expect(await answers[2].json()).toMatchObject({ error: 'invalid_grant' });
        const { events } = await beside.store.readAll({ after: head, limit: 100 });
        expect(events.map(({ type }) => type)).toEqual(['ConsentRevoked']);
      }
    },
  );
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey } from '../../../src/events/keys-format.ts';
import { projections } from '../../../src/projections/all.ts';
import { nameOf } from '../../../src/projections/engine/read-model.ts';
import {
  challengeOf,
  issuer,
  redirectUri,
  startProvider,
  verifier,
  type Provider,
} from '../oauth/harness.ts';
import { legacy, v1 } from '../harness.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
  await provider.team('harbour-news', ['directory:manage']);
  await provider.resources(2);
});
afterAll(() => provider.stop());

const signInRequest = () =>
  new URLSearchParams({
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    prompt: 'none',
    state: 'a-state',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  }).toString();

/** As a stranger sends it: well formed, and nobody's. */
const strangersKey = newKey('developer', 'AAAAAAAAAAAA', Buffer.alloc(32, 7));

test('whoever has a valid key, token or session is told to come back while the read models are lost, and is no guesser', async () => {
  const { access_token } = await provider.tokens();
  const developer = await provider.key();
  const ofTeam = await provider.key({
    kind: 'team',
    team: 'harbour-news',
    scopes: ['resources:read', 'directory:manage'],
  });
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const requests = [
    { url: v1, headers: developer.bearer },
    { url: v1, headers: ofTeam.bearer },
    { url: '/hsds/services', headers: developer.bearer },
    { url: legacy, headers: { 'x-api-key': developer.key } },
    { url: '/oauth/userinfo', headers: bearer(access_token) },
    { url: '/dash', headers: { cookie: provider.browser.cookie } },
    { url: `/oauth/authorize?${signInRequest()}`, headers: { cookie: provider.browser.cookie } },
  ];
  // A server of its own for each, so that each finds the loss by itself.
  const doors = await Promise.all(
    requests.map(async (request) => {
      const server = await provider.another({ environment: { AUTH_URL: issuer } });
      return async () => {
        const { statusCode, headers } = await server.inject({ ...request, remoteAddress: '192.0.2.77' });
        const { location } = headers;
        // A site hears by the redirection how its request went.
        return location === undefined ? statusCode : new URL(location).searchParams.get('error');
      };
    }),
  );
  const ask = () => Promise.all(doors.map((door) => door()));
  const before = await ask();
  expect(before).toEqual([200, 200, 200, 200, 200, 200, null]);
  await provider.withoutProjector(async () => {
    for (const name of projections.map(nameOf)) await provider.system.documents.remove(name);
    expect(await ask()).toEqual([503, 503, 503, 503, 503, 503, 'temporarily_unavailable']);
    // More than the attempts after which a network is paused.
    for (let n = 0; n < 25; n += 1) expect(await doors[0]?.()).toBe(503);
  });
  await provider.caughtUp();
  expect(await ask()).toEqual(before);
  const guess = { url: v1, headers: bearer(strangersKey), remoteAddress: '192.0.2.77' };
  expect((await provider.server.inject(guess)).statusCode).toBe(401);
});

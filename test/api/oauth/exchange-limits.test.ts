import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { landed, startProvider, type Provider, type TokenBody } from './harness.ts';

const codesPerHour = 5;
const refreshesPerHour = 60;
const racers = 50;

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider({
    environment: { CODES_PER_HOUR: `${codesPerHour}`, REFRESHES_PER_HOUR: `${refreshesPerHour}` },
  });
});
afterAll(() => provider.stop());

const head = () => provider.system.store.head();

describe('codes', () => {
  test('of one person at one site end in temporarily_unavailable, and refusals append nothing', async () => {
    const person = await provider.newPerson();
    const browser = await person.signIn();
    const at = async (client: string, silent = true) =>
      landed(
        await provider.authorize({ client_id: client, ...(silent ? { prompt: 'none' } : {}) }, { browser }),
      );
    const [site, another] = [await provider.client(), await provider.client()];
    for (const client of [site, another])
      await provider.consent(['openid', 'profile', 'email'], { user: person.user, client });
    for (let n = 0; n < codesPerHour; n++) expect((await at(site)).get('code')).toMatch(/^sac_/);
    const before = await head();
    for (const silent of [true, false]) {
      const refused = await at(site, silent);
      expect(Object.fromEntries(refused)).toEqual({
        error: 'temporarily_unavailable',
        error_description: expect.stringMatching(/too often; wait \d+ seconds/) as string,
        state: 'af0ifjsldkj',
        iss: 'https://id.example',
      });
    }
    expect(await head()).toBe(before);
    expect((await at(another)).get('code')).toMatch(/^sac_/);
    expect(await provider.code()).toMatch(/^sac_/);
  });
});

describe('refreshes', () => {
  test('of one grant end in 429, where those who race count once, and the tokens stay good', async () => {
    let tokens = await provider.tokens();
    const held = tokens.refresh_token;
    const raced = await Promise.all(Array.from({ length: racers }, () => provider.refresh(held)));
    for (const answer of raced) expect(answer.statusCode).toBe(200);
    tokens = (raced[0] as (typeof raced)[0]).json<TokenBody>();
    let previous = held;
    for (let n = 1; n < refreshesPerHour; n++) {
      const answer = await provider.refresh(tokens.refresh_token);
      expect(answer.statusCode, `${n} ${answer.body}`).toBe(200);
      previous = tokens.refresh_token;
      tokens = answer.json<TokenBody>();
    }
    const before = await head();
    const refused = await provider.refresh(tokens.refresh_token);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    expect(refused.headers['cache-control']).toBe('no-store');
    // A lost answer can still be asked for again, and nothing is revoked.
    expect((await provider.refresh(previous)).json<TokenBody>().refresh_token).toBe(tokens.refresh_token);
    expect((await provider.userinfo(tokens.access_token)).statusCode).toBe(200);
    expect(await head()).toBe(before);
    const other = await provider.tokens();
    expect((await provider.refresh(other.refresh_token)).statusCode).toBe(200);
  });

  test('of all grants of one person at a site are limited too', async () => {
    const few = await startProvider({ environment: { REFRESHES_PER_HOUR: '2' } });
    const refreshed = async (client_id: string) => {
      let { refresh_token } = await few.tokens({ client_id });
      for (let n = 0; n < 2; n++) {
        const answer = await few.refresh(refresh_token, { client_id });
        if (answer.statusCode !== 200) return answer.statusCode;
        ({ refresh_token } = answer.json<TokenBody>());
      }
      return 200;
    };
    for (let grant = 0; grant < 4; grant++) expect(await refreshed(few.clientId)).toBe(200);
    expect(await refreshed(few.clientId)).toBe(429);
    const another = await few.client();
    await few.consent(['openid', 'profile', 'email'], { client: another });
    expect(await refreshed(another)).toBe(200);
    await few.stop();
  });
});

import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redacted } from '../../../src/api/http/redact.ts';
import { formOf, landed, startProvider, verifier, type Provider } from './harness.ts';

let provider: Provider;
let log = '';
beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  provider = await startProvider({ logger: { level: 'trace', stream } });
});
afterAll(() => provider.stop());

test('no line of the log holds a code, token, verifier, state, hint or address, at the chattiest level', async () => {
  const answer = await provider.authorize({ state: 'the-state', login_hint: 'ada@example.org' });
  const code = landed(answer).get('code') ?? '';
  const { access_token, refresh_token, id_token } = (await provider.exchange(code)).json<
    Record<string, string>
  >();
  const query = formOf({
    code,
    access_token,
    refresh_token,
    id_token_hint: id_token,
    code_verifier: verifier,
  });
  for (const path of [
    '/oauth/token',
    '/oauth/userinfo',
    '/oauth/authorize',
    '/oauth/logout',
    `/x/${access_token}`,
  ]) {
    await provider.server.inject({ url: `${path}?${query}` });
  }
  await provider.userinfo(String(access_token));
  await provider.refresh(String(refresh_token));
  const away = await provider.authorize({}, { browser: null });
  await provider.server.inject({ url: String(away.headers.location) });
  expect(log).toContain('/oauth/authorize');
  const continuation = new URL(String(away.headers.location), 'https://id.example').searchParams.get(
    'continue',
  );
  const secrets = [
    code,
    access_token,
    refresh_token,
    id_token,
    verifier,
    'the-state',
    'ada@example.org',
    'ada%40',
    continuation,
  ];
  for (const secret of [...secrets, provider.browser.cookie, provider.person.email]) {
    expect(log).not.toContain(String(secret));
  }
});

test('a session’s token and a link’s are hidden wherever they stand', () => {
  expect(redacted('/dash/verify/lnk_0aZ?x=sss_1bY&y=srt_2&z=sac_3')).toBe(
    '/dash/verify/[redacted]?[redacted]&[redacted]&[redacted]',
  );
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeClient } from '../../../src/commands/oauth/client.ts';
import { revokeConsent } from '../../../src/commands/oauth/consent.ts';
import {
  context,
  formOf,
  issuer,
  landed,
  pageOf,
  post,
  redirectUri,
  startProvider,
  type Provider,
} from './harness.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const authorize = (...given: Parameters<Provider['authorize']>) => provider.authorize(...given);

/** The request is answered on a page of ours, and leads nowhere. */
async function refusedOnPage(fields: Parameters<Provider['authorize']>[0], code: string) {
  const answer = await authorize(fields);
  expect(answer.statusCode).toBe(400);
  expect(answer.headers.location).toBeUndefined();
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(answer.headers['referrer-policy']).toBe('no-referrer');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.body).toContain(`<code>${code}</code>`);
  const asJson = await authorize(fields, { headers: { accept: 'application/json' } });
  expect(asJson.statusCode).toBe(400);
  expect(asJson.json()).toMatchObject({ error: code, error_description: expect.any(String) as string });
  return answer;
}

/** The request is answered on the redirect_uri, with state and iss. */
async function refusedAtClient(fields: NonNullable<Parameters<Provider['authorize']>[0]>, code: string) {
  const answer = landed(await authorize(fields));
  expect(answer.get('error')).toBe(code);
  expect(answer.get('error_description')).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(answer.get('iss')).toBe(issuer);
  expect(answer.get('state')).toBe('state' in fields ? fields['state'] || null : 'af0ifjsldkj');
  expect(answer.get('code')).toBeNull();
  return answer.get('error_description');
}

describe('the authorization response', () => {
  test('RFC 6749 §4.1.2: a code and the very state go back to the redirect_uri by 303', async () => {
    const state = 'ä b+c&d=e%20/?#"<>\\';
    const answer = await authorize({ state });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toBe('');
    expect([...landed(answer).keys()]).toEqual(['code', 'state', 'iss']);
    expect(landed(answer).get('code')).toMatch(/^sac_[0-9A-Za-z]+$/);
    expect(landed(answer).get('state')).toBe(state);
  });

  test('RFC 9207 §2: it names the issuer', async () => {
    expect(landed(await authorize()).get('iss')).toBe(issuer);
  });

  test('RFC 6749 §3.1.2: a query that the redirect_uri has is kept', async () => {
    const uris = ['https://site.example/cb?a=1', 'https://site.example/cb?', 'http://localhost:4711/cb'];
    const client_id = await provider.client({ redirectUris: uris });
    await provider.consent(['openid'], { client: client_id });
    const sent = async (redirect_uri: string) =>
      String((await authorize({ client_id, redirect_uri, scope: 'openid' })).headers.location);
    expect(await sent(uris[0] ?? '')).toMatch(/^https:\/\/site\.example\/cb\?a=1&code=/);
    expect(await sent(uris[1] ?? '')).toMatch(/^https:\/\/site\.example\/cb\?code=/);
    expect(await sent(uris[2] ?? '')).toMatch(/^http:\/\/localhost:4711\/cb\?code=/);
  });

  test('OpenID Connect Core §3.1.2.1: a POST is answered with 303 to the same request as GET', async () => {
    const fields = {
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile',
      state: 'a b\r\nSet-Cookie: x=1',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    };
    const posted = await post(provider.server, '/oauth/authorize', fields);
    expect(posted.statusCode).toBe(303);
    const location = String(posted.headers.location);
    expect(location).toMatch(/^\/oauth\/authorize\?[\x21-\x7e]+$/);
    const answer = await provider.server.inject({
      url: location,
      headers: { cookie: provider.browser.cookie },
    });
    expect(landed(answer).get('state')).toBe(fields.state);
    expect(landed(answer).get('code')).toMatch(/^sac_/);
  });

  test('what is wrong with a POST goes back like what is wrong with a GET', async () => {
    const form = formOf({ client_id: provider.clientId, redirect_uri: redirectUri, state: 's' });
    for (const wrong of [
      'scope=%ff',
      'scope=openid&scope=openid',
      'scope=a#b',
      'scope=\u00fc\u{1f4a5} \r\n',
      '',
    ]) {
      const posted = await post(provider.server, '/oauth/authorize', `${form}&${wrong}`);
      expect(posted.statusCode).toBe(303);
      const answer = landed(await provider.server.inject({ url: String(posted.headers.location) }));
      expect(answer.get('error')).toBe('invalid_request');
      expect(answer.get('state')).toBe('s');
    }
  });

  test('no CORS: a page may not read it', async () => {
    for (const answer of [await authorize(), await authorize({ client_id: 'x' })]) {
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    const preflight = await provider.server.inject({
      method: 'OPTIONS',
      url: '/oauth/authorize',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(405);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  });

  test.each(['HEAD', 'PUT', 'DELETE', 'PATCH', 'QUERY'])(
    'RFC 9110 §15.5.6: %s is 405, and no code is made',
    async (method) => {
      const before = await provider.system.store.head();
      const url = `/oauth/authorize?${formOf({ client_id: provider.clientId })}`;
      const answer = await provider.server.inject({ method: method as 'PUT', url });
      expect(answer.statusCode).toBe(405);
      expect(answer.headers.allow).toBe('GET, POST');
      expect(await provider.system.store.head()).toBe(before);
    },
  );
});

describe('a bad client or redirect_uri never redirects', () => {
  test('RFC 6749 §4.1.2.1: a missing client_id is invalid_request', async () => {
    await refusedOnPage({ client_id: undefined }, 'invalid_request');
    await refusedOnPage({ client_id: '' }, 'invalid_request');
  });

  test.each([
    'site_doesnotexist000000',
    'x',
    'site_',
    '../../etc',
    `site_${'a'.repeat(3_000)}`,
    '\u0000',
    '💥',
  ])('interface 7.1: an unknown client_id is invalid_client: %j', async (client_id) => {
    await refusedOnPage({ client_id }, 'invalid_client');
  });

  test('interface 2.4: an inactive client is invalid_client until it is reactivated', async () => {
    const client_id = await provider.client();
    await changeClient(provider.system.store, client_id, [{ kind: 'deactivate' }], context());
    await refusedOnPage({ client_id }, 'invalid_client');
    await changeClient(provider.system.store, client_id, [{ kind: 'reactivate' }], context());
    expect(pageOf(await authorize({ client_id })).path).toBe('/dash/consent');
  });

  test('interface 7.1: a missing redirect_uri is invalid_request', async () => {
    await refusedOnPage({ redirect_uri: undefined }, 'invalid_request');
  });

  test.each([
    'callback',
    '/callback',
    'javascript:alert(1)',
    'http://site.example/callback',
    'https://site.example/callback#fragment',
    'https://user@site.example/callback',
    'https://*.example/callback',
    'https://site.example/call back',
    'https:site.example/callback',
    '//site.example/callback',
  ])('interface 2.4: a redirect_uri that can be nobody’s is invalid_request: %s', async (redirect_uri) => {
    await refusedOnPage({ redirect_uri }, 'invalid_request');
  });

  test.each([
    'https://site.example/callback/',
    'https://site.example/callback?x=1',
    'https://site.example/Callback',
    'https://SITE.example/callback',
    'https://site.example:443/callback',
    'https://site.example/callback/../callback',
    'https://site.example/%63allback',
    'https://site.example.evil.example/callback',
    'https://evil.example/callback',
    'http://localhost/callback',
  ])(
    'RFC 9700 §4.1.3: a redirect_uri that is registered otherwise is invalid_client: %s',
    async (redirect_uri) => {
      await refusedOnPage({ redirect_uri }, 'invalid_client');
    },
  );

  test('RFC 6749 §3.1: a client_id or redirect_uri that comes twice is invalid_request', async () => {
    const url = `/oauth/authorize?${formOf({ client_id: provider.clientId, redirect_uri: redirectUri, state: 's' })}`;
    for (const again of [`client_id=${provider.clientId}`, formOf({ redirect_uri: redirectUri })]) {
      const answer = await provider.server.inject({ url: `${url}&${again}` });
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('invalid_request');
      expect(answer.body).toContain('more than once');
    }
  });

  test('the page escapes what was sent, and says what to do', async () => {
    const page = await refusedOnPage({ redirect_uri: '"><script>alert(1)</script>' }, 'invalid_request');
    expect(page.body).not.toContain('<script>');
    expect(page.body).toContain('Go back to the site');
    expect(page.body).toContain(String(page.headers['x-request-id']));
  });

  test('a request that is too long to travel is invalid_request', async () => {
    await refusedOnPage({ state: 'x'.repeat(8_000) }, 'invalid_request');
    const posted = await post(provider.server, '/oauth/authorize', { state: 'x'.repeat(9_000) });
    expect(posted.statusCode).toBe(400);
    expect((await post(provider.server, '/oauth/authorize', { state: 'x'.repeat(300_000) })).statusCode).toBe(
      413,
    );
  });
});

describe('every other error goes back to the client', () => {
  test.each([
    ['response_type', 'RFC 6749 §3.1.1'],
    ['scope', 'interface 7.1'],
    ['state', 'interface 4.1'],
    ['code_challenge', 'RFC 7636 §4.4.1'],
    ['code_challenge_method', 'RFC 7636 §4.3'],
  ])('a missing or empty %s is invalid_request (%s)', async (name) => {
    expect(await refusedAtClient({ [name]: undefined }, 'invalid_request')).toContain(name);
    expect(await refusedAtClient({ [name]: '' }, 'invalid_request')).toContain(name);
  });

  test.each(['token', 'id_token', 'code id_token', 'none', 'Code'])(
    'RFC 6749 §3.1.1: response_type %s is unsupported_response_type',
    async (response_type) => {
      await refusedAtClient({ response_type }, 'unsupported_response_type');
    },
  );

  test.each(['plain', 's256', 'S512'])(
    'RFC 9700 §2.1.1: code_challenge_method %s is invalid_request',
    async (method) => {
      await refusedAtClient({ code_challenge_method: method }, 'invalid_request');
    },
  );

  test.each(['short', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`, `${'x'.repeat(42)}+`])(
    'RFC 7636 §4.2: the code_challenge %s is invalid_request',
    async (code_challenge) => {
      await refusedAtClient({ code_challenge }, 'invalid_request');
    },
  );

  test.each([
    'profile',
    'email profile',
    'OPENID',
    'openid wallet',
    'openid phone',
    'openid teams:read',
    'openid admin"\\',
  ])('interface 7.1: the scope %s is invalid_scope', async (scope) => {
    await refusedAtClient({ scope }, 'invalid_scope');
  });

  test('OpenID Connect Core §6: request and request_uri are refused, each by its own code', async () => {
    await refusedAtClient({ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported');
    await refusedAtClient({ request_uri: 'https://site.example/request' }, 'request_uri_not_supported');
  });

  test.each(['fragment', 'jwt', 'query.jwt', 'form_post.jwt', 'FORM_POST'])(
    'response_mode %s is invalid_request',
    async (response_mode) => {
      expect(await refusedAtClient({ response_mode }, 'invalid_request')).toContain('response_mode');
    },
  );

  test('response_mode query is what there is without form_post', async () => {
    expect(landed(await authorize({ response_mode: 'query' })).get('code')).toMatch(/^sac_/);
  });

  test.each(['never', 'none login', 'none none consent', 'Login'])(
    'OpenID Connect Core §3.1.2.1: prompt %s is invalid_request',
    async (prompt) => {
      await refusedAtClient({ prompt }, 'invalid_request');
    },
  );

  test.each(['-1', '1.5', 'soon', '99999999999'])(
    'OpenID Connect Core §3.1.2.1: max_age %s is invalid_request',
    async (max_age) => {
      await refusedAtClient({ max_age }, 'invalid_request');
    },
  );

  test('a nonce beyond all reason is invalid_request', async () => {
    await refusedAtClient({ nonce: 'n'.repeat(513) }, 'invalid_request');
    expect(landed(await authorize({ nonce: 'n'.repeat(512) })).get('code')).toMatch(/^sac_/);
  });

  test('RFC 6749 §3.1: a parameter that comes twice is invalid_request, also the same', async () => {
    const url = `/oauth/authorize?${formOf({
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      state: 's',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })}`;
    for (const name of ['scope', 'response_type', 'state', 'code_challenge', 'code_challenge_method']) {
      const answer = landed(await provider.server.inject({ url: `${url}&${name}=code` }));
      expect(answer.get('error')).toBe('invalid_request');
      expect(answer.get('error_description')).toContain(name);
      expect(answer.get('state')).toBe(name === 'state' ? null : 's');
    }
  });

  test('RFC 6749 appendix B: what is not percent-encoded UTF-8 is invalid_request', async () => {
    const url = `/oauth/authorize?${formOf({ client_id: provider.clientId, redirect_uri: redirectUri, state: 's' })}`;
    for (const broken of ['scope=%ff', 'scope=%', 'nonce=%ED%A0%80']) {
      expect(landed(await provider.server.inject({ url: `${url}&${broken}` })).get('error')).toBe(
        'invalid_request',
      );
    }
  });

  test('RFC 6749 §3.1: unknown parameters are passed over, and so are those that need not be understood', async () => {
    const more = {
      foo: 'bar',
      __proto__x: '1',
      constructor: '1',
      ui_locales: 'de en',
      claims_locales: 'de',
      claims: '{"userinfo":{"name":{"essential":true}}}',
      acr_values: '1 2',
      display: 'touch',
      registration: 'x',
      audience: 'y',
      continue: 'z',
    };
    expect(landed(await authorize(more)).get('code')).toMatch(/^sac_/);
  });
});

test('nothing that was abandoned leaves an event', async () => {
  const before = await provider.system.store.head();
  await authorize({}, { browser: null });
  await authorize({ scope: 'openid' }, { browser: null });
  await authorize({ client_id: 'x' });
  await authorize({ prompt: 'login' });
  expect(await provider.system.store.head()).toBe(before);
});

test('a consent that was revoked is asked for again, in a new epoch', async () => {
  const client_id = await provider.client();
  const whose = { user: provider.person.user, client: client_id };
  await provider.consent(['openid', 'profile', 'email'], whose);
  expect(landed(await authorize({ client_id })).get('code')).toMatch(/^sac_/);
  await revokeConsent(provider.system.store, whose, context());
  expect(pageOf(await authorize({ client_id })).path).toBe('/dash/consent');
});

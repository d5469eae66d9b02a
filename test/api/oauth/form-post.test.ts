import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cspSourceOf } from '../../../src/api/pages/content-security-policy.ts';
import { challengeOf, issuer, landed, pageOf, redirectUri, startProvider, type Provider } from './harness.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

type Answer = Awaited<ReturnType<Provider['authorize']>>;

const authorize = (...[fields, options]: Parameters<Provider['authorize']>) =>
  provider.authorize({ response_mode: 'form_post', ...fields }, options);

const decoded = (text = ''): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The form of a page that posts the answer, and where it may lead. */
function posted({ statusCode, headers, body }: Answer) {
  expect([statusCode, headers.location]).toEqual([200, undefined]);
  const forms = [...body.matchAll(/<form method="post" action="([^"]*)">/g)];
  expect(forms).toHaveLength(1);
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)" \/>/g)].map(
    ([, name = '', value]) => [name, decoded(value)] as const,
  );
  const policy = String(headers['content-security-policy']).split('; ');
  return {
    action: decoded(forms[0]?.[1]),
    fields: Object.fromEntries(fields),
    names: fields.map(([name]) => name),
    leadsTo: policy.find((each) => each.startsWith('form-action '))?.slice('form-action '.length),
  };
}

describe('response_mode=form_post', () => {
  test('Form Post Response Mode §2: a page posts code, state and iss to the redirect_uri, and may post nowhere else', async () => {
    const state = 'ä b+c&d=e%20/?#"<>\\\'\t';
    const answer = await authorize({ state });
    const { action, fields, names, leadsTo } = posted(answer);
    expect(action).toBe(redirectUri);
    expect(leadsTo).toBe(redirectUri);
    expect(names).toEqual(['code', 'state', 'iss']);
    expect(fields).toEqual({ code: expect.stringMatching(/^sac_/) as string, state, iss: issuer });
    expect((await provider.exchange(fields['code'] ?? '')).statusCode).toBe(200);
  });

  test('the page is kept nowhere, tells no referrer, stands in no frame, and runs our own script alone', async () => {
    const { headers, body } = await authorize();
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'content-security-policy': [
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self'",
        "script-src 'self'",
        "base-uri 'none'",
        `form-action ${redirectUri}`,
        "frame-ancestors 'none'",
      ].join('; '),
    });
    // A window that the site opened keeps its opener.
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
    const scripts = [...body.matchAll(/<script src="([^"]*)"/g)].map(([, src = '']) => src);
    expect(scripts).toHaveLength(1);
    const script = await provider.server.inject({ url: scripts[0] ?? '' });
    expect(script.body).toContain('document.forms[0].submit()');
    expect(body).toMatch(/<button type="submit" class="primary">Go to Harbour News<\/button>/);
  });

  test.each([
    [{ scope: 'openid wallet' }, 'invalid_scope'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ])('RFC 6749 §4.1.2.1: an error is posted as well: %o', async (wrong, code) => {
    const { action, fields, names } = posted(await authorize(wrong));
    expect(action).toBe(redirectUri);
    expect(names).toEqual(['error', 'error_description', 'state', 'iss']);
    expect(fields).toMatchObject({ error: code, state: 'af0ifjsldkj', iss: issuer });
    expect(fields['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  test('with prompt=none nobody signed in is login_required, and without state there is none', async () => {
    const silent = posted(await authorize({ prompt: 'none' }, { browser: null }));
    expect(silent.fields).toMatchObject({ error: 'login_required', state: 'af0ifjsldkj' });
    const stateless = posted(await authorize({ state: undefined }));
    expect(stateless.names).toEqual(['error', 'error_description', 'iss']);
  });

  test('goes by our pages where somebody has to act, and is answered in its mode then', async () => {
    const other = await provider.newPerson();
    const { path, continuation } = pageOf(await authorize({}, { browser: await other.signIn() }));
    expect(path).toBe('/dash/consent');
    // Who comes back without having answered is asked again, and never answered in the query.
    const resumed = await provider.server.inject({ url: `/oauth/authorize/resume?continue=${continuation}` });
    expect(pageOf(resumed).path).toBe('/dash/sign-in');
  });

  test.each([
    ['https://site.example/cb?tenant=7&x=%20', 'https://site.example/cb'],
    ['https://site.example', 'https://site.example/'],
    ['https://site.example:8443/a;b,c/', 'https://site.example:8443/a%3Bb%2Cc/'],
    ["https://Site.example:443/it's/./here", "https://site.example/it's/here"],
    ['http://localhost:8080/cb', 'http://localhost:8080/cb'],
    ['http://localhost/cb?next=/a;b', 'http://localhost/cb'],
    ['https://192.0.2.7/cb', 'https://192.0.2.7/cb'],
  ])('posts to %s as it is registered, under the policy %s', async (uri, source) => {
    const client = await provider.client({ redirectUris: [uri] });
    await provider.consent(['openid', 'profile', 'email'], { client });
    const { action, leadsTo } = posted(await authorize({ client_id: client, redirect_uri: uri }));
    expect(action).toBe(uri);
    expect(leadsTo).toBe(source);
  });

  test.each(['https://[2001:db8::7]/cb', 'https://under_score.example/cb', 'https://site.example./cb'])(
    'no policy can name the host of %s, so the query says that it cannot be posted to',
    async (uri) => {
      expect(cspSourceOf(uri)).toBeUndefined();
      const client = await provider.client({ redirectUris: [uri] });
      const answer = await authorize({ client_id: client, redirect_uri: uri });
      expect(landed(answer, uri).get('error')).toBe('invalid_request');
      expect(landed(answer, uri).get('error_description')).toContain('form_post');
    },
  );

  test.each(['a\nb', 'a\r\nb', 'a\0b'])(
    'a form would change the state %j, so it comes back in the query with the error',
    async (state) => {
      const answer = landed(await authorize({ state }));
      expect(answer.get('error')).toBe('invalid_request');
      expect(answer.get('error_description')).toContain('line breaks');
      expect(answer.get('state')).toBe(state);
      // Of the query every state is the site's own affair.
      const plain = landed(await authorize({ state, response_mode: 'query' }));
      expect([plain.get('state'), plain.get('error')]).toEqual([state, null]);
    },
  );

  test('a redirect_uri that is not registered, and a mode that comes twice, lead to no form', async () => {
    const unregistered = await authorize({ redirect_uri: 'https://evil.example/callback' });
    expect(unregistered.statusCode).toBe(400);
    expect(unregistered.body).not.toContain('<form');
    expect(unregistered.headers['content-security-policy']).toContain("form-action 'none'");
    const query = new URLSearchParams({
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 's',
      code_challenge: challengeOf('x'),
      code_challenge_method: 'S256',
    });
    const twice = await provider.server.inject({
      url: `/oauth/authorize?${query.toString()}&response_mode=form_post&response_mode=query`,
    });
    expect(landed(twice).get('error_description')).toContain('response_mode');
  });
});

import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commonErrors } from '../../src/api/http/responses/errors.ts';
import { html } from '../../src/api/pages/html.ts';
import { networkOf } from '../../src/ground/network.ts';
import { redacted } from '../../src/api/http/redact.ts';
import { legacyErrors } from '../../src/api/directory/legacy-errors.ts';
import { resourceErrors } from '../../src/api/http/responses/api-errors.ts';
import { newSigningSecret, signHeaders } from '../../src/dispatch/signature.ts';
import { payloadSchema } from '../../src/events/webhooks/payload.ts';
import { choosableEvents, type WebhookEvent } from '../../src/events/webhooks/webhook-events.ts';
import { pagePolicy } from '../../src/api/http/security-headers.ts';
import { refusals } from '../../src/ground/refusals.ts';
import { legacy, startSystem, v1, type RunningSystem } from './harness.ts';
import { get } from './directory/read.ts';
import { notForPeople } from '../support/plain-words.ts';
import { problemsOf } from '../support/openapi-problems.ts';
import { routesOf } from '../support/routes.ts';

describe('the pages and the description of the API', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system.stop());

  interface Webhook {
    readonly parameters: readonly { readonly name: string; readonly schema: { readonly pattern?: string } }[];
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': { readonly schema: object; readonly example: unknown };
      };
    };
  }
  interface Operation {
    readonly summary?: string;
    readonly parameters?: readonly {
      readonly name: string;
      readonly description?: string;
      readonly schema: Readonly<Record<string, unknown>>;
    }[];
    readonly responses: Readonly<Record<string, unknown>>;
  }
  interface Description {
    readonly openapi: string;
    readonly components: { readonly securitySchemes: Readonly<Record<string, object>> };
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>;
  }
  const described = async () => (await get(system.server, '/openapi.json')).json<Description>();

  test('lead a developer from /docs to everything there is', async () => {
    const answer = await get(system.server, '/docs');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const [, path = ''] of answer.body.matchAll(/href="([^"]+)"/g)) {
      const { statusCode, headers } = await get(system.server, path);
      if (path === '/dash/me') expect(headers.location).toBe('/dash/sign-in?to=%2Fdash%2Fme');
      else expect(statusCode, path).toBe(200);
    }
    for (const [path, label] of [
      ['/dash/sign-in\\?to=/docs', 'Sign in'],
      ['/dash/me', 'your account'],
    ] as const) {
      expect(answer.body).toMatch(new RegExp(`<a [^>]*href="${path}"[^>]*>${label}</a>`));
    }
  });

  test('show people no rule by its number, and one spelling of email', async () => {
    for (const text of [
      '(interface 4.1)',
      'RFC 6749',
      'Core section 3.1',
      '§5',
      'An E-mail',
      'your e-mail address',
    ]) {
      expect(notForPeople(`What ${text} says`)).toContain(text.replace(/[()]/g, ''));
    }
    expect(notForPeople('Your email, in this section; version 2.0')).toBeUndefined();
    const asked = '/oauth/authorize?client_id=site_00000000&redirect_uri=https%3A%2F%2Fsite.example%2F';
    for (const url of [
      ...[
        '/',
        '/find?q=food&near=33101',
        '/docs',
        '/docs/api',
        '/docs/errors',
        '/dash/register',
        '/dash/reset/sent',
        '/dash/sign-in',
        '/nowhere',
      ],
      ...['/oauth/authorize', '/oauth/authorize?client_id=%zz', asked, `${asked}&client_id=twice`],
      ...['/oauth/logout', '/oauth/logout?state=1&state=2', '/oauth/logout?id_token_hint=x'],
    ]) {
      const { body, headers } = await get(system.server, url, { accept: 'text/html' });
      expect(headers['content-type'], url).toContain('text/html');
      expect(notForPeople(body.replace(/<[^>]*>/g, '')), url).toBeUndefined();
    }
  });

  test('show examples with the address that we listen at, else BASE_URL', async () => {
    const example = (body: string) => /(https?:[^ ]+)\/dash\/api\/v1\/resources/.exec(body)?.[1];
    const known = await system.another({ environment: { BASE_URL: 'https://directory.example' } });
    expect(example((await get(known, '/docs/first-call')).body)).toBe('https://directory.example');
    const unknown = await system.another();
    const listening = await unknown.listen({ host: '127.0.0.1', port: 0 });
    expect(example(await (await fetch(`${listening}/docs/first-call`)).text())).toBe(
      listening.replace('127.0.0.1', 'localhost'),
    );
  });

  test('look the same and have nothing inline, whoever answers them', async () => {
    const styles = new Set<string | undefined>();
    for (const url of ['/docs', '/docs/errors', '/dash/reset', '/oauth/authorize', '/oauth/logout']) {
      const { body, headers } = await get(system.server, url);
      expect(headers['content-security-policy'], url).toMatch(
        /^default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action '(none|self)'; frame-ancestors 'none'$/,
      );
      expect(body, url).not.toMatch(/<style|\sstyle=|<script|\son\w+=/);
      expect(body, url).toContain('<meta name="color-scheme" content="light dark" />');
      styles.add(/<link rel="stylesheet" href="([^"]+)"/.exec(body)?.[1]);
    }
    const [style = '', ...others] = styles;
    expect(others).toEqual([]);
    expect((await get(system.server, style)).body).toContain('prefers-color-scheme: dark');
  });

  test('lead to where people sign in, where that is another address', async () => {
    const elsewhere = await system.another({ environment: { AUTH_URL: 'https://id.example' } });
    const { body } = await get(elsewhere, '/docs');
    expect(body).toContain('href="https://id.example/dash/sign-in?to=/docs"');
    expect(body).toContain('href="https://id.example/dash/me"');
  });

  test('of people are at AUTH_URL alone, where that is another address than BASE_URL', async () => {
    const environment = { BASE_URL: 'https://directory.example', AUTH_URL: 'https://id.example' };
    const both = await system.another({ environment });
    const at = (host: string, url: string, method: 'GET' | 'HEAD' = 'GET') =>
      both.inject({ method, url, headers: { host } });
    for (const path of [
      '/dash/sign-in',
      '/dash/me/apps',
      '/dash/sites/oauth?team=harbour',
      '/dash/nowhere',
      '/oauth/authorize?client_id=site_1&state=a%20b',
      '/oauth/logout',
      '//evil.example/dash/me',
    ]) {
      const { statusCode, headers } = await at('directory.example', path);
      const known = path.startsWith('/dash') || path.startsWith('/oauth');
      expect([statusCode, headers.location], path).toEqual(
        known ? [303, `https://id.example${path}`] : [404, undefined],
      );
      expect((await at('id.example', path)).headers.location, path).not.toBe(`https://id.example${path}`);
    }
    // The directory is read where it was asked for, and so is what every page loads.
    const { body } = await at('directory.example', '/');
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(body) ?? [];
    for (const [path, status] of [
      [style, 200],
      [v1, 401],
      ['/dash/api/v1/nothing', 404],
      ['/oauth/userinfo', 401],
    ] as const) {
      expect((await at('directory.example', path)).statusCode, path).toBe(status);
    }
    expect((await at('directory.example', '/dash/sign-in', 'HEAD')).statusCode).toBe(303);
  });

  test('describe every route in OpenAPI 3.1, with the parameters as they are checked', async () => {
    const { openapi, paths } = await described();
    expect(openapi).toBe('3.1.0');
    expect(Object.keys(paths).sort()).toEqual(
      [
        '/audit/v1/export',
        ...['events', 'events/{id}', 'correlations/{id}', 'keys/{key_id}/usage'].map(
          (path) => `/audit/v1/${path}`,
        ),
        ...['consents', 'directory', 'keys', 'members', 'streams/{stream}', 'subscriptions', 'tokens'].map(
          (question) => `/audit/v1/as-of/${question}`,
        ),
        '/dash/api/v1/changes',
        ...['', '/{org_id}', '/{org_id}/people/{id}'].map((path) => `/dash/api/v1/organizations${path}`),
        ...['approve', 'reject', 'deactivate', 'reactivate'].map(
          (action) => `/dash/api/v1/organizations/{org_id}/${action}`,
        ),
        ...['', '/{id}', '/{id}/stop', '/{id}/undo'].map((path) => `/dash/api/v1/bulk-actions${path}`),
        ...['', '/{id}', '/{id}/undo'].map((path) => `/dash/api/v1/imports${path}`),
        ...['', '/{name}'].map((path) => `/dash/api/v1/views${path}`),
        '/dash/api/v1/duplicates',
        ...['agency-calls', 'agency-contacts', 'agency-contacts/bounced', 'needs'].map(
          (path) => `/dash/api/v1/${path}`,
        ),
        ...['merge', 'unmerge', 'dismiss-duplicates'].map((action) => `${v1}/{svc_id}/${action}`),
        '/dash/api/v1/listed-members',
        '/dash/api/v1/members',
        ...['', '/close'].map((path) => `/dash/api/v1/team${path}`),
        ...[
          'deliveries',
          'deliveries/{delivery}/resend',
          'deliveries/{id}',
          'subscriptions',
          'subscriptions/{id}',
          'subscriptions/{id}/health',
          'subscriptions/{id}/replay',
          'subscriptions/{id}/send-waiting',
          'test-receiver',
          'test-receiver/{request}',
        ].map((path) => `/dash/api/v1/webhooks/${path}`),
        '/hsds/',
        '/hsds/organizations',
        '/hsds/organizations/{id}',
        '/hsds/package.zip',
        '/hsds/services',
        '/hsds/services/{id}',
        ...['', '/{id}/submissions'].map((path) => `/dash/api/v1/forms${path}`),
        '/f/{team}/{form}',
        '/healthz',
        '/readyz',
        '/.well-known/openid-configuration',
        '/.well-known/oauth-authorization-server',
        ...['authorize', 'token', 'userinfo', 'jwks.json', 'revoke', 'logout'].map(
          (name) => `/oauth/${name}`,
        ),
        legacy,
        v1,
        `${v1}/{svc_id}`,
        ...['approve', 'confirm', 'reject', 'deactivate', 'reactivate'].map(
          (action) => `${v1}/{svc_id}/${action}`,
        ),
        ...['people', 'people/{id}'].map((path) => `${v1}/{svc_id}/${path}`),
        ...['', '/{id}', '/{id}/reverse'].map((path) => `/dash/api/v1/payments${path}`),
        ...['', '/{id}', '/{id}/resolve', '/{id}/said'].map((path) => `/dash/api/v1/reports${path}`),
        ...['', '/{id}', '/{id}/accept', '/{id}/dismiss', '/{id}/suggested'].map(
          (path) => `/dash/api/v1/suggestions${path}`,
        ),
        ...['', '/{id}', '/{id}/approve', '/{id}/refuse', '/{id}/end'].map(
          (path) => `/dash/api/v1/claims${path}`,
        ),
      ].sort(),
    );
    const list = paths[v1]?.['get'];
    expect(list?.parameters?.map(({ name }) => name)).toEqual([
      ...['limit', 'cursor', 'q', 'category', 'city', 'postal_code', 'language', 'organization', 'free'],
      ...['open_now', 'open_at', 'near', 'radius_km', 'sort', 'facets', 'updated_since', 'status'],
    ]);
    expect(list?.parameters?.[0]?.schema).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 25,
    });
    expect(Object.keys(list?.responses ?? {})).toEqual(['200', '400', '401', '403', '429', '503']);
    expect(Object.keys(paths[v1] ?? {})).toEqual(['get', 'post']);
  });

  test('describe the legacy endpoint to the letter of its interface', async () => {
    const { paths, components } = await described();
    const list = paths[legacy]?.['get'];
    const parameter = (name: string) => list?.parameters?.find((each) => each.name === name);
    expect(list?.parameters?.map(({ name }) => name)).toEqual([
      'category',
      'limit',
      'offset',
      'q',
      'near',
      'team',
      'lang',
    ]);
    expect(components.securitySchemes['legacyKeyInQuery']).toEqual({
      type: 'apiKey',
      in: 'query',
      name: 'key',
      description: 'Required unless the X-API-Key header carries the key. Both forms accepted.',
    });
    expect(parameter('category')?.description).toContain('An invalid slug is silently ignored.');
    expect(parameter('limit')).toMatchObject({
      required: false,
      schema: { type: 'integer', default: 100 },
      description: 'Page size. Maximum 500; larger values are clamped to 500.',
    });
    // What is larger is no mistake, so a generated client must not refuse to send it.
    expect(parameter('limit')?.schema).not.toHaveProperty('maximum', 500);
    expect(parameter('offset')).toMatchObject({ schema: { type: 'integer', default: 0 } });
    expect(list).toMatchObject({
      deprecated: true,
      security: [{ legacyKey: [] }, { legacyKeyInQuery: [] }],
    });
    const errorsOf = (status: number) =>
      Object.values(legacyErrors).flatMap((each) => (each.status === status ? [each.error] : []));
    expect(errorsOf(401)).toEqual(['API key required', 'Invalid or inactive API key']);
    expect(errorsOf(403)).toContain('Domain not authorized for this API key');
    for (const status of [401, 403, 410]) {
      expect(list?.responses[status], String(status)).toMatchObject({
        content: {
          'application/json': {
            schema: { properties: { error: { enum: errorsOf(status) } }, required: ['error'] },
          },
        },
      });
    }
    for (const [status, response] of Object.entries(list?.responses ?? {})) {
      expect(Object.keys((response as { headers?: object }).headers ?? {}), status).toEqual(
        expect.arrayContaining(['X-Service-Deprecated', 'Sunset']),
      );
    }
  });

  test('show the reference at /docs/api from this server alone, without a script, with a way home', async () => {
    const { paths, webhooks } = await described();
    for (const url of ['/docs/api', '/docs/api/', '/docs/api?deep=1']) {
      const { statusCode, body, headers } = await get(system.server, url);
      expect(statusCode, url).toBe(200);
      const loaded = [...body.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, path = '']) => path);
      for (const path of new Set(loaded)) {
        expect(path).toMatch(/^\/(?!\/)/);
        expect((await get(system.server, path)).statusCode, path).toBe(200);
      }
      expect(body).toMatch(/<a class="brand" href="\/">[^]*Commonweal<\/a>/);
      expect(body).toContain('<title>API reference · Commonweal</title>');
      expect(body).not.toMatch(/<script|<style| style=/);
      expect(headers['content-security-policy']).toBe(pagePolicy);
      const again = await system.server.inject({
        url,
        headers: { 'if-none-match': String(headers['etag']) },
      });
      expect(again.statusCode).toBe(304);
    }
    const { body } = await get(system.server, '/docs/api');
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, to] of body.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(to);
    // Each operation has its place, with what it takes and a call; so has each webhook.
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    for (const { summary } of operations) expect(body).toContain(`<strong>${summary ?? ''}</strong>`);
    expect(body.match(/class="card operation"/g)).toHaveLength(
      operations.length + Object.keys(webhooks).length,
    );
    expect(body).toContain('id="post-dash-api-v1-resources"');
    expect(body).toMatch(/<p class="lead">[^]*?<a href="\/docs\/errors">\/docs\/errors<\/a>/);
    expect(body.match(/<code>curl /g)).toHaveLength(operations.length);
    expect(body).toMatch(
      /curl -X POST &#39;http:\/\/localhost:\d+\/dash\/api\/v1\/resources&#39;[^]*?-d &#39;{&#34;name&#34;:&#34;[^;]+&#34;,&#34;category&#34;:&#34;food&#34;}&#39;/,
    );
    expect(body).not.toContain('undefined');
    expect(body).not.toContain('[object');
  });

  test('describe what webhooks send, with their headers, as the schemas that are published', async () => {
    const { webhooks } = await described();
    expect(Object.keys(webhooks)).toEqual([...choosableEvents]);
    for (const [event, { post }] of Object.entries(webhooks)) {
      const sent = signHeaders({
        ...{ secret: newSigningSecret(randomBytes), deliveryId: randomUUID(), event: event as WebhookEvent },
        ...{ test: true, body: '{}', at: new Date() },
      });
      const shown = post.parameters.map(({ name }) => name);
      expect(shown.toSorted(), event).toEqual(
        Object.keys(sent)
          .filter((name) => !['Content-Type', 'User-Agent'].includes(name))
          .toSorted(),
      );
      for (const { name, schema } of post.parameters)
        if (schema.pattern !== undefined) expect(sent[name]).toMatch(new RegExp(schema.pattern));
      const { schema, example } = post.requestBody.content['application/json'];
      const published = (await get(system.server, `/schemas/webhooks/${event}.json`)).json<object>();
      expect(published).toMatchObject(schema);
      expect(payloadSchema(event as WebhookEvent).safeParse(example).success, event).toBe(true);
    }
  });

  test('are a valid OpenAPI 3.1 document', async () => {
    expect(problemsOf((await get(system.server, '/openapi.json')).json())).toEqual([]);
  });

  test('explain every error code that there is', async () => {
    const page = (await get(system.server, '/docs/errors')).body;
    for (const code of Object.keys({ ...commonErrors, ...resourceErrors })) {
      expect(page, code).toContain(`id="${code}"`);
    }
    const { type } = (await get(system.server, v1)).json<{ type: string }>();
    expect(type).toBe('/docs/errors#missing_token');
  });

  test('give refused commands the status that the commands say', () => {
    const kinds = { ...commonErrors, ...resourceErrors };
    for (const [code, status] of Object.entries(refusals)) {
      expect(kinds[code as keyof typeof refusals].status, code).toBe(status);
    }
  });

  test('redirect nobody to where they are, and never repeat the Host that somebody sent', async () => {
    const host = 'elsewhere.example';
    const addresses = routesOf(system.server.printRoutes({ commonPrefix: false }));
    expect(addresses.length).toBeGreaterThan(150);
    for (const path of addresses) {
      for (const url of [path, `${path}?x`]) {
        const { headers, body } = await system.server.inject({ url, headers: { host } });
        const to =
          headers.location === undefined ? undefined : new URL(headers.location, `http://${host}${url}`);
        expect(to?.pathname, url).not.toBe(new URL(url, `http://${host}`).pathname);
        expect(JSON.stringify(headers) + body, url).not.toContain(host);
      }
    }
  });

  test('tell that the process is alive, and whether it is ready', async () => {
    expect((await get(system.server, '/healthz')).json()).toEqual({ status: 'alive' });
    expect((await get(system.server, '/readyz')).json()).toEqual({ status: 'ready' });
    expect((await get(system.server, '/readyz')).headers['cache-control']).toBe('no-store');
    expect((await system.server.inject({ method: 'POST', url: '/healthz' })).statusCode).toBe(405);
  });

  test('carry the security headers on every answer, and a policy on every page', async () => {
    for (const url of [
      '/',
      '/docs',
      '/docs/api',
      '/docs/errors',
      '/openapi.json',
      '/healthz',
      v1,
      legacy,
      '/nothing',
      '/%zz',
    ]) {
      const { headers } = await get(system.server, url);
      expect(headers['x-content-type-options'], url).toBe('nosniff');
      expect(headers['referrer-policy'], url).toBe('no-referrer');
      expect(headers['x-request-id'], url).toMatch(/^[\da-f-]{36}$/);
      expect(headers['x-powered-by'], url).toBeUndefined();
      expect(headers['server'], url).toBeUndefined();
      if (String(headers['content-type']).startsWith('text/html')) {
        expect(headers['content-security-policy'], url).toContain("frame-ancestors 'none'");
      }
    }
  });

  test('answer a browser at an unknown address with a page, and programs with a problem', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const url of ['/nothing', '/dash/api/v2/resources', '/docs/nothing', '/oauth/nothing']) {
      const answer = await get(system.server, url, { accept: browser });
      expect([url, answer.statusCode]).toEqual([url, 404]);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers.vary).toContain('accept');
      expect(answer.body).toContain('<h1>Not found</h1>');
      expect(answer.body).toMatch(
        url.startsWith('/docs')
          ? /<a [^>]*href="\/docs">See all guides<\/a>/
          : /<a [^>]*href="\/">Go to the home page<\/a>/,
      );
      for (const accept of ['*/*', 'application/json', 'application/json, */*;q=0.5', 'text/html;q=0', '']) {
        const problem = await get(system.server, url, { accept });
        expect(problem.headers['content-type'], accept).toBe('application/problem+json');
        expect(problem.json()).toMatchObject({ status: 404, error: 'not_found' });
      }
    }
    const posted = await system.server.inject({
      method: 'POST',
      url: '/nothing',
      headers: { accept: browser },
    });
    expect(posted.headers['content-type']).toBe('application/problem+json');
    const old = await get(system.server, `${legacy}/nothing`, { accept: browser });
    expect(old.json()).toEqual({ error: 'Not found' });
  });

  test('answer 404 and 405 as problems', async () => {
    const missing = await get(system.server, '/nothing/here?key=x');
    expect(missing.statusCode).toBe(404);
    expect(missing.headers['content-type']).toBe('application/problem+json');
    expect(missing.json()).toMatchObject({ status: 404, error: 'not_found' });
    const paths = {
      [v1]: 'GET, HEAD, POST',
      [`${v1}/x`]: 'GET, HEAD, PATCH',
      [`${v1}/x/approve`]: 'POST',
      '/': 'GET, HEAD',
    };
    for (const [url, allow] of Object.entries(paths)) {
      for (const method of ['PUT', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
        const answer = await system.server.inject({ method: method as 'PUT', url });
        expect(answer.statusCode, `${method} ${url}`).toBe(405);
        expect(answer.headers.allow).toBe(allow);
      }
    }
    const before = await system.server.inject({
      method: 'PUT',
      url: v1,
      payload: '{',
      headers: { 'content-type': 'x/y' },
    });
    expect(before.statusCode).toBe(405);
  });
});

describe('the log', () => {
  test('never shows a key, wherever in an address it stands', async () => {
    let log = '';
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log += chunk.toString();
        done();
      },
    });
    const system = await startSystem({ logger: { level: 'trace', stream } });
    const { key, bearer } = await system.key();
    const secret = key.slice(20);
    for (const url of [
      `${legacy}?key=${key}`,
      `${legacy}?limit=1&%6b%65y=${key}&x=1`,
      `${legacy}?KEY=${key}`,
      `${legacy}?other=${key}`,
      `${legacy}?key=${key.replaceAll('_', '%5F')}`,
      `${legacy}?other=${key.replaceAll('_', '%5F')}`,
      `${legacy}/${key}`,
      `${legacy}/${key.replaceAll('_', '%5F')}`,
      `${legacy}?${key.replaceAll('_', '%5F')}`,
      `${legacy}?%ff${key.replaceAll('_', '%5F')}=1`,
      `/nothing/${key}?key=${key}`,
      `/%zz${key}?key=${key}`,
      `${v1}?cursor=${key}`,
    ]) {
      await get(system.server, url, { ...bearer, 'x-api-key': key });
    }
    await system.stop();
    expect(log).toContain('[redacted]');
    expect(log).toContain('request completed');
    expect(log).not.toContain(secret);
  });

  test('shows the rest of an address as it was', () => {
    expect(redacted('/a?limit=5&sort=x%20y')).toBe('/a?limit=5&sort=x%20y');
    expect(redacted('/a/api_ik_AbC123/b?x=api_tk_AbC123')).toBe('/a/[redacted]/b?[redacted]');
    expect(redacted('/a?key=abc&limit=5')).toBe('/a?key=[redacted]&limit=5');
    expect(redacted('/a?%zz=1&key')).toBe('/a?%zz=1&key');
    expect(redacted('/a?q=shelter&near=33157&Category=mental&cursor=x&page=2')).toBe(
      '/a?q=[redacted]&near=[redacted]&category=[redacted]&cursor=[redacted]&page=2',
    );
    // Nor whom somebody looks for, and no address of a person in any parameter.
    expect(redacted('/dash/audit?about=Ada&by=x&type=UserErased')).toBe(
      '/dash/audit?about=[redacted]&by=[redacted]&type=UserErased',
    );
    expect(redacted('/a?limit=5&who=ada%40example.org&%77ho=ada@example.org')).toBe(
      '/a?limit=5&who=[redacted]&who=[redacted]',
    );
    expect(redacted('/a?ada@example.org&ada%40example.org=1&x=%ffada%40example.org&y')).toBe(
      '/a?[redacted]&[redacted]&x=[redacted]&y',
    );
    // Of the page on which people search, nothing is shown.
    expect(redacted('/find?q=shelter&radius=3&open=1')).toBe('/find?[redacted]');
  });
});

describe('small parts', () => {
  test('HTML escapes every value that is not HTML itself', () => {
    const evil = `<script>"&'`;
    expect(html`<p title="${evil}">${evil} ${html`<b>${1}</b>`} ${['<', html`<i></i>`]}</p>`.text).toBe(
      '<p title="&#60;script&#62;&#34;&#38;&#39;">&#60;script&#62;&#34;&#38;&#39; <b>1</b> &#60;<i></i></p>',
    );
  });

  test.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['', 'unknown'],
    ['rubbish', 'unknown'],
    ['1.2.3', 'unknown'],
  ])('%s is of the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

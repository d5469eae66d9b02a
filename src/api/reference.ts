import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { addressOf, baseOf, type ServerDependencies } from './dependencies.ts';
import { formErrors } from './forms/form-errors.ts';
import { commonErrors } from './http/responses/errors.ts';
import { pagePolicy } from './http/security-headers.ts';
import { html } from './pages/html.ts';
import { oauthErrorKinds } from './oauth/errors.ts';
import { page } from './pages/frame/page-frame.ts';
import { docsPath } from './pages/paths.ts';
import { errorsPath } from './http/responses/problem.ts';
import { referencePage, referencePath, type Document } from './reference-page.ts';
import { describedWebhooks } from './reference-webhooks.ts';
import type { CachedResponse } from './http/responses/cached-response.ts';
import { keptForm } from './http/responses/compression.ts';
import { etagOf, matches } from './http/responses/etag.ts';
import { legacyErrors } from './directory/legacy-errors.ts';
import { resourceErrors } from './http/responses/api-errors.ts';

/** Collects the description of every route that is registered after it. */
export async function describeRoutes(
  server: FastifyInstance,
  dependencies: Pick<ServerDependencies, 'config'>,
): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Commonweal',
        version: '1',
        description: `A directory of community resources, and sign-in with its accounts. Errors are application/problem+json, those of sign-in OAuth’s own; their codes stand at ${errorsPath}.`,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseOf(dependencies) || '/' }],
      components: {
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A developer key (api_pk_), a team key (api_tk_), or an installation key (api_ik_), which reads the audit log only.',
          },
          accessToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token of the sign-in provider.',
          },
          legacyKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'An API key, unless the parameter key carries it.',
          },
          legacyKeyInQuery: {
            type: 'apiKey',
            in: 'query',
            name: 'key',
            description: 'Required unless the X-API-Key header carries the key. Both forms accepted.',
          },
        },
      },
    },
    transform: withHeaders,
    // Described with the document, when it is first asked for, and not at each start.
    transformObject: (made) =>
      'openapiObject' in made ? { ...made.openapiObject, webhooks: describedWebhooks() } : made.swaggerObject,
  });
}

/** Keeps the described headers of responses, which the transformation of zod drops. */
const withHeaders: typeof jsonSchemaTransform = (document) => {
  const described = (document.schema.response ?? {}) as Record<string, { readonly headers?: object }>;
  const transformed = jsonSchemaTransform(document);
  const responses = (transformed.schema.response ?? {}) as Record<string, { headers?: object }>;
  for (const [status, { headers }] of Object.entries(described)) {
    if (headers && responses[status]) responses[status].headers = headers;
  }
  return transformed;
};

/** /openapi.json, the reference page, and the list of errors. Each is made once, when it is first asked for. */
export const docs: FastifyPluginCallback<Pick<ServerDependencies, 'config'>> = (scope, { config }, done) => {
  let description: string | undefined;
  scope.get('/openapi.json', {
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('application/json; charset=utf-8')
        .send((description ??= JSON.stringify(scope.swagger()))),
  });
  const base = addressOf(config, scope);
  const headers = {
    'content-security-policy': pagePolicy,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  };
  let reference: CachedResponse | undefined;
  for (const path of [referencePath, `${referencePath}/`])
    scope.get(path, {
      schema: { hide: true },
      handler(request, reply) {
        reference ??= answerOf(referencePage(scope.swagger() as unknown as Document, base()));
        reply.headers({ ...headers, etag: reference.etag });
        if (matches(request.headers['if-none-match'], reference.etag)) return reply.code(304).send();
        reply.type('text/html; charset=utf-8');
        return reply.send(keptForm(reference, request, reply) ?? reference.body);
      },
    });
  const errors = errorsPage();
  scope.get(errorsPath, {
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(errors),
  });
  done();
};

const answerOf = (text: string): CachedResponse => ({
  body: Buffer.from(text),
  etag: etagOf('reference', text),
  link: undefined,
  forms: new Map(),
});

const errorsPage = (): string =>
  page({
    title: 'Errors',
    content: html`<p class="choices">
        <a href="${docsPath}">All guides</a> <a href="${referencePath}">API reference</a>
      </p>
      <p>Errors are <code>application/problem+json</code>; <code>error</code> is one of these codes.</p>
      <table>
        <thead>
          <tr>
            <th>Code</th>
            <th>Status</th>
            <th>Title</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${Object.entries({ ...commonErrors, ...resourceErrors, ...formErrors }).map(
            ([code, { status, title, means }]) =>
              html`<tr id="${code}">
                <td><code>${code}</code></td>
                <td>${status}</td>
                <td>${title}</td>
                <td>${means}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <h2>Sign-in provider</h2>
      <p>
        There the errors are those of OAuth 2.0: on the <code>redirect_uri</code>, or as JSON with
        <code>error</code> and <code>error_description</code>. The status is that of the JSON.
      </p>
      <table>
        <thead>
          <tr>
            <th>Code</th>
            <th>Status</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${Object.entries(oauthErrorKinds).map(
            ([code, { status, title, means }]) =>
              html`<tr id="oauth-${code}">
                <td><code>${code}</code></td>
                <td>${status}</td>
                <td>${title}. ${means}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <h2>Legacy endpoint</h2>
      <p>There the body is <code>{"error": "…"}</code>.</p>
      <ul>
        ${Object.values(legacyErrors).map(({ status, error }) => html`<li>${status} <code>${error}</code></li>`)}
      </ul>`,
  });

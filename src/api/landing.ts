import type { FastifyPluginCallback } from 'fastify';
import { addressOf, type ServerDependencies } from './dependencies.ts';
import { logPath } from './audit/log-paths.ts';
import { docsPath, paths } from './pages/paths.ts';
import { errorsPath } from './http/responses/problem.ts';
import { referencePath } from './reference-page.ts';
import { pagePolicy } from './http/security-headers.ts';
import { html } from './pages/html.ts';
import { signInPath } from './pages/interaction.ts';
import { page } from './pages/frame/page-frame.ts';
import { listPath } from './read-api.ts';

/** The first page that a developer sees. */
export const landing: FastifyPluginCallback<Pick<ServerDependencies, 'config'>> = (
  scope,
  { config },
  done,
) => {
  const base = addressOf(config, scope);
  scope.get(docsPath, {
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(landingPage(base(), config.authUrl ?? '')),
  });
  done();
};

/** `signInAt`: where people sign in, when it is another address. */
const landingPage = (base: string, signInAt: string): string =>
  page({
    title: 'Commonweal',
    content: html`<p class="lead">
        A directory of community resources: food, housing, health care, legal aid and more. Every change to it
        is a recorded event.
      </p>
      <p class="choices">
        <a class="button primary" href="${signInAt}${signInPath}">Sign in</a>
        <a class="button" href="${signInAt}${paths.me}">Your account</a>
      </p>
      <h2>For developers</h2>
      <ul class="points">
        <li><a href="${referencePath}">API reference</a>, also as <a href="/openapi.json">OpenAPI 3.1</a></li>
        <li><a href="${errorsPath}">Errors</a> and what to do about them</li>
        <li><a href="${logPath}">Proof log</a>: how to check that the record of changes is whole</li>
        <li><a href="/healthz">Alive?</a> <a href="/readyz">Ready?</a></li>
      </ul>
      <h2>Try it</h2>
      <p>With a key (<code>npm run demo</code> prints one):</p>
      <pre>
curl -H 'Authorization: Bearer &lt;API_KEY&gt;' '${base}${listPath}?limit=5'
curl -H 'Authorization: Bearer &lt;API_KEY&gt;' '${base}${listPath}?category=food&amp;q=pantry'</pre>`,
  });

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../../../ground/defined.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { SealedValue } from '../../../ground/seal.ts';
import { sendResponse } from '../../http/responses/send-response.ts';
import { queryOf } from '../../http/query-string.ts';
import { assets } from '../../pages/assets/assets.ts';
import { html } from '../../pages/html.ts';
import { paths } from '../../pages/paths.ts';
import { sendSeeOther } from '../../pages/redirects.ts';
import type { MasterKey } from '../../../ground/master-key.ts';
import { legacyListOf } from '../legacy-list.ts';
import { readLegacyQuery } from '../legacy-query.ts';
import { widgetAddress, widgetPath, widgetScriptAt } from './widget-script.ts';
import { attributesOf, optionsIn, type WidgetOptions } from './widget-options.ts';

const root = `${paths.widget}/preview`;
const seconds = 3_600;

/**
 * The way to a preview. The script sends no cookie and takes the address of the service from its own, so what admits a
 * preview stands in the path. It opens what is public, for an hour.
 */
const passes = (masterKey: MasterKey) => new SealedValue<'preview'>(masterKey, 'widget preview', seconds);

/** The address of a page with the widget alone, in both themes, for a frame. */
export function previewAddress(
  { masterKey, now }: PageDependencies,
  { category, near, limit, language, team, colours }: WidgetOptions,
): string {
  const query = new URLSearchParams({
    ...defined({ category }),
    ...(near === '' ? {} : { near }),
    limit: String(limit),
    ...defined({ language, team }),
    ...colours,
  });
  return `${root}/${passes(masterKey).seal('preview', now())}?${query.toString()}`;
}

/** What a preview loads: the script as sites load it. Only our own pages may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  'x-frame-options': 'SAMEORIGIN',
};

/** Serves the real widget with what it reads, without a key: there is none before it is made, and then it works elsewhere. */
export function servePreview(scope: FastifyInstance, dependencies: PageDependencies): void {
  const { address, gate, masterKey, now } = dependencies;
  const pass = passes(masterKey);
  const list = legacyListOf(dependencies);

  serve('', (request, reply) => {
    const { options } = optionsIn(new URLSearchParams(queryOf(request.raw.url ?? '')));
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? '';
    return reply
      .headers({ ...headers, 'content-type': 'text/html; charset=utf-8' })
      .send(page(path, options));
  });
  serve(widgetPath, (request, reply) => {
    const { body } = widgetScriptAt(request.raw.url ?? '');
    return reply.header('content-type', 'text/javascript; charset=utf-8').send(body);
  });
  serve('/api/resources', async (request, reply) => {
    if (!gate.open) await gate.pass();
    const answer = await list(readLegacyQuery(request.raw.url ?? ''));
    return sendResponse(answer, 'accept-encoding', request, reply);
  });
  // Links of the widget lead to the real pages.
  serve('/', (_request, reply) => sendSeeOther(reply, `${address()}/`));
  serve('/r/:id', (request, reply) => {
    const { id = '' } = request.params as { readonly id?: string };
    return sendSeeOther(reply, `${address()}/r/${encodeURIComponent(id)}`);
  });

  function serve(
    path: string,
    answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<unknown>,
  ): void {
    const url = `${root}/:pass${path}`;
    scope.get(url, {
      schema: { hide: true },
      handler: (request, reply) => {
        const { pass: sealed = '' } = request.params as { readonly pass?: string };
        if (pass.open(sealed, now()) === 'preview') return answer(request, reply);
        reply.callNotFound();
        return reply;
      },
    });
  }
}

/** Both stand in one page, because a reader's landmarks then have names of their own. */
function page(path: string, options: WidgetOptions): string {
  return html`<!doctype html>
    <html lang="${options.language ?? 'en'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Widget</title>
        <link rel="stylesheet" href="${assets.style}" />
      </head>
      <body class="framed">
        <div id="light"></div>
        <div id="dark"></div>
        ${(['light', 'dark'] as const).map((theme) => {
          const shown = { 'data-key': 'preview', ...attributesOf({ ...options, theme, target: theme }) };
          const attributes = Object.entries(shown).map(([name, value]) => html` ${name}="${value}"`);
          return html`<script
            src="${path}${widgetAddress(options.language, Object.keys(options.colours).length > 0)}"
            ${attributes}
          ></script>`;
        })}
      </body>
    </html>`.text;
}

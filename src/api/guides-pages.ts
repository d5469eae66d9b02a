import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createKey, type MadeKey } from '../actions/keys.ts';
import { logPath } from './audit/log-paths.ts';
import type { PageDependencies } from './dashboard-dependencies.ts';
import { allGuides, filledIn, guideOf, guidesFolder } from './guides-markdown.ts';
import { searchGuides } from './guides-search.ts';
import { errorsPath } from './http/responses/problem.ts';
import { en as keyTexts } from './keys/texts.ts';
import { personForm } from './pages/action-form.ts';
import { assets } from './pages/assets/assets.ts';
import { button, field, form, notice } from './pages/controls.ts';
import { html, type Html } from './pages/html.ts';
import { signInPath } from './pages/interaction.ts';
import type { PageContext, View } from './pages/page-context.ts';
import { filterBar } from './pages/parts/list-controls.ts';
import { copyableLines, secretOnce } from './pages/parts/show-once.ts';
import { docsPath, guides, guidesByReader, isGuide, paths, type GuideName } from './pages/paths.ts';
import { servePage } from './pages/serve-page.ts';
import { listPath } from './read-api.ts';
import { referencePath } from './reference-page.ts';

/** The guides: the page that leads to them with its search, each of them, and their pictures. */
export function serveGuides(scope: FastifyInstance, dependencies: PageDependencies): void {
  servePage(scope, dependencies, {
    audience: 'everybody',
    path: docsPath,
    get: ({ query, currentUser }) => overview(dependencies, query.get('q') ?? '', currentUser !== undefined),
  });
  void scope.register((inner, _options, done) => {
    inner.addHook('onRequest', (request, reply, next) => {
      if (isGuide(nameIn(request))) next();
      else reply.callNotFound();
    });
    const path = `${docsPath}/:guide`;
    servePage(inner, dependencies, {
      audience: 'everybody',
      path,
      get: (pageContext) => guideView(dependencies, pageContext),
    });
    servePage(inner, dependencies, keyForGuide(path)(dependencies));
    done();
  });
  servePictures(scope);
}

const nameIn = ({ params }: { readonly params: unknown }): string =>
  (params as { readonly guide?: string }).guide ?? '';

/** All guides by reader, or the places where words were found. */
async function overview({ config }: PageDependencies, words: string, signedIn: boolean): Promise<View> {
  const searched = words.trim() === '' ? undefined : await searchGuides(words);
  const all = new Map(await allGuides());
  const signInAt = config.authUrl ?? '';
  return {
    title: 'Guides',
    style: assets.guides,
    content: html`<p class="lead">How to run a directory, build on it, and look after this service.</p>
      ${search(words)}
      ${
        searched
          ? html`<p role="status">
                ${searched.length === 0 ? `Nothing was found for “${words}”. Try other words.` : `The best places for “${words}”:`}
              </p>
              <ul class="found">
                ${searched.map(
                  ({ path, guide, heading, excerpt }) =>
                    html`<li>
                      <a href="${path}">${heading === '' ? guide : `${guide}: ${heading}`}</a>
                      <p class="quiet small">${excerpt}</p>
                    </li>`,
                )}
              </ul>`
          : html`<div class="readers">
              ${Object.entries(guidesByReader).map(
                ([reader, names]) =>
                  html`<section class="card">
                    <h2>${reader}</h2>
                    <ul class="points">
                      ${names.map((name) => html`<li><a href="${guides[name]}">${all.get(name)?.title ?? name}</a></li>`)}
                      ${reader === 'I integrate' ? furtherForDevelopers : ''}
                    </ul>
                  </section>`,
              )}
            </div>`
      }
      ${
        signedIn
          ? ''
          : html`<p>
              <a href="${signInAt}${signInPath}?to=${docsPath}">Sign in</a> to make a key while you read, or
              open <a href="${signInAt}${paths.me}">your account</a>.
            </p>`
      }`,
  };
}

const furtherForDevelopers = html`<li><a href="${referencePath}">API reference</a></li>
  <li><a href="/openapi.json">OpenAPI 3.1</a></li>
  <li><a href="${errorsPath}">Errors, and what to do about them</a></li>
  <li><a href="${logPath}">Proof log: check that the record of changes is whole</a></li>`;

const search = (words: string): Html =>
  filterBar({
    action: docsPath,
    label: 'Search all guides',
    button: 'Search',
    fields: field({ name: 'q', label: 'What you look for', value: words, optional: true, maxlength: 200 }),
  });

interface Made {
  readonly made: MadeKey;
  /** What the first call with the key was answered. */
  readonly answered: Html | '';
}

/** A guide; its examples have the address of this installation, and the key that was just made. */
function guideView(dependencies: PageDependencies, pageContext: PageContext, done?: Made): View {
  const name = nameIn(pageContext.request) as GuideName;
  const guide = guideOf(name);
  const parts = guide.sections.filter(({ level }) => level === 2);
  return {
    title: guide.title,
    style: assets.guides,
    content: html`<p class="quiet small"><a href="${docsPath}">All guides</a></p>
      ${guide.takesKey ? keyPart(dependencies, pageContext, name, done) : ''}
      ${
        parts.length > 2
          ? html`<nav class="contents" aria-label="On this page">
              <ul>
                ${parts.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}
              </ul>
            </nav>`
          : ''
      }
      <div class="guide">${filledIn(guide, dependencies.address(), done?.made.key)}</div>
      ${search('')}`,
  };
}

/** How the examples get a key. */
function keyPart(
  { forms, config }: PageDependencies,
  { currentUser }: PageContext,
  name: GuideName,
  done?: Made,
): Html {
  if (done?.made.key !== undefined) {
    const { heading, sentence } = keyTexts.made;
    const filled = `${sentence} The examples below hold it now, on this page alone.`;
    return html`${secretOnce({ label: heading, value: done.made.key, sentence: filled, kept: 'hashed' })}${done.answered}`;
  }
  if (!currentUser)
    return html`<p class="card">
      <a href="${config.authUrl ?? ''}${signInPath}?to=${encodeURIComponent(guides[name])}">Sign in</a> and
      this page makes a key for you, in place of <code>api_pk_…</code> in its examples.
    </p>`;
  return html`${done ? notice(keyTexts.made.repeated, 'plain') : ''}
    <section class="card">
      <p>The examples hold <code>api_pk_…</code> in place of a key that reads the directory.</p>
      ${form({
        action: guides[name],
        token: forms.for(currentUser.session.sessionId),
        content: button('Make a key and fill it in'),
      })}
      <p class="quiet small">
        You find it later among <a href="${paths.developers}">your developer keys</a>, and revoke it there.
      </p>
    </section>`;
}

/** Makes a developer key that reads, and answers with the guide whose examples hold it. Nothing keeps it. */
const keyForGuide = (path: string) =>
  personForm({
    path,
    action: createKey,
    also: ({ request }) => {
      const { title } = guideOf(nameIn(request) as GuideName);
      return { scopes: ['resources:read'], label: `Made on the guide “${title}”` };
    },
    done: async (pageContext, made, dependencies) =>
      guideView(dependencies, pageContext, {
        made,
        answered: await firstCall(pageContext, made, dependencies),
      }),
  });

/** Makes the first call of a guide with the key, so that its answer is seen without a terminal. */
async function firstCall(
  { request }: PageContext,
  { key }: MadeKey,
  { address }: PageDependencies,
): Promise<Html | ''> {
  if (nameIn(request) !== 'first-call' || key === undefined) return '';
  const path = `${listPath}?limit=1`;
  const headers = { authorization: `Bearer ${key}` };
  const { statusCode, payload } = await request.server.inject({ url: path, headers });
  const answer = JSON.stringify(JSON.parse(payload), null, 2);
  return html`<section class="card">
    <h2>Your first call</h2>
    <p>
      This page has asked <code>${address()}${path}</code> with your key. The answer has the status
      ${statusCode}:
    </p>
    ${copyableLines(answer, 'The answer')}
  </section>`;
}

const pictureTypes: Readonly<Record<string, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

function servePictures(scope: FastifyInstance): void {
  const folder = new URL('images/', guidesFolder);
  let files: ReadonlySet<string> | undefined;
  scope.get<{ Params: { file: string } }>(`${docsPath}/images/:file`, {
    schema: { hide: true },
    handler: async ({ params: { file } }, reply) => {
      files ??= new Set(readdirSync(folder).filter((each) => extname(each) in pictureTypes));
      if (files.has(file))
        return reply
          .headers({ 'content-type': pictureTypes[extname(file)], 'cache-control': 'public, max-age=3600' })
          .send(await readFile(new URL(file, folder)));
      reply.callNotFound();
      return reply;
    },
  });
}

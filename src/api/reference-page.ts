import { assets } from './pages/assets/assets.ts';
import { html, type Html } from './pages/html.ts';
import { page } from './pages/frame/page-frame.ts';
import { docsPath } from './pages/paths.ts';
import { errorsPath } from './http/responses/problem.ts';
import {
  anchorOf,
  operationView,
  webhookView,
  type Described,
  type Operation,
} from './reference-operation.ts';
import { written } from './reference-schema.ts';

/** The path of the reference page. */
export const referencePath = `${docsPath}/api`;

/** As much of an OpenAPI document as the page shows. */
export interface Document {
  readonly info: { readonly description?: string };
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Described }>>;
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/** The reference of all operations and webhooks, made from the OpenAPI document. `base`: the address of this installation. */
export function referencePage({ info, components, paths, webhooks }: Document, base: string): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): Operation[] => {
      const described = item[method];
      return described ? [{ method, path, ...described }] : [];
    }),
  );
  const byTag = Map.groupBy(operations, ({ tags }) => tags?.[0] ?? 'Other');
  const schemes = Object.entries(components.securitySchemes);
  return page({
    title: 'API reference',
    head: html`<link rel="stylesheet" href="${assets.reference}" />`,
    content: html`<p class="choices">
        <a href="${docsPath}">All guides</a> <a href="${errorsPath}">Errors</a>
        <a href="/openapi.json">OpenAPI 3.1</a>
      </p>
      ${info.description === undefined ? '' : html`<p class="lead">${written(info.description)}</p>`}
      <p>All paths are below <code>${base}</code>.</p>
      <nav class="card" aria-label="Contents">
        <ul class="contents">
          ${[...byTag].map(
            ([tag, { length }]) =>
              html`<li>
                <a href="#${tagAnchor(tag)}">${tag}</a> <span class="quiet small">${length}</span>
              </li>`,
          )}
          <li>
            <a href="#what-we-send">What webhooks send</a>
            <span class="quiet small">${Object.keys(webhooks).length}</span>
          </li>
          <li><a href="#security">Keys and tokens</a></li>
        </ul>
      </nav>
      ${[...byTag].map(
        ([tag, all]) =>
          html`<h2 id="${tagAnchor(tag)}">${tag}</h2>
            ${linksTo(all.map((each) => [anchorOf(each), each.summary ?? each.path]))}
            ${all.map((each) => operationView(each, base))}`,
      )}
      <h2 id="what-we-send">What webhooks send</h2>
      ${linksTo(Object.keys(webhooks).map((event) => [`webhook-${event}`, event]))}
      ${Object.entries(webhooks).map(([event, { post }]) => webhookView(event, post))}
      <h2 id="security">Keys and tokens</h2>
      <ul class="fields card">
        ${schemes.map(
          ([name, { description = '' }]) =>
            html`<li id="security-${name}"><code class="name">${name}</code> ${written(description)}</li>`,
        )}
      </ul>`,
  });
}

const tagAnchor = (tag: string): string => `tag-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

const linksTo = (links: readonly (readonly [anchor: string, text: string])[]): Html =>
  html`<ul class="points">
    ${links.map(([anchor, text]) => html`<li><a href="#${anchor}">${text}</a></li>`)}
  </ul>`;

import { html, type Html } from './pages/html.ts';
import { errorsPath } from './http/responses/problem.ts';
import { fieldView, sampleOf, schemaView, written, type Schema } from './reference-schema.ts';

export interface Described {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Contents = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

interface Response {
  readonly description: string;
  readonly content?: Contents;
  readonly headers?: Readonly<Record<string, Schema & { readonly schema?: Schema }>>;
}

/** An operation of the document: GET /v1/things. */
export interface Operation extends Described {
  readonly method: string;
  readonly path: string;
}

/** Its place on the page. */
export const anchorOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/-$/, '');

/** How an operation of each security scheme is called. */
const credentials: Readonly<Record<string, string>> = {
  key: `-H 'Authorization: Bearer api_…'`,
  accessToken: `-H 'Authorization: Bearer ACCESS_TOKEN'`,
  legacyKey: `-H 'X-API-Key: api_…'`,
};

/** One operation: what it takes, what it answers, what it refuses, and an example. */
export function operationView(operation: Operation, base: string): Html {
  const { method, path, summary = '', description, deprecated, security = [] } = operation;
  const { parameters = [], requestBody, responses } = operation;
  const of = html`<span class="unseen"> of ${method.toUpperCase()} ${path}</span>`;
  const answers = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const refusals = Object.entries(responses).filter(([status]) => !/^[23]/.test(status));
  return html`<section class="card operation" id="${anchorOf(operation)}">
    <h3>
      <a href="#${anchorOf(operation)}"
        ><code><b>${method.toUpperCase()}</b> ${breakable(path)}</code></a
      >
    </h3>
    <p><strong>${summary}</strong>${deprecated ? ' Deprecated.' : ''}</p>
    ${description === undefined ? '' : html`<p>${written(description)}</p>`}
    <p class="quiet small">${credentialOf(security)}</p>
    ${parametersView(parameters, of)}
    ${Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) =>
      opened(html`Body${of} <span class="type">${type}</span>`, schema ? schemaView(schema) : ''),
    )}
    ${answers.map(([status, answer]) => answerView(status, answer, of))}
    ${refusals.length === 0 ? '' : refusalsView(refusals, of)}
    ${opened(html`Example${of}`, html`<pre><code>${curlOf(operation, base)}</code></pre>`)}
  </section>`;
}

/** A webhook: what we send, and what is expected of the receiver. */
export function webhookView(
  event: string,
  { description, parameters, requestBody, responses }: Described,
): Html {
  const of = html`<span class="unseen"> of ${event}</span>`;
  const [[type, { schema, example }] = ['', {}]] = Object.entries(requestBody?.content ?? {});
  return html`<section class="card operation" id="webhook-${event}">
    <h3>
      <a href="#webhook-${event}"><code>${event}</code></a>
    </h3>
    ${description === undefined ? '' : html`<p>${written(description)}</p>`}
    ${parametersView(parameters ?? [], of, 'Headers')}
    ${opened(html`Body${of} <span class="type">${type}</span>`, schema ? schemaView(schema) : '')}
    ${Object.entries(responses).map(
      ([status, answer]) => html`<p class="small"><code>${status}</code> ${written(answer.description)}</p>`,
    )}
    ${opened(html`Example${of}`, html`<pre><code>${JSON.stringify(example, null, 2)}</code></pre>`)}
  </section>`;
}

const opened = (summary: Html, content: Html | ''): Html =>
  html`<details>
    <summary>${summary}</summary>
    ${content}
  </details>`;

const credentialNames: Readonly<Record<string, string>> = {
  key: 'a key',
  accessToken: 'an access token',
  legacyKey: 'a key in the header X-API-Key',
  legacyKeyInQuery: 'in the parameter key',
};

function credentialOf(security: NonNullable<Described['security']>): Html | string {
  const names = security.flatMap((each) => Object.keys(each));
  if (names.length === 0) return 'Needs no key.';
  return html`Needs
  ${names.map((name, index) => html`${index > 0 ? ' or ' : ''}<a href="#security-${name}">${credentialNames[name] ?? name}</a>`)}.`;
}

const parametersView = (parameters: readonly Parameter[], of: Html, title = 'Parameters'): Html | '' =>
  parameters.length === 0
    ? ''
    : opened(
        html`${title}${of} <span class="type">${parameters.map(({ name }) => name).join(', ')}</span>`,
        html`<ul class="fields">
          ${parameters.map((each) =>
            fieldView(each.name, each.schema, each.required === true, each.description),
          )}
        </ul>`,
      );

function answerView(status: string, { description, content = {}, headers = {} }: Response, of: Html): Html {
  const [[type, { schema }] = ['', {}]] = Object.entries(content);
  const text = description === 'Default Response' ? '' : written(description);
  const names = Object.entries(headers);
  return opened(
    html`Answer ${status}${of} <span class="type">${type}</span>`,
    html`${text === '' ? '' : html`<p>${text}</p>`} ${schema ? schemaView(schema) : ''}
    ${
      names.length === 0
        ? ''
        : html`<p class="type">Headers</p>
            <ul class="fields">
              ${names.map(([name, each]) => fieldView(name, each.schema ?? each, false, each.description))}
            </ul>`
    }`,
  );
}

const refusalsView = (refusals: readonly (readonly [string, Response])[], of: Html): Html =>
  opened(
    html`Errors${of} <span class="type">${refusals.map(([status]) => status).join(', ')}</span>`,
    html`<ul class="fields">
        ${refusals.map(
          ([status, { description }]) =>
            html`<li><code class="name">${status}</code> ${written(description)}</li>`,
        )}
      </ul>
      <p class="small"><a href="${errorsPath}">The codes of errors, and what to do</a></p>`,
  );

/** A path may break behind each slash, so that it fits on a phone. */
const breakable = (path: string): Html =>
  html`${path.split('/').map((part, index) => html`${index > 0 ? html`/<wbr />` : ''}${part}`)}`;

/** A call to paste into a terminal, with values that stand for those of the caller. */
function curlOf(
  { method, path, parameters = [], security = [], requestBody }: Operation,
  base: string,
): string {
  const sample = ({ schema, name }: Parameter) => encodeURIComponent(String(sampleOf(schema, name)));
  const inPath = parameters.filter((each) => each.in === 'path');
  const filled = inPath.reduce((at, each) => at.replace(`{${each.name}}`, sample(each)), path);
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map((each) => `${each.name}=${sample(each)}`)
    .join('&');
  const [name] = Object.keys(security[0] ?? {});
  const [[type, { schema }] = ['', {}]] = Object.entries(requestBody?.content ?? {});
  return [
    `curl${method === 'get' ? '' : method === 'head' ? ' -I' : ` -X ${method.toUpperCase()}`} '${base}${filled}${query === '' ? '' : `?${query}`}'`,
    ...(name === undefined ? [] : [credentials[name] ?? '']),
    ...(schema === undefined ? [] : [`-H 'Content-Type: ${type}'`, `-d '${bodyOf(type, sampleOf(schema))}'`]),
  ].join(' \\\n  ');
}

function bodyOf(type: string, value: unknown): string {
  if (type === 'application/json') return JSON.stringify(value).replaceAll(`'`, `'\\''`);
  return new URLSearchParams(value as Record<string, string>).toString();
}

/** What is wrong with an OpenAPI 3.1 document: its parts as section 4.8 of the specification has them, and its schemas. */
export function problemsOf(document: unknown): string[] {
  const problems: string[] = [];
  const report = (at: string, problem: string) => problems.push(`${at}: ${problem}`);
  const {
    openapi,
    info,
    paths,
    webhooks,
    components,
    servers,
    tags: _tags,
    ...others
  } = recordOf(document, '', report);
  if (typeof openapi !== 'string' || !/^3\.1\.\d+$/.test(openapi)) report('openapi', 'is no version 3.1');
  for (const name of Object.keys(others)) report(name, 'is no part of a document');
  const { title, version } = recordOf(info, 'info', report);
  for (const each of [title, version]) if (typeof each !== 'string') report('info', 'lacks title or version');
  if (!Array.isArray(servers)) report('servers', 'is no list');
  const { securitySchemes } = recordOf(components, 'components', report);
  const schemes = recordOf(securitySchemes, 'securitySchemes', report);
  for (const [name, scheme] of Object.entries(schemes)) {
    const { type, scheme: kind, in: place, name: of } = recordOf(scheme, name, report);
    if (type === 'http' ? typeof kind !== 'string' : !(type === 'apiKey' && place && of))
      report(name, 'is no security scheme');
  }
  const operations: (readonly [at: string, path: string | undefined, operation: unknown])[] = [];
  for (const [path, item] of Object.entries(recordOf(paths, 'paths', report))) {
    if (!path.startsWith('/')) report(path, 'does not begin with a slash');
    for (const [method, operation] of Object.entries(recordOf(item, path, report)))
      operations.push([`${method} ${path}`, path, operation]);
  }
  for (const [event, item] of Object.entries(recordOf(webhooks, 'webhooks', report)))
    for (const [method, operation] of Object.entries(recordOf(item, event, report)))
      operations.push([`${method} ${event}`, undefined, operation]);
  for (const [at, path, operation] of operations)
    checkOperation(at, path, operation, Object.keys(schemes), report);
  return problems;
}

type Report = (at: string, problem: string) => void;
type Members = Readonly<Record<string, unknown>>;

function recordOf(value: unknown, at: string, report: Report): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  report(at, 'is no object');
  return {};
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function checkOperation(
  at: string,
  path: string | undefined,
  operation: unknown,
  schemes: readonly string[],
  report: Report,
): void {
  const method = at.split(' ')[0] ?? '';
  if (!['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'].includes(method))
    report(at, 'has no method');
  const { summary, description, tags, parameters, requestBody, responses, security, deprecated, ...others } =
    recordOf(operation, at, report);
  for (const name of Object.keys(others)) report(at, `${name} is no part of an operation`);
  for (const text of [summary, description])
    if (text !== undefined && typeof text !== 'string') report(at, 'text');
  if (!listOf(tags).every((tag) => typeof tag === 'string') || listOf(tags).length === 0) report(at, 'tags');
  if (deprecated !== undefined && typeof deprecated !== 'boolean') report(at, 'deprecated');
  for (const requirement of listOf(security))
    for (const name of Object.keys(requirement as object))
      if (!schemes.includes(name)) report(at, `there is no security scheme ${name}`);
  const keys = new Set<string>();
  for (const parameter of listOf(parameters)) {
    const { name, in: place, required, schema } = recordOf(parameter, at, report);
    const key = `${String(place)} ${String(name)}`;
    if (keys.has(key)) report(at, `${key} is there twice`);
    keys.add(key);
    if (!['path', 'query', 'header', 'cookie'].includes(String(place))) report(at, `${key} is nowhere`);
    if (place === 'path' && required !== true) report(at, `${key} must be required`);
    checkSchema(`${at} ${key}`, schema, report);
  }
  const inPath = [...(path ?? '').matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => `path ${name}`);
  const described = [...keys].filter((key) => key.startsWith('path '));
  if (inPath.toSorted().join() !== described.toSorted().join()) report(at, 'parameters of the path');
  if (requestBody !== undefined) checkContent(at, recordOf(requestBody, at, report)['content'], report);
  const answers = Object.entries(recordOf(responses, at, report));
  if (answers.length === 0) report(at, 'has no response');
  for (const [status, response] of answers) {
    if (!/^([1-5](\d\d|XX)|default)$/.test(status)) report(at, `${status} is no status`);
    const { description: text, content, headers } = recordOf(response, `${at} ${status}`, report);
    if (typeof text !== 'string') report(`${at} ${status}`, 'has no description');
    if (content !== undefined) checkContent(`${at} ${status}`, content, report);
    for (const [name, header] of Object.entries((headers ?? {}) as Members))
      checkSchema(`${at} ${status} ${name}`, recordOf(header, name, report)['schema'], report);
  }
}

function checkContent(at: string, content: unknown, report: Report): void {
  const types = Object.entries(recordOf(content, at, report));
  if (types.length === 0) report(at, 'has no content');
  for (const [type, { schema }] of types as [string, Members][]) {
    if (!/^[\w.+-]+\/[\w.+*-]+/.test(type)) report(at, `${type} is no media type`);
    if (schema !== undefined) checkSchema(`${at} ${type}`, schema, report);
  }
}

const typeNames = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
/** Keywords of JSON Schema 2020-12 by what they hold. `nullable` and the like were those of OpenAPI 3.0. */
const keywords: Readonly<Record<string, 'schema' | 'schemas' | 'named' | 'number' | 'text' | 'any'>> = {
  ...{ items: 'schema', additionalProperties: 'schema', propertyNames: 'schema', not: 'schema' },
  ...{ anyOf: 'schemas', oneOf: 'schemas', allOf: 'schemas', prefixItems: 'schemas' },
  ...{ properties: 'named', patternProperties: 'named' },
  ...{ minimum: 'number', maximum: 'number', exclusiveMinimum: 'number', exclusiveMaximum: 'number' },
  ...{
    minLength: 'number',
    maxLength: 'number',
    minItems: 'number',
    maxItems: 'number',
    multipleOf: 'number',
  },
  ...{ minProperties: 'number', maxProperties: 'number' },
  ...{ description: 'text', title: 'text', format: 'text', pattern: 'text', contentEncoding: 'text' },
  ...{
    type: 'any',
    required: 'any',
    enum: 'any',
    const: 'any',
    default: 'any',
    examples: 'any',
    deprecated: 'any',
  },
  ...{ uniqueItems: 'any', readOnly: 'any', writeOnly: 'any' },
};

function checkSchema(at: string, schema: unknown, report: Report): void {
  if (typeof schema === 'boolean') return;
  const members = recordOf(schema, at, report);
  for (const [name, value] of Object.entries(members)) {
    const place = `${at}/${name}`;
    switch (keywords[name]) {
      case undefined:
        report(place, 'is no keyword');
        break;
      case 'schema':
        checkSchema(place, value, report);
        break;
      case 'schemas':
        for (const each of listOf(value)) checkSchema(place, each, report);
        if (listOf(value).length === 0) report(place, 'is empty');
        break;
      case 'named':
        for (const [key, each] of Object.entries(recordOf(value, place, report)))
          checkSchema(`${place}/${key}`, each, report);
        break;
      case 'number':
        if (typeof value !== 'number') report(place, 'is no number');
        break;
      case 'text':
        if (typeof value !== 'string') report(place, 'is no text');
        if (name === 'pattern') new RegExp(String(value), 'u');
        break;
      case 'any':
        break;
    }
  }
  for (const type of [members['type'] ?? []].flat())
    if (!typeNames.includes(type as string)) report(at, `${JSON.stringify(type)} is no type`);
  if (!listOf(members['required'] ?? []).every((name) => typeof name === 'string')) report(at, 'required');
  if (members['enum'] !== undefined && listOf(members['enum']).length === 0) report(at, 'enum is empty');
}

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const folder = new URL('schemas/', import.meta.url);
const read = (name: string): object => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as object;

/** The validator that Fastify uses, found from there. */
type Validate = ((value: unknown) => boolean) & { readonly errors?: readonly object[] | null };
const fromFastify = createRequire(createRequire(import.meta.url).resolve('fastify'));
const compilerFactory = fromFastify('@fastify/ajv-compiler') as () => (
  schemas: Readonly<Record<string, object>>,
  options: object,
) => (part: { readonly schema: object }) => Validate;

const names = readdirSync(folder).filter(
  (name) => name.endsWith('.json') && !['openapi.json', 'datapackage.json'].includes(name),
);
const compile = compilerFactory()(
  Object.fromEntries(names.map((name) => [name, { $id: `https://hsds.example.org/${name}`, ...read(name) }])),
  // As published: nothing is coerced, filled in or taken away. Names of columns and such are no keywords.
  {
    customOptions: {
      strict: false,
      coerceTypes: false,
      useDefaults: false,
      removeAdditional: false,
      allErrors: true,
    },
  },
);

/** What is wrong with a value by a published schema of HSDS 3.1, such as `service.json`. */
export function problemsBy(name: string): (value: unknown) => readonly object[] {
  const validate = compile({ schema: { $ref: `https://hsds.example.org/${name}` } });
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

export interface PublishedField {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly constraints?: {
    readonly required?: boolean;
    readonly unique?: boolean;
    readonly enum?: readonly string[];
  };
}

export interface PublishedTable {
  readonly name: string;
  readonly path: string;
  readonly schema: {
    readonly fields: readonly PublishedField[];
    readonly foreignKeys?: readonly {
      readonly fields: string;
      readonly reference: { readonly resource: string; readonly fields: string };
    }[];
  };
}

/** The tables of the published datapackage, by their paths. */
export const publishedTables: ReadonlyMap<string, PublishedTable> = new Map(
  (read('datapackage.json') as { readonly resources: readonly PublishedTable[] }).resources.map((table) => [
    table.path,
    table,
  ]),
);

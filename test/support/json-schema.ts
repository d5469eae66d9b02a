import { createRequire } from 'node:module';

/** The validator that Fastify uses, in its dialect of 2020-12, found from there. */
const fromFastify = createRequire(createRequire(import.meta.url).resolve('fastify'));
const fromCompiler = createRequire(fromFastify.resolve('@fastify/ajv-compiler'));
type Validate = ((value: unknown) => boolean) & { readonly errors?: readonly object[] | null };
const { Ajv2020 } = fromCompiler('ajv/dist/2020') as {
  Ajv2020: new (options: object) => {
    addFormat(name: string, check: (text: string) => boolean): void;
    compile(schema: object): Validate;
  };
};

/** What is wrong with a value by a JSON Schema (2020-12). Unknown keywords and formats of the schema are errors too. */
export function problemsBySchema(schema: object): (value: unknown) => readonly object[] {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  // The patterns that stand beside these formats are stricter.
  for (const format of ['uuid', 'date-time', 'email']) ajv.addFormat(format, (text) => text !== '');
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

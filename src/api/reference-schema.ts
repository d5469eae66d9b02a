import { errorsPath } from './http/responses/problem.ts';
import { html, type Html } from './pages/html.ts';

/** As much of JSON Schema (2020-12) as our own descriptions use. None of them refers to another. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/**
 * A sentence of the document with what stands between backticks as code, and with a link to the list of errors. Where a rule
 * stands is left to the document.
 */
export const written = (text: string): Html =>
  html`${text
    .replace(/ \((?:RFC|interface) [^)]*\)/g, '')
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : linked(part)))}`;

const linked = (text: string): readonly (Html | string)[] =>
  text
    .split(errorsPath)
    .flatMap((part, index) =>
      index === 0 ? [part] : [html`<a href="${errorsPath}">${errorsPath}</a>`, part],
    );

/** What a value looks like: the fields of an object, each with what is in it behind a line to open. */
export function schemaView(schema: Schema): Html {
  const inside = contentOf(schema);
  return html`<p class="type">${typeOf(schema)}</p>
    ${inside ?? ''}`;
}

/** One named value: a parameter, a header, or the field of an object. */
export function fieldView(name: string, schema: Schema, isRequired: boolean, description?: string): Html {
  const text = description ?? schema.description;
  const inside = contentOf(schema);
  return html`<li>
    <code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${
      isRequired ? html` <strong>required</strong>` : ''
    }
    ${text === undefined ? '' : html`<p>${written(text)}</p>`} ${limitsOf(schema)}
    ${
      inside === undefined
        ? ''
        : html`<details>
            <summary>What is in <code>${name}</code></summary>
            ${inside}
          </details>`
    }
  </li>`;
}

const listOf = (items: readonly Html[]): Html =>
  html`<ul class="fields">
    ${items}
  </ul>`;

/** The parts of a value that has some. */
function contentOf(schema: Schema): Html | undefined {
  const { properties, required = [], items, additionalProperties: others } = schema;
  const variants = variantsOf(schema);
  if (variants.length === 1 && variants[0]) return contentOf(variants[0]);
  const nested = variants.filter((each) => contentOf(each) !== undefined);
  if (nested.length > 0)
    return html`${nested.map(
      (each, index) =>
        html`<p class="type">Form ${index + 1}: ${typeOf(each)}</p>
          ${contentOf(each) ?? ''}`,
    )}`;
  if (items) return contentOf(items);
  const named = Object.entries(properties ?? {}).map(([name, each]) =>
    fieldView(name, each, required.includes(name)),
  );
  const any = typeof others === 'object' && Object.keys(others).length > 0 ? others : undefined;
  if (any) named.push(fieldView('any name', any, false));
  return named.length === 0 ? undefined : listOf(named);
}

/** The forms that a value may have, without that it may be null. */
const variantsOf = ({ anyOf, oneOf, allOf }: Schema): readonly Schema[] =>
  [...(anyOf ?? oneOf ?? allOf ?? [])].filter(({ type }) => type !== 'null');

function typeOf(schema: Schema): string {
  const { type, format, items, anyOf, oneOf } = schema;
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  const forms = anyOf ?? oneOf;
  if (forms) return [...new Set(forms.map(typeOf))].join(' or ');
  const names = [type ?? (schema.properties ? 'object' : 'any value')].flat();
  return names
    .map((name) => {
      if (name === 'array' && items) return `array of ${typeOf(items)}`;
      return name === 'string' && format !== undefined ? `string (${format})` : name;
    })
    .join(' or ');
}

/** What limits a value, as far as people need it: long patterns repeat what the format says. */
function limitsOf(schema: Schema): Html | '' {
  const {
    enum: values,
    minimum,
    exclusiveMinimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
  } = schema;
  const { pattern, format } = schema;
  const isSafe = (limit: number | undefined) =>
    limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  const texts = [
    ...(schema.default === undefined ? [] : [`Default ${JSON.stringify(schema.default)}`]),
    ...(isSafe(minimum) ? [`at least ${minimum}`] : []),
    ...(isSafe(exclusiveMinimum) ? [`more than ${exclusiveMinimum}`] : []),
    ...(isSafe(maximum) ? [`at most ${maximum}`] : []),
    ...(minLength === undefined || minLength < 2 ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minItems === undefined ? [] : [`at least ${minItems}`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} of them`]),
  ];
  const shown = values ?? schema.items?.enum;
  return html`${
    shown === undefined
      ? ''
      : html`<p class="quiet small">
          One of ${shown.map((value, index) => html`${index > 0 ? ', ' : ''}<code>${String(value)}</code>`)}
        </p>`
  }${texts.length === 0 ? '' : html`<p class="quiet small">${texts.join(', ')}.</p>`}${
    pattern !== undefined && format === undefined && pattern.length <= 60
      ? html`<p class="quiet small">Form <code>${pattern}</code></p>`
      : ''
  }`;
}

const samples: Readonly<Record<string, string>> = {
  uuid: '7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11',
  'date-time': '2026-03-01T12:00:00Z',
  date: '2026-03-01',
  email: 'ana.ruiz@example.org',
  uri: 'https://example.org/',
};

/** A value that the schema allows, with what is required alone. `name`: of the field. */
export function sampleOf(schema: Schema, name = 'text'): unknown {
  const { enum: values, examples, properties, required = [], items, minimum, exclusiveMinimum } = schema;
  if (examples?.[0] !== undefined) return examples[0];
  if (schema.const !== undefined) return schema.const;
  if (values) return values.includes(named[name]) ? named[name] : values[0];
  if (schema.default !== undefined) return schema.default;
  const [form] = variantsOf(schema);
  if (form) return sampleOf(form, name);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(required.map((each) => [each, sampleOf(properties?.[each] ?? {}, each)]));
    case 'array':
      return (schema.minItems ?? 0) > 0 && items ? [sampleOf(items, name)] : [];
    case 'integer':
    case 'number':
      return minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
    case 'boolean':
      return true;
    case undefined:
    default:
      return textSample(schema, name);
  }
}

const named: Readonly<Record<string, string>> = {
  svc_id: 'r_b6c462d53c8abac0',
  org_id: 'o_b6c462d53c8abac0',
  name: 'Harbour Food Pantry',
  category: 'food',
  currency: 'USD',
};

const textSample = ({ format, pattern }: Schema, name: string): string =>
  (format === undefined ? undefined : samples[format]) ??
  named[name] ??
  (pattern?.startsWith('^r_') ? 'r_b6c462d53c8abac0' : name.toUpperCase());

import { z } from 'zod';
import type { EventDefinition, StreamDefinition } from '../src/events/define.ts';
import { metadata } from '../src/events/metadata.ts';

/** The catalogue as a Markdown page: the content of docs/events.md. */
export function documentOf(streams: readonly StreamDefinition[]): string {
  const parts = [
    '# Events',
    'Every change is one of these events. Events are appended to a stream and never changed. This page is generated ' +
      'from the catalogue in `src/events`.',
    table(
      ['stream', 'events'],
      streams.map(({ name, events }) => [`\`${name}-{id}\``, Object.keys(events).map(link).join(', ')]),
    ),
    '## Metadata of every event',
    fieldsOf(metadata),
    ...streams.flatMap(({ name, events }) => [
      `## \`${name}-{id}\``,
      ...Object.entries(events).flatMap(([type, definition]) => section(type, definition)),
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(type: string, { version, means, data }: EventDefinition): string[] {
  return [`### ${type}`, `Version ${version}. ${means}`, fieldsOf(data)];
}

/** The parts of JSON Schema that our schemas use. */
interface Shape {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

/** A table of the fields of a schema: name, type, remarks. */
export function fieldsOf(schema: z.ZodType): string {
  // The input schema: a transformed text has no schema for its output.
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  const rows = rowsOf(shape, '');
  return rows.length === 0 ? 'No data.' : table(['field', 'type', 'remarks'], rows);
}

/** One row for each field. The fields of a nested object follow it, prefixed with its name. */
function rowsOf({ properties = {}, required = [] }: Shape, under: string): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => [
    [`\`${under}${name}\``, typeOf(field), remarksOn(field, required.includes(name))],
    ...rowsOf(field.type === 'array' ? (field.items ?? {}) : field, `${under}${name}.`),
  ]);
}

function remarksOn({ description }: Shape, required: boolean): string {
  return [...(required ? [] : ['optional']), ...(description === undefined ? [] : [description])].join('; ');
}

function typeOf(field: Shape): string {
  if (field.title !== undefined) return field.title;
  if (field.enum) return field.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  const parts = field.anyOf ?? field.allOf;
  if (parts) return parts.map(typeOf).join(field.anyOf ? ' or ' : ', ');
  switch (field.type) {
    case 'array':
      return `list${countOf(field)} of ${typeOf(field.items ?? {})}`;
    case 'string':
      return textOf(field);
    case 'integer':
    case 'number':
      return (
        field.type + from(field.exclusiveMinimum === undefined ? field.minimum : field.exclusiveMinimum + 1)
      );
    case undefined:
      return 'any';
    default:
      return field.type;
  }
}

function textOf({ format, pattern, maxLength }: Shape): string {
  if (format === 'uuid') return 'UUID';
  if (format === 'email') return 'email address';
  if (format === 'date-time') return 'time, ISO 8601 UTC';
  const length = maxLength === undefined ? '' : `, up to ${maxLength.toLocaleString('en')} characters`;
  return `text${length}${pattern === undefined ? '' : `, matching \`${pattern}\``}`;
}

function countOf({ minItems, maxItems }: Shape): string {
  if (maxItems !== undefined) return ` (${minItems ?? 0} to ${maxItems})`;
  return minItems === undefined ? '' : ` (at least ${minItems})`;
}

const from = (minimum: number | undefined): string =>
  minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : `, from ${minimum}`;

const link = (type: string): string => `[${type}](#${type.toLowerCase()})`;

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

import { keyOf, textOf } from '../mongodb-keys.ts';
import { termsIn } from './terms.ts';
import type { Change, CollectionSpec, Scalar, Stored } from './port.ts';

/**
 * A document of a generation as it is stored: its declared fields and ours. The names of ours begin with an underscore,
 * so that a document can have a field `id` or `position`.
 */
export interface Row {
  readonly _id: string;
  /** The position of the last event that changed it. */
  readonly _p: bigint;
  /** 1, the first field of every index. A tombstone has only `_id` and `_p`. */
  readonly _a?: 1;
  /**
   * All other fields as JSON. JSON keeps any keys and numbers exactly, and parsing it costs half as much as building an
   * object from BSON.
   */
  readonly _b?: string;
  /** The terms. */
  readonly _w?: readonly string[];
  readonly [declared: string]: unknown;
}

type AnySpec = Pick<CollectionSpec<Record<string, unknown>>, 'fields' | 'terms'>;

/** Fields that are not read with a document. */
export const unread = { _w: 0, _a: 0 } as const;

export function rowOf(spec: AnySpec, { id, doc, position }: Change<object>): Row {
  const key = { _id: storable(id), _p: position };
  if (!doc) return key;
  const fields: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(doc)) {
    if (!spec.fields.includes(field)) rest[field] = value;
    else if (value !== undefined) fields[field] = storable(value as Scalar);
  }
  const text = doc as Record<string, unknown>;
  const terms = spec.terms === undefined ? undefined : text[spec.terms];
  return {
    ...key,
    _a: 1,
    ...fields,
    _b: JSON.stringify(rest),
    ...(typeof terms === 'string' ? { _w: [...new Set(termsIn(terms))] } : {}),
  };
}

/** The document of a row. Undefined for a tombstone. */
export function documentOf<Doc extends object>(
  { fields }: Pick<CollectionSpec<Doc>, 'fields'>,
  row: Row,
): Doc | undefined {
  if (row._b === undefined) return undefined;
  const doc = JSON.parse(row._b) as Record<string, unknown>;
  for (const field of fields) {
    const value = row[field];
    if (value !== undefined) doc[field] = stored(value as Scalar);
  }
  return doc as Doc;
}

export function storedOf<Doc extends object>(
  spec: Pick<CollectionSpec<Doc>, 'fields'>,
  row: Row,
): Stored<Doc> {
  return { doc: documentOf(spec, row), position: row._p };
}

/** Some of the declared fields. */
export function selectedOf<Doc extends object, Field extends keyof Doc & string>(
  row: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
): Pick<Doc, Field> {
  const doc: Record<string, unknown> = {};
  for (const field of fields) {
    const value = row[field];
    if (value !== undefined) doc[field] = stored(value as Scalar);
  }
  return doc as Pick<Doc, Field>;
}

/**
 * A value as it is stored (see keyOf). Most texts are stored unchanged.
 * @throws StoreError misuse, for a lone surrogate
 */
export function storable<Value extends Scalar>(value: Value): Value {
  return typeof value === 'string' && special.test(value) ? (keyOf(value) as Value) : value;
}

/** A value to compare with. One that cannot be stored equals no stored value. */
export function sought<Value extends Scalar>(value: Value): Value {
  return storable(typeof value === 'string' ? (value.toWellFormed() as Value) : value);
}

export function stored<Value extends Scalar>(value: Value): Value {
  if (typeof value !== 'string' || !(value.includes('\x01') || value.includes('\uffff'))) return value;
  return textOf(value) as Value;
}

// The characters that keyOf escapes or refuses.
const special = /[\0\x01\ud800-\udfff\uffff]/; // eslint-disable-line no-control-regex

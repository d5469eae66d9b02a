import { z } from 'zod';

/** Values that satisfy a schema, and are what it makes of them. */
const checked = new WeakMap<object, z.ZodType>();

/**
 * Says that a value satisfies a schema and is what the schema makes of it, because it was checked before, perhaps in
 * another thread. `newEvent` then checks what is beside it. Nothing may change the value afterwards.
 */
export function declareChecked<Value extends object>(schema: z.ZodType<Value>, value: Value): Value {
  checked.set(value, schema);
  return value;
}

/** An object without a member that was checked before, and the schema of the other members. */
export interface PartlyChecked {
  readonly name: string;
  readonly value: object;
  readonly rest: z.ZodType<Readonly<Record<string, unknown>>>;
}

/** The member of an object that was checked before against its schema there. */
export function memberCheckedBefore(schema: z.ZodType, value: unknown): PartlyChecked | undefined {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'object' || member === null) continue;
    const checkedBy = checked.get(member as object);
    if (checkedBy === undefined || checkedBy !== (schema.shape as Record<string, unknown>)[name]) continue;
    return { name, value: member as object, rest: without(schema, name) };
  }
  return undefined;
}

const schemasWithout = new WeakMap<z.ZodObject, Map<string, PartlyChecked['rest']>>();

function without(schema: z.ZodObject, name: string): PartlyChecked['rest'] {
  const ofSchema = schemasWithout.get(schema) ?? new Map<string, PartlyChecked['rest']>();
  schemasWithout.set(schema, ofSchema);
  const rest =
    ofSchema.get(name) ?? schema.omit({ [name]: true } as Record<string, true> & Record<number, never>);
  ofSchema.set(name, rest);
  return rest;
}

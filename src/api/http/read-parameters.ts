import { z } from 'zod';
import { resourceProblem } from './responses/api-errors.ts';
import { queryOf, readQuery } from './query-string.ts';

/**
 * Reads the query of a request by the schema that documents it.
 * @throws Problem, BadQuery naming the parameter
 */
export function readParameters<Shape extends z.ZodRawShape>(
  target: string,
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const values: Record<string, unknown> = readQuery(queryOf(target), Object.keys(schema.shape));
  for (const [name, text] of Object.entries(values))
    if (isNumber(schema.shape[name])) values[name] = numberIn(String(text));
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw wrongParameter(String(issue?.path[0]), issue?.message);
}

/** The parameter, and what it must be. */
export const wrongParameter = (name: string, problem = 'is not valid') =>
  resourceProblem('invalid_parameter', `${name} ${problem}.`);

function isNumber(schema: unknown): boolean {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return isNumber(schema.unwrap());
  return schema instanceof z.ZodNumber;
}

/** Where it is written as such. What is not stays a text, which the schema refuses. */
const numberIn = (text: string): string | number =>
  /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : text;

/** A schema for the reference page only. The handler checks the values itself. */
export const documentedOnly = () => (data: unknown) => ({ value: data });

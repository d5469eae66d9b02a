import type { z } from 'zod';

/** A wrong command line. The message names the option. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Checks the value of an option. @throws UsageError */
export function option<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue && issue.path.length > 0 ? ` (${issue.path.join('.')})` : '';
  throw new UsageError(`${name}${place}: ${issue?.message ?? 'is not valid'}`);
}

/** Splits `a,b` into a list, without empty parts. */
export const listed = (value: string): string[] =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Parses a positive integer. @throws UsageError */
export function count(name: string, value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageError(`${name}: must be a whole number from 1`);
  return Number(value);
}

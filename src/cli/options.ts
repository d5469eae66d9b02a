import type { z } from 'zod';

/** A command line that cannot be meant; the message names the option. */
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

/** `a,b` as a list; empty parts are left out. */
export const listed = (value: string): string[] =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Text as a whole number from 1. @throws UsageError */
export function count(name: string, value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageError(`${name}: must be a whole number from 1`);
  return Number(value);
}

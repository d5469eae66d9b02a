import { OAuthRefused } from '../../commands/oauth/errors.ts';

/** Parameters as they came. One that is in `refused` is not in `values`. */
export interface Parameters<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>;
  /** What is wrong with each refused parameter. Undefined when nothing is. */
  readonly refused: ReadonlyMap<Name, string> | undefined;
}

/**
 * Parses a query string or a form body (RFC 6749 appendix B). Unknown names are ignored, an empty value counts as
 * absent, and no name may occur twice (RFC 6749 section 3.1, 3.2).
 *
 * Without URLSearchParams, because it replaces broken encoding silently.
 */
export function readParameters<Name extends string>(
  text: string,
  names: ReadonlySet<Name>,
): Parameters<Name> {
  const values: Partial<Record<Name, string>> = {};
  let refused: Map<Name, string> | undefined;
  for (let start = 0; start < text.length;) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    const equals = text.indexOf('=', start);
    const nameEnd = equals === -1 || equals > end ? end : equals;
    const name = decoded(text.slice(start, nameEnd)) as Name | undefined;
    if (name !== undefined && nameEnd + 1 < end && names.has(name)) {
      const value = decoded(text.slice(nameEnd + 1, end));
      if (value === undefined) {
        (refused ??= new Map()).set(
          name,
          `The parameter ${name} is not percent-encoded UTF-8 (RFC 6749 appendix B).`,
        );
      } else if (values[name] !== undefined) {
        (refused ??= new Map()).set(
          name,
          `The parameter ${name} came more than once (RFC 6749 section 3.1).`,
        );
      } else values[name] = value;
    }
    start = end + 1;
  }
  for (const name of refused?.keys() ?? []) Reflect.deleteProperty(values, name);
  return { values, refused };
}

/** The values, when nothing is wrong with any. @throws OAuthRefused invalid_request */
export function soundValues<Name extends string>({
  values,
  refused,
}: Parameters<Name>): Parameters<Name>['values'] {
  for (const sentence of refused?.values() ?? []) throw new OAuthRefused('invalid_request', sentence);
  return values;
}

/** @throws OAuthRefused invalid_request when it is missing */
export function required<Name extends string>(
  values: Parameters<Name>['values'],
  name: Name,
  rule: string,
): string {
  const value = values[name];
  if (value !== undefined) return value;
  throw new OAuthRefused('invalid_request', `The parameter ${name} is missing (${rule}).`);
}

/** Undefined for a text that is not percent-encoded UTF-8. */
function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text.includes('+') ? text.replaceAll('+', ' ') : text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

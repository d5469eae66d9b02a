import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/**
 * What our script has put into a form: a credential as WebAuthn Level 3 writes it in JSON (section 5.1), as far
 * as we look at it ourselves; the rest is for the library to check. Undefined for anything else.
 */
export function jsonOf(
  text: string | null,
): (RegistrationResponseJSON & AuthenticationResponseJSON) | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  if (!isObject(value) || typeof value['id'] !== 'string' || !isObject(value['response'])) return undefined;
  const { userHandle } = value['response'];
  if (userHandle !== undefined && typeof userHandle !== 'string') return undefined;
  return value as unknown as RegistrationResponseJSON & AuthenticationResponseJSON;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/**
 * A credential that our script put into a form, in the JSON form of WebAuthn Level 3 section 5.1. Checks only the
 * parts that we read; the library checks the rest. Undefined for anything else.
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

/**
 * The WebAuthn library, loaded when the first passkey is used. It is a fifth of the modules of a server, most of them
 * for attestations, and would delay every start.
 */
export const webAuthn = () => import('@simplewebauthn/server');

/**
 * The WebAuthn library, loaded when the first passkey is used. It is a fifth of the modules of a server, most of them
 * for attestations, and would delay every start.
 */
export const webAuthn = () => import('@simplewebauthn/server');

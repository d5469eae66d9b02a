/** The paths of the pages. Those of sign-in and consent are in interaction.ts. */
export const paths = {
  home: '/dash',
  signInByPasskey: '/dash/sign-in/passkey',
  signOut: '/dash/sign-out',
  register: '/dash/register',
  registered: '/dash/register/sent',
  verify: '/dash/verify',
  reset: '/dash/reset',
  resetSent: '/dash/reset/sent',
  newPassword: '/dash/reset/password',
  setUp: '/dash/set-up',
  me: '/dash/me',
  profile: '/dash/me/profile',
  password: '/dash/me/password',
  email: '/dash/me/email',
  confirmEmail: '/dash/me/email/confirm',
  passkeys: '/dash/me/passkeys',
  removePasskey: '/dash/me/passkeys/remove',
  sessions: '/dash/me/sessions',
  endSession: '/dash/me/sessions/end',
  endSessions: '/dash/me/sessions/end-all',
  apps: '/dash/me/apps',
  revoke: '/dash/me/apps/revoke',
  revokeAll: '/dash/me/apps/revoke-all',
  teams: '/dash/me/teams',
  leaveTeam: '/dash/me/teams/leave',
  /** Followed by the slug of the team. */
  join: '/dash/join',
  erase: '/dash/me/erase',
  withdrawErasure: '/dash/me/erase/withdraw',
  ownData: '/dash/me/data',
  sites: '/dash/sites/oauth',
  newSite: '/dash/sites/oauth/new',
  outbox: '/dash/outbox',
} as const;

/** The page for developers. The reference and the list of errors are below it. */
export const docsPath = '/docs';

/**
 * A path of our own pages, from a text that anybody may have written. Undefined for anything else: nobody is
 * redirected to another site (RFC 9700 section 4.11).
 */
export function ownPath(text: string | null): string | undefined {
  return text !== null && /^\/dash(\/[A-Za-z0-9_-]+)*$/.test(withoutInvitation(text)) ? text : undefined;
}

/** The link of an invitation is the one query that goes along: who was invited may have to register first. */
const withoutInvitation = (text: string): string =>
  text.replace(/^(\/dash\/join\/[a-z0-9-]+)\?link=lnk_[0-9A-Za-z]{1,100}$/, '$1');

/** The pages that emails and the command line lead to. The pages themselves find them among their `paths`. */
export const linkedPages = {
  signIn: '/dash/sign-in',
  verify: '/dash/verify',
  reset: '/dash/reset',
  newPassword: '/dash/reset/password',
  confirmEmail: '/dash/me/email/confirm',
  /** Followed by the slug of the team. */
  join: '/dash/join',
  administrators: '/dash/administrators',
  outbox: '/dash/outbox',
  mails: '/dash/me/mails',
  confirmOffice: '/dash/mails/confirm',
  stopOffice: '/dash/mails/stop',
  stopOfficeAtOnce: '/dash/mails/stop/at-once',
  agency: '/k',
  agencyChange: '/k/change',
  claim: '/k/claim',
  claimChange: '/k/claim/change',
  agencyStop: '/k/stop',
  agencyStopAtOnce: '/k/stop/at-once',
  /** Followed by the slug of a team, and by the path of its page without /dash. */
  ofTeam: '/dash/t',
  ownSubmissions: '/resources/mine',
  teamKeys: '/integrations/api-tokens',
  /** Followed by the id of a key. */
  developers: '/dash/developers',
  auditKeys: '/dash/audit/keys',
  /** Followed by the slug of a form. */
  teamForm: '/dash/team/forms/f',
} as const;

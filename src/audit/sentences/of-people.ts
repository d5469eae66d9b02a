import { counted } from '../../ground/counted.ts';
import type { RefusedSignInEvent } from '../../events/accounts/refused-sign-in.ts';
import type { SessionEvent } from '../../events/accounts/session.ts';
import type { EmailEvent } from '../../events/accounts/email.ts';
import type { UserEvent } from '../../events/accounts/user.ts';
import { subjectNamedBy } from '../../events/audit-subjects.ts';
import type { TeamEvent } from '../../events/teams.ts';
import { plainLine, type DescribedEvent, type Speaker } from './speaker.ts';

/** How each event of a group is said. */
export type Sentences<Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]: (
    event: DescribedEvent & Extract<Event, { readonly type: Type }>,
    say: Speaker,
  ) => string;
};

/** The person whose account the stream is about. */
const owner = ({ stream }: { readonly stream: string }): string => subjectNamedBy(stream)?.id ?? '';

const places = {
  browser: 'a browser that had signed in before',
  network: 'one network',
  'wider-network': 'neighbouring networks',
  everywhere: 'several networks',
} as const;

/** Something that people do to their own account, or an operator to theirs. */
const did =
  (verb: string, what: string) =>
  (event: DescribedEvent, say: Speaker): string =>
    say.isBy(owner(event))
      ? `${say.person(owner(event))} ${verb} their ${what}`
      : `${say.actor} ${verb} ${say.person(owner(event))}’s ${what}`;

export const ofAccounts: Sentences<UserEvent | EmailEvent | SessionEvent | RefusedSignInEvent> = {
  SignInsRefused: ({ data: { user, attempts, seconds, from } }, say) =>
    `After ${counted(attempts, 'wrong password')} for ${user === undefined ? 'any accounts' : say.person(user)} within ${counted(seconds / 60, 'minute')} from ${places[from]}, more were refused for a while`,
  UserRegistered: ({ data }, say) =>
    data.role === 'administrator'
      ? `${say.person(data.user)} registered as an administrator`
      : `${say.person(data.user)} registered${data.invitation === undefined ? '' : ' by an invitation'}`,
  UserProfileChanged: did('changed', 'profile'),
  UserEmailChanged: did('changed', 'email address'),
  UserEmailVerified: did('confirmed', 'email address'),
  EmailClaimLapsed: (event, say) =>
    `${say.person(owner(event))} lost an email address that was not confirmed in time`,
  UserPasswordChanged: did('changed', 'password, which ended every session'),
  UserSessionsEnded: (event, say) =>
    say.isBy(owner(event))
      ? `${say.person(owner(event))} signed out everywhere`
      : `${say.actor} signed ${say.person(owner(event))} out everywhere`,
  UserRoleChanged: (event, say) =>
    event.data.role === 'administrator'
      ? `${say.actor} made ${say.person(owner(event))} an administrator`
      : `${say.actor} took the administrator role from ${say.person(owner(event))}`,
  SetUpClosed: ({ data }, say) =>
    `The set-up link became invalid, because ${say.person(data.administrator)} is an administrator`,
  PasskeyAdded: (event, say) =>
    say.isBy(owner(event))
      ? `${say.person(owner(event))} added a passkey`
      : `${say.actor} added a passkey for ${say.person(owner(event))}`,
  PasskeyRemoved: (event, say) =>
    say.isBy(owner(event))
      ? `${say.person(owner(event))} removed a passkey`
      : `${say.actor} removed a passkey of ${say.person(owner(event))}`,
  ErasureRequested: (event, say) =>
    say.isBy(owner(event))
      ? `${say.person(owner(event))} asked to be erased`
      : `${say.actor} asked for ${say.person(owner(event))} to be erased`,
  ErasureWithdrawn: (event, say) =>
    say.isBy(owner(event))
      ? `${say.person(owner(event))} withdrew the request to be erased`
      : `${say.actor} withdrew the request to erase ${say.person(owner(event))}`,
  LegalHoldPlaced: (event, say) => `${say.actor} placed a legal hold on ${say.person(owner(event))}`,
  LegalHoldLifted: (event, say) => `${say.actor} lifted a legal hold on ${say.person(owner(event))}`,
  UserMailsChosen: (event, say) =>
    event.data.decisions
      ? `${say.person(owner(event))} chose to get mails about records that they submitted`
      : `${say.person(owner(event))} chose to get no mails about records that they submitted`,
  OwnDataExported: (event, say) =>
    say.isBy(owner(event))
      ? `${say.person(owner(event))} downloaded what is stored about them`
      : `${say.actor} downloaded what is stored about ${say.person(owner(event))}`,
  UserErased: (_, say) => `${say.actor} erased a person`,
  EmailClaimed: ({ data }, say) => `${say.person(data.user)} claimed an email address`,
  EmailReleased: ({ data }, say) => `An email address of ${say.person(data.user)} was released`,
  SessionStarted: ({ data }, say) => `${say.person(data.user)} signed in`,
  SessionEnded: ({ data }, say) =>
    data.reason === 'replaced'
      ? `A session of ${say.person(data.user)} was replaced by a new one`
      : `${say.person(data.user)} signed out`,
};

const roles = { admin: 'an admin', reviewer: 'a reviewer', member: 'a member' } as const;
const withdrawn = {
  withdrawn: '',
  replaced: ', because a newer one replaced it',
  joined: ', because its person was added without it',
} as const;

export const ofTeams: Sentences<TeamEvent> = {
  TeamCreated: ({ data }, say) => `${say.actor} created the team ${plainLine(data.name)}`,
  TeamRenamed: ({ data }, say) => `${say.actor} renamed the team ${data.team} to ${plainLine(data.name)}`,
  TeamClosed: ({ data }, say) => `${say.actor} closed ${say.team(data.team)}`,
  TeamReopened: ({ data }, say) => `${say.actor} opened ${say.team(data.team)} again`,
  TeamScopesEnabled: ({ data }, say) =>
    data.scopes.length === 0
      ? `${say.actor} took all additional scopes from the keys of ${say.team(data.team)}`
      : `${say.actor} allowed the keys of ${say.team(data.team)} the scopes ${data.scopes.join(', ')}`,
  TeamTimeZoneSet: ({ data }, say) =>
    data.time_zone === undefined
      ? `${say.actor} took the time zone from ${say.team(data.team)}`
      : `${say.actor} set the time zone of ${say.team(data.team)} to ${data.time_zone}`,
  TeamPasskeysRequired: ({ data }, say) =>
    data.required
      ? `${say.actor} made passkeys required in ${say.team(data.team)}`
      : `${say.actor} made passkeys optional in ${say.team(data.team)}`,
  MemberInvited: ({ data }, say) =>
    `${say.actor} invited somebody to be ${roles[data.role]} of ${say.team(data.team)}`,
  InvitationLinkDisclosed: ({ data }, say) =>
    `${say.actor} was shown the link of an invitation to ${say.team(data.team)}`,
  InvitationWithdrawn: ({ data }, say) =>
    `${say.actor} withdrew an invitation to ${say.team(data.team)}${withdrawn[data.reason]}`,
  InvitationExpired: ({ data }, say) => `An invitation to ${say.team(data.team)} was not used in time`,
  MemberJoined: ({ data }, say) =>
    say.isBy(data.user)
      ? `${say.person(data.user)} joined ${say.team(data.team)} as ${roles[data.role]}`
      : `${say.actor} made ${say.person(data.user)} ${roles[data.role]} of ${say.team(data.team)}`,
  MemberRoleChanged: ({ data }, say) =>
    `${say.actor} made ${say.person(data.user)} ${roles[data.role]} of ${say.team(data.team)}`,
  MemberLeft: ({ data }, say) =>
    say.isBy(data.user)
      ? `${say.person(data.user)} left ${say.team(data.team)}`
      : `${say.actor} removed ${say.person(data.user)} from ${say.team(data.team)}`,
};

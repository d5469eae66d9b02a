import { z } from 'zod';
import { displayName } from './display-name.ts';
import { uuidOf } from './ids.ts';
import { timeZone } from './directory/opening-hours.ts';
import { event, line, slug, stream, type EventOf } from './define.ts';
import { emailIndex, sealed, userId } from './oauth/values.ts';

/** Scopes that every key may hold. They reach public data and the submission queue only. */
export const publicScopes = ['resources:read', 'resources:submit'] as const;
/** Scopes that a team key may hold once an administrator has enabled them for its team. */
export const teamScopes = [
  'directory:manage',
  'needs:read',
  'team:manage',
  'members:read',
  'forms:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
] as const;
/** Scopes that an installation key may hold. */
export const installationScopes = ['audit:read'] as const;
export const keyScopes = [...publicScopes, ...teamScopes] as const;
export type KeyScope = (typeof keyScopes)[number];
export const keyScope = z.enum(keyScopes, { message: `must be one of ${keyScopes.join(', ')}` });
export const teamScope = z.enum(teamScopes, { message: `must be one of ${teamScopes.join(', ')}` });

/** What a member may do: administer the team, review submissions to its directory, or belong to it. */
export const memberRoles = ['admin', 'reviewer', 'member'] as const;
export const memberRole = z.enum(memberRoles, { message: `must be one of ${memberRoles.join(', ')}` });
export type MemberRole = z.output<typeof memberRole>;

/** Why an invitation was withdrawn. */
const withdrawalReason = z.enum(['withdrawn', 'replaced', 'joined']);
export type WithdrawalReason = z.output<typeof withdrawalReason>;

/** The team that gets submissions of developers without a team. */
export const commons = { team: 'commons', name: 'Commons' } as const;

/** A team’s slug never changes. The stream `team-{slug}` ensures that it is unique. */
export const teamStream = stream('team', {
  TeamCreated: event(
    'A team was created. It has its own directory.',
    z.strictObject({ team: slug, name: line(200) }),
  ),
  TeamRenamed: event(
    'The team was given another name. Its slug stays.',
    z.strictObject({ team: slug, name: line(200) }),
  ),
  TeamClosed: event(
    'The team was closed. Its keys, sites and webhooks stop, its forms take no answers, and what is public of its directory is taken out. Nothing is erased.',
    z.strictObject({ team: slug, closing: z.uuid().describe('The correlation of all that follows.') }),
  ),
  TeamReopened: event(
    'The team was opened again. What its closing had stopped goes on, and what it had taken out is public again.',
    z.strictObject({ team: slug, closing: z.uuid().describe('The closing that has ended.') }),
  ),
  TeamScopesEnabled: event(
    'The scopes that the team’s keys may have in addition to the public ones were replaced.',
    z.strictObject({ team: slug, scopes: z.array(teamScope) }),
  ),
  TeamTimeZoneSet: event(
    'The time zone was set of the team’s records that do not tell theirs, nor where they are. Absent: none.',
    z.strictObject({ team: slug, time_zone: timeZone.optional() }),
  ),
  TeamPasskeysRequired: event(
    'An admin decided whether the people of the team must sign in with a passkey to open its pages.',
    z.strictObject({ team: slug, required: z.boolean() }),
  ),
  MemberInvited: event(
    'Somebody was invited to the team. The email address is sealed with the invitation’s own data key, which is destroyed when the invitation is no longer open.',
    z.strictObject({
      team: slug,
      invitation: z.uuid(),
      role: memberRole,
      email: emailIndex,
      email_sealed: sealed,
      expires_at: z.iso.datetime(),
      proves_until: z.iso
        .datetime()
        .optional()
        .describe(
          'Until when the link that was mailed proves the address, unless somebody else was shown it. Absent: it proves nothing.',
        ),
    }),
    2,
  ),
  InvitationLinkDisclosed: event(
    'The link of an invitation was shown to somebody else than the invited: an admin copied it, or an administrator opened its email in the outbox. From here on it proves no address.',
    z.strictObject({ team: slug, invitation: z.uuid() }),
  ),
  InvitationWithdrawn: event(
    'An invitation can no longer be used: somebody withdrew it, a newer one to the same address replaced it, or its person was added without it.',
    z.strictObject({ team: slug, invitation: z.uuid(), reason: withdrawalReason }),
  ),
  InvitationExpired: event(
    'An invitation was not used in time.',
    z.strictObject({ team: slug, invitation: z.uuid() }),
  ),
  MemberJoined: event(
    'A person joined the team.',
    z.strictObject({
      team: slug,
      user: userId,
      role: memberRole,
      invitation: z.uuid().optional(),
      person: sealed.describe('The name and email address that webhooks contain.'),
    }),
  ),
  MemberRoleChanged: event(
    'The member’s role was changed.',
    z.strictObject({ team: slug, user: userId, role: memberRole }),
  ),
  MemberLeft: event('The member left the team or was removed.', z.strictObject({ team: slug, user: userId })),
});
export type TeamEvent = EventOf<typeof teamStream>;

/** What a saved view is called. It stands in a list of links, where no name must look like another. */
export const viewName = displayName(60);

/** The filter, order and columns of a table of records, as they stand in its address. */
export const viewQuery = z.string().max(2_000).meta({ title: 'a query string' });

const named = { team: slug, name: viewName } as const;

/** A view of its directory that a team has saved. Its id follows from the team and the name. */
export const viewStream = stream('view', {
  ViewSaved: event(
    'A view of the team’s directory was saved: its filter, order and columns. One of the same name is replaced.',
    z.strictObject({
      ...named,
      query: viewQuery.describe(
        'As in the address of the table. A release that no longer knows a part of it shows the rest.',
      ),
    }),
  ),
  ViewRemoved: event('A saved view was removed.', z.strictObject(named)),
});
export type ViewEvent = EventOf<typeof viewStream>;

/** The id of a view. Names that differ in case alone are one. */
export const viewIdOf = (team: string, name: string): string => uuidOf('view', team, name.toLowerCase());

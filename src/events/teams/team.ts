import { z } from 'zod';
import { event, line, slug, stream, type EventOf } from '../define.ts';
import { sealed, userId } from '../oauth/values.ts';

/** Scopes that every key may hold. They reach public data and the submission queue only. */
export const publicScopes = ['resources:read', 'resources:submit'] as const;
/** Scopes that a team key may hold once an administrator has enabled them for its team. */
export const teamScopes = [
  'directory:manage',
  'members:read',
  'forms:read',
  'payments:write',
  'webhooks:read',
  'audit:read',
] as const;
export const keyScopes = [...publicScopes, ...teamScopes] as const;
export type KeyScope = (typeof keyScopes)[number];
export const keyScope = z.enum(keyScopes, { message: `must be one of ${keyScopes.join(', ')}` });
export const teamScope = z.enum(teamScopes, { message: `must be one of ${teamScopes.join(', ')}` });

/** What a member may do: administer the team, review submissions to its directory, or belong to it. */
export const memberRoles = ['admin', 'reviewer', 'member'] as const;
export const memberRole = z.enum(memberRoles, { message: `must be one of ${memberRoles.join(', ')}` });
export type MemberRole = z.output<typeof memberRole>;

/** A team is identified by its slug for good, so one stream decides who has the slug: `team-{slug}`. */
export const teamStream = stream('team', {
  TeamCreated: event(
    'A team, with a directory of its own, exists.',
    z.strictObject({ team: slug, name: line(200) }),
  ),
  TeamScopesEnabled: event(
    'From now on keys of the team may use exactly these scopes beside the public ones.',
    z.strictObject({ team: slug, scopes: z.array(teamScope) }),
  ),
  MemberInvited: event(
    'Somebody was asked to join; the address is sealed under a data key of the invitation’s own.',
    z.strictObject({ team: slug, invitation: z.uuid(), role: memberRole, email_sealed: sealed }),
  ),
  MemberJoined: event(
    'A person belongs to the team.',
    z.strictObject({
      team: slug,
      user: userId,
      role: memberRole,
      invitation: z.uuid().optional(),
      person: sealed.describe('Name and email address, as webhooks will tell them.'),
    }),
  ),
  MemberRoleChanged: event(
    'The person may do something else in the team.',
    z.strictObject({ team: slug, user: userId, role: memberRole }),
  ),
  MemberLeft: event('The person belongs to the team no more.', z.strictObject({ team: slug, user: userId })),
});
export type TeamEvent = EventOf<typeof teamStream>;

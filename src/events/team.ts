import { z } from 'zod';
import { event, line, slug, stream, type EventOf } from './define.ts';

/** Scopes every key may hold; they reach public data and the submission queue only. */
export const publicScopes = ['resources:read', 'resources:submit'] as const;
/** Scopes a team key may hold once an administrator has enabled them for its team. */
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

/** A team is named for good by its slug, so that one stream decides who has it: `team-{slug}`. */
export const teamStream = stream('team', {
  TeamCreated: event(
    'A team, with a directory of its own, exists.',
    z.strictObject({ team: slug, name: line(200) }),
  ),
  TeamScopesEnabled: event(
    'From now on keys of the team may use exactly these scopes beside the public ones.',
    z.strictObject({ team: slug, scopes: z.array(teamScope) }),
  ),
});
export type TeamEvent = EventOf<typeof teamStream>;

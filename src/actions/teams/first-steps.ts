import { z } from 'zod';
import { action, type ActionParts } from '../action.ts';
import { apiKeys } from '../../projections/keys.ts';
import { resources } from '../../projections/directory/resources.ts';
import { invitations } from '../../projections/teams-invitations.ts';
import { members } from '../../projections/teams-members.ts';

/** The first steps of a team, in the order in which they are taken. */
export const firstSteps = ['record', 'invite', 'show', 'backup'] as const;
export type FirstStep = (typeof firstSteps)[number];

/** Whose list of first steps somebody has closed. By team. */
const dismissed = ({ side }: Pick<ActionParts, 'side'>) =>
  side.table<{ readonly at: string }>('first-steps-dismissed');

/** Of the keys of a team, so many are looked at for one that a page uses. */
const mostKeys = 200;

/**
 * Which of the first steps are done, from what there is. Undefined: all are, or the list was closed. `backedUp`: of those who
 * can take a backup, whether there is one.
 */
export async function firstStepsOf(
  parts: Pick<ActionParts, 'documents' | 'side'>,
  {
    team,
    user,
    backedUp,
  }: { readonly team: string; readonly user: string; readonly backedUp: boolean | undefined },
): Promise<ReadonlyMap<FirstStep, boolean> | undefined> {
  if (await dismissed(parts).get(team)) return undefined;
  const { documents } = parts;
  const keysOf = (
    where: { readonly team: string } | { readonly created_by: string; readonly kind: 'developer' },
  ) =>
    documents
      .collection(apiKeys.collection)
      .page({ where, orderBy: ['created_at', 'key_id'], descending: true, limit: mostKeys });
  const [records, invited, belong, ofTeam, own] = await Promise.all([
    documents.collection(resources.collection).count({ where: { team }, atMost: 1 }),
    documents.collection(invitations.collection).count({ where: { team }, atMost: 1 }),
    documents.collection(members.collection).count({ where: { team, status: 'member' }, atMost: 2 }),
    keysOf({ team }),
    keysOf({ created_by: user, kind: 'developer' }),
  ]);
  // The widget has a key that works on the domains of a page alone.
  const isShown = [...ofTeam, ...own].some(({ domains }) => domains.length > 0);
  const done = new Map<FirstStep, boolean>([
    ['record', records > 0],
    ['invite', invited > 0 || belong > 1],
    ['show', isShown],
    ...(backedUp === undefined ? [] : ([['backup', backedUp]] as const)),
  ]);
  return [...done.values()].every(Boolean) ? undefined : done;
}

/** Closes the list of first steps of a team, for all its admins. */
export const dismissFirstSteps = action({
  name: 'teams.dismiss-first-steps',
  right: 'change members',
  input: z.object({}),
  async run(parts, _, { who: { team = '' }, context }) {
    await dismissed(parts).put(team, { at: context.at.toISOString() });
    return { changes: [], value: () => undefined };
  },
});

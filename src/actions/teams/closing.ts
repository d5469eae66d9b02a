import { z } from 'zod';
import { closeTeam, closingIdOf, reopenTeam, requireClosable } from '../../commands/teams/closing.ts';
import { commandTeam, requireTeam } from '../../commands/teams/team.ts';
import { action, type Performing } from '../action.ts';
import { jobsOf, type BulkActionParts } from '../directory/bulk.ts';
import { teamUsage } from './usage.ts';

/** A team after it was closed or opened again. */
export interface ClosedOrOpen {
  readonly team: string;
  readonly name: string;
  readonly closed: boolean;
  /** How many records and organizations were taken out or put back. Undefined: that goes on by itself. */
  readonly moved: number | undefined;
}

const ofTeam = { right: 'change the team', whenClosed: true } as const;

/**
 * Closes a team, by whoever types its name. When it resolves, nothing is served to its keys and to the tokens of its sites any
 * more, and nothing is sent to its webhooks. Its records are taken out by a job that outlives whoever closed it.
 */
export const close = action({
  name: 'teams.close',
  ...ofTeam,
  scope: 'team:manage',
  once: true,
  input: z.object({ name: z.string().max(1_000) }),
  wrongField: { invalid: 'name' },
  async run(parts: BulkActionParts, { name }, by) {
    const { team = '' } = by.who;
    const { store } = parts;
    const before = await requireTeam(store, team);
    // Who closes a closed team goes on with what is left of its closing.
    const closing = before.closing ?? closingIdOf(by.context);
    requireClosable(before, { team, name, closing });
    const { public_records, public_organizations } = await teamUsage(parts, team, by.context.at);
    const total = public_records + public_organizations;
    const { decided, ended } = await jobsOf(parts).closings.close(
      { team, id: closing, total, ...jobOf(by) },
      () =>
        before.closing === undefined
          ? closeTeam(store, { team, name, closing }, by.context)
          : commandTeam(store, { kind: 'close', team, name, closing }, by.context),
    );
    // Whatever of its records takes long: keys and tokens are refused before anybody is told.
    await by.untilShown(decided);
    const isOthers = decided.state?.closing !== closing;
    const moved = isOthers ? undefined : await inTime(by, 'Taking out', total, ended);
    const value: ClosedOrOpen = { team, name: before.name, closed: true, moved };
    return { changes: decided, value: () => value };
  },
});

/** Opens a closed team again: everything goes on as before, and what closing has taken out is put back. */
export const reopen = action({
  name: 'teams.reopen',
  ...ofTeam,
  input: z.object({}),
  async run(parts: BulkActionParts, _, by) {
    const { team = '' } = by.who;
    const { store } = parts;
    const { name, closing } = await requireTeam(store, team);
    const value = (moved: number | undefined): ClosedOrOpen => ({ team, name, closed: false, moved });
    if (closing === undefined) return { changes: [], value: () => value(0) };
    const { decided, ended } = await jobsOf(parts).closings.reopen(
      { team, id: closing, total: 0, ...jobOf(by) },
      () => reopenTeam(store, { team, closing }, by.context),
    );
    const moved = await inTime(by, 'Putting back', 0, ended);
    return { changes: decided, value: () => value(moved) };
  },
});

const jobOf = ({ context, another }: Performing) => ({ actor: context.actor, context: another });

/** How many things were moved. Undefined: whoever asked no longer waits, and it goes on by itself. */
async function inTime(
  { watched, inTime: waited }: Performing,
  name: string,
  total: number,
  ended: Promise<{ readonly moved: number }>,
): Promise<number | undefined> {
  const work = watched({ name, total: () => Promise.resolve(total), work: () => ended });
  return (await waited(work))?.moved;
}

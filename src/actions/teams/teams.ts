import { z } from 'zod';
import { requirePerson } from '../../commands/accounts/person.ts';
import { commandTeam } from '../../commands/teams/team.ts';
import { slug } from '../../events/define.ts';
import { timeZone } from '../../events/directory/opening-hours.ts';
import { teamName } from '../../events/display-name.ts';
import { teamScope } from '../../events/teams.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { action } from '../action.ts';

/** Creates a team. Its slug cannot be changed later. */
export const create = action({
  name: 'teams.create',
  right: 'administrator',
  input: z.object({ slug, name: teamName }),
  once: true,
  async run({ store }, { slug: team, name }, { context }) {
    const changes = await commandTeam(store, { kind: 'create', team, name }, context);
    return { changes, value: () => ({ team, name }) };
  },
});

/** Gives a team another name. Its slug, and with it every address, stays. `before`: what the form showed. */
export const rename = action({
  name: 'teams.rename',
  right: 'change the team',
  scope: 'team:manage',
  input: z.object({ name: teamName, before: z.string().optional() }),
  async run({ store }, { name, before }, { who, context }) {
    const { team = '' } = who;
    const changes = await commandTeam(store, { kind: 'rename', team, name, before }, context);
    return { changes, value: () => ({ team, name: changes.state?.name ?? name }) };
  },
});

/** Sets the scopes that the keys of a team may have beside the public ones. */
export const enableScopes = action({
  name: 'teams.enable-scopes',
  right: 'administrator',
  input: z.object({ slug, scopes: z.array(teamScope) }),
  async run({ store }, { slug: team, scopes }, { context }) {
    const changes = await commandTeam(store, { kind: 'enable-scopes', team, scopes }, context);
    return { changes, value: () => ({ team, scopes: changes.state?.scopes ?? [] }) };
  },
});

/** Sets the time zone of the records of a team that tell no other; none, where it is left out. */
export const setTimeZone = action({
  name: 'teams.set-time-zone',
  right: 'administrator',
  input: z.object({ slug, time_zone: timeZone.optional() }),
  async run({ store }, { slug: team, time_zone }, { context }) {
    const changes = await commandTeam(store, { kind: 'set-time-zone', team, timeZone: time_zone }, context);
    return { changes, value: () => ({ team, time_zone: changes.state?.timeZone ?? null }) };
  },
});

/**
 * Says whether the people of a team must sign in with a passkey to open its pages. Who requires it has one: else they would
 * lock themselves out.
 */
export const requirePasskeys = action({
  name: 'teams.require-passkeys',
  right: 'change members',
  input: z.object({ required: z.boolean() }),
  async run({ store }, { required }, { who, context }) {
    if (required && who.kind === 'person' && (await requirePerson({ store }, who.user)).passkeys.length === 0)
      throw new CommandRefused('conflict', 'Add a passkey to your own account first.');
    const { team = '' } = who;
    const changes = await commandTeam(store, { kind: 'require-passkeys', team, required }, context);
    return { changes, value: () => ({ team, required: changes.state?.passkeysRequired ?? false }) };
  },
});

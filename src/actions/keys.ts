import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { findPerson } from '../commands/accounts/person.ts';
import { CommandRefused } from '../ground/refusals.ts';
import {
  commandApiKey,
  createApiKey,
  findApiKey,
  prepareApiKey,
  type ApiKeyCommand,
  type NewApiKey,
} from '../commands/keys.ts';
import { withLabels } from '../commands/keys-label.ts';
import { allowedIn } from '../commands/teams/rights.ts';
import { requireTeam } from '../commands/teams/team.ts';
import { line, slug } from '../events/define.ts';
import { uuidOf } from '../events/ids.ts';
import { keyIdOf } from '../events/keys-format.ts';
import { hasExpired, keyKind, pastedDomain } from '../events/keys.ts';
import type { CommandContext } from '../events/metadata.ts';
import { userId } from '../events/oauth/values.ts';
import { keyScope, type KeyScope } from '../events/teams.ts';
import { defined } from '../ground/defined.ts';
import { apiKeys, usableScopes, type ApiKeyDocument } from '../projections/keys.ts';
import { action, personOf, type ActionParts, type Performing, type Who } from './action.ts';
import type { Listing } from './listing.ts';

/** A key with its label opened. */
export type Key = Omit<ApiKeyDocument, 'label_sealed'>;

const noKey = (): CommandRefused => new CommandRefused('not_found', 'There is no such key.');

/** The keys of a person or a team, the newest first. */
export const keyList: Listing<ApiKeyDocument, Key> = {
  name: 'keys',
  readModel: apiKeys,
  orderBy: ['created_at', 'key_id'],
  descending: true,
  id: z.string().regex(/^[0-9A-Za-z]{12}$/),
  none: noKey,
  open: ({ personal }, docs) => withLabels(personal, docs),
};

/** Which keys are somebody's: those of the team, or the developer keys that the person made. The operator has all. */
export function keysOf(who: Who): Partial<Pick<ApiKeyDocument, 'kind' | 'team' | 'created_by'>> {
  if (who.team !== undefined) return { team: who.team };
  return who.kind === 'person' ? { kind: 'developer', created_by: who.user } : {};
}

/** Undefined when it does not exist or is another's. */
export async function findKey(parts: ActionParts, who: Who, id: string): Promise<Key | undefined> {
  if (!keyList.id.safeParse(id).success) return undefined;
  const doc = await parts.documents.collection(apiKeys.collection).get(id);
  if (!doc || Object.entries(keysOf(who)).some(([name, value]) => doc[name as keyof Key] !== value))
    return undefined;
  const [key] = await keyList.open(parts, [doc]);
  return key;
}

const instant = z.iso
  .datetime({ error: 'must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z' })
  .transform((text) => new Date(text).toISOString());

/** A key that was just made. It is in clear here, and nowhere else ever. Undefined: the command was sent before. */
export type MadeKey = NewApiKey & { readonly key_id: string; readonly key: string | undefined };

/** Creates a key: of the person, or of the team. The operator says which, and may make it for somebody. */
export const createKey = action({
  name: 'keys.create',
  input: z.object({
    kind: keyKind.optional(),
    team: slug.optional(),
    scopes: z.array(keyScope).min(1, 'name at least one'),
    domains: z.array(pastedDomain).default([]),
    label: line(200).optional(),
    /** Who gets it: a member of the team, or for a key of the installation an administrator. */
    for: userId.optional(),
    expires_at: instant.optional(),
  }),
  once: true,
  wrongField: { invalid: 'scopes' },
  async run(parts, { kind, team, scopes, domains, label, for: receiver, expires_at }, { who, context }) {
    const of =
      who.kind === 'operator'
        ? { kind: kind ?? 'developer', team }
        : ({ kind: who.team === undefined ? 'developer' : 'team', team: who.team } as const);
    const more = defined({ team: of.team, label, expires_at });
    const key: NewApiKey = { kind: of.kind, scopes, domains, ...more };
    const by =
      who.kind === 'operator' && receiver !== undefined
        ? onBehalfOf(context, await requireReceiver(parts, key, receiver))
        : context;
    const made = await createApiKey(parts, key, randomBytes(32), by);
    const value: MadeKey = { key_id: made.keyId, key: made.key, ...key };
    return { changes: made.outcome, value: () => value };
  },
});

/** A key that was just made in the place of another. `until`: when the other one ends. Undefined: when it is revoked. */
export type RolledKey = MadeKey & { readonly until: string | undefined };

/**
 * Makes a new key in the place of one, with the same label, scopes and domains, whose secret the caller changes to in their
 * own time: both are valid until the old one is revoked or, where `old_expires_at` says so, expires.
 */
export const rollKey = action({
  name: 'keys.roll',
  input: z.object({
    id: z.string(),
    /** Of the new key. */
    expires_at: instant.optional(),
    old_expires_at: instant.optional(),
  }),
  once: true,
  async run(parts, { id, expires_at, old_expires_at }, by) {
    const { store } = parts;
    const { context } = by;
    const old = await findKey(parts, by.who, id);
    if (!old) throw noKey();
    const making = { ...context, commandId: uuidOf(context.commandId, 'rolled key') };
    const next = keyIdOf(making.commandId);
    const { replacedBy } = (await findApiKey(store, id)) ?? {};
    const earlier = replacedBy === undefined ? undefined : await findApiKey(store, replacedBy);
    const isLost = !earlier || earlier.status === 'revoked' || hasExpired(earlier, context.at);
    const scopes = await usableNow(parts, old);
    const command = {
      ...({ kind: 'roll', at: context.at, by: next, expires_at: old_expires_at } as const),
      // One that never came to be, because the service stopped, or that is over.
      insteadOf: isLost ? replacedBy : undefined,
    };
    const { kind, team, label, domains, created_by } = old;
    const key: NewApiKey = { kind, scopes, domains, replaces: id, ...defined({ team, label, expires_at }) };
    const maker =
      by.who.kind === 'operator' && created_by !== undefined ? onBehalfOf(making, created_by) : making;
    // All that could refuse the new key is decided before the old one says that it has a successor.
    const create = await prepareApiKey(parts, key, randomBytes(32), maker);
    const changed = await commandApiKey(store, id, command, context);
    const made = await create();
    const until = changed.state?.expires_at;
    const value: RolledKey = { key_id: made.keyId, key: made.key, until, ...key };
    return { changes: [changed, made.outcome], value: () => value };
  },
});

/** Creates a key for a widget, which reads only, and on its domains only. `owner`: a team. Default: the person. */
export const createWidgetKey = action({
  name: 'keys.create-for-widget',
  input: z.object({ owner: slug.optional(), domains: z.array(pastedDomain).min(1), label: line(200) }),
  once: true,
  wrongField: { invalid: 'owner' },
  async run(parts, { owner, domains, label }, by) {
    const user = personOf(by.who);
    if (
      owner !== undefined &&
      (await allowedIn(parts.store, { user, team: owner, right: 'change keys' }))?.closed !== false
    )
      throw new CommandRefused('invalid', 'You may not change the keys of a team with this name.');
    const who: Who = { kind: 'person', user, administrator: false, ...defined({ team: owner }) };
    return createKey.run(parts, { scopes: ['resources:read'], domains, label }, { ...by, who });
  },
});

/** Somebody else has changed the domains since the form was shown. */
export class DomainsChanged extends CommandRefused {
  readonly domains: readonly string[];

  constructor(domains: readonly string[]) {
    super('conflict', 'Somebody else has changed the domains.');
    this.domains = domains;
  }
}

/** Replaces the domains of a key. `was`: what the form showed. */
export const changeDomains = action({
  name: 'keys.domains',
  input: z.object({ id: z.string(), domains: z.array(pastedDomain), was: z.string().optional() }),
  async run(parts, { id, domains, was }, by) {
    const key = await requireKey(parts, by, id);
    const now = key?.domains.join(' ');
    if (key && was !== undefined && was !== now && domains.join(' ') !== now)
      throw new DomainsChanged(key.domains);
    return changed(parts, id, { kind: 'change-domains', domains }, by, domains);
  },
});

/** Revokes a key. It is refused once this is done. */
export const revokeKey = action({
  name: 'keys.revoke',
  input: z.object({ id: z.string(), reason: line(500).optional() }),
  async run(parts, { id, reason }, by) {
    await requireKey(parts, by, id);
    return changed(parts, id, { kind: 'revoke', ...defined({ reason }) }, by, undefined);
  },
});

/** The scopes that a key may use now, of which a new one in its place has all. @throws CommandRefused conflict */
async function usableNow({ store }: ActionParts, key: Key): Promise<readonly KeyScope[]> {
  const enabled = key.team === undefined ? [] : (await requireTeam(store, key.team)).scopes;
  const usable = usableScopes(key, enabled);
  if (usable.length > 0) return usable;
  throw new CommandRefused('conflict', 'The team has switched off everything that this key may do.');
}

async function changed<Value>(
  { store }: ActionParts,
  id: string,
  command: Exclude<ApiKeyCommand, { kind: 'create' }>,
  { context }: Performing,
  value: Value,
) {
  return { changes: await commandApiKey(store, id, command, context), value: () => value };
}

/** Undefined for the operator, whose command finds out. @throws CommandRefused not_found, also for a key of others */
async function requireKey(parts: ActionParts, { who }: Performing, id: string): Promise<Key | undefined> {
  if (who.kind === 'operator') return undefined;
  const key = await findKey(parts, who, id);
  if (!key) throw noKey();
  return key;
}

/** @throws CommandRefused invalid */
async function requireReceiver(parts: ActionParts, { kind, team }: NewApiKey, user: string): Promise<string> {
  if (kind === 'installation') {
    if ((await findPerson(parts, user))?.role === 'administrator') return user;
    throw new CommandRefused(
      'invalid',
      'An installation key is made for an administrator: this person is none.',
    );
  }
  const { members } = team === undefined ? {} : await requireTeam(parts.store, team);
  if (members?.has(user)) return user;
  throw new CommandRefused('invalid', 'A key is made for a member of its team: this person is none.');
}

/** Whoever claims to be the person for whom it is made does it for that person all the same. */
function onBehalfOf(context: CommandContext, user: string): CommandContext {
  const { claims_to_be: claimed, ...actor } = context.actor;
  const claim = claimed === undefined || claimed === user ? {} : { claims_to_be: claimed };
  return { ...context, actor: { ...actor, ...claim, on_behalf_of: user } };
}

import {
  apiKeyStream,
  hasExpired,
  isExpiry,
  mostYears,
  type ApiKeyEvent,
  type KeyKind,
} from '../events/keys.ts';
import { installationScopes, publicScopes, type KeyScope } from '../events/teams.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { CommandRefused } from '../ground/refusals.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { keyIdOf, newKey, sha256Of } from '../events/keys-format.ts';
import { requireLabel } from './display-name.ts';
import { labelToStore } from './keys-label.ts';
import type { CommandContext } from '../events/metadata.ts';
import { defined } from '../ground/defined.ts';
import { execute, load, type Decider, type Outcome } from './command-handler.ts';
import { requireOpenTeam } from './teams/team.ts';

export type ApiKeyState =
  | (Created & {
      readonly status: 'active' | 'revoked';
      /** The key that was made in its place. */
      readonly replacedBy?: string;
    })
  | undefined;

type Created = Extract<ApiKeyEvent, { type: 'ApiKeyCreated' }>['data'];

export type ApiKeyCommand =
  | ({ readonly kind: 'create' } & { readonly data: Created })
  | { readonly kind: 'change-domains'; readonly domains: readonly string[] }
  | { readonly kind: 'revoke'; readonly reason?: string }
  | {
      readonly kind: 'roll';
      readonly at: Date;
      readonly by: string;
      readonly expires_at?: string | undefined;
      /** The key that an earlier roll named, when that key is not valid: it may be rolled again. */
      readonly insteadOf?: string | undefined;
    };

export const apiKey: Decider<ApiKeyState, ApiKeyCommand, ApiKeyEvent> = {
  stream: apiKeyStream,
  initial: undefined,
  evolve(state, event) {
    switch (event.type) {
      case 'ApiKeyCreated':
        return { ...event.data, status: 'active' };
      case 'ApiKeyDomainsChanged':
        return state && { ...state, domains: event.data.domains };
      case 'ApiKeyRolled': {
        const { replaced_by: replacedBy, expires_at } = event.data;
        return state && { ...state, replacedBy, ...defined({ expires_at }) };
      }
      case 'ApiKeyRevoked':
        return state && { ...state, status: 'revoked' };
    }
  },
  decide(command, state) {
    if (command.kind === 'create') {
      if (state) throw new CommandRefused('conflict', `The key ${command.data.key_id} exists already.`);
      return [{ type: 'ApiKeyCreated', data: command.data }];
    }
    if (!state) throw new CommandRefused('not_found', 'There is no such key.');
    switch (command.kind) {
      case 'change-domains': {
        if (state.status === 'revoked') throw new CommandRefused('conflict', 'This key is revoked.');
        const domains = distinct(command.domains);
        if (domains.join() === state.domains.join()) return [];
        return [{ type: 'ApiKeyDomainsChanged', data: { domains } }];
      }
      case 'revoke':
        if (state.status === 'revoked') return [];
        return [{ type: 'ApiKeyRevoked', data: defined({ reason: command.reason }) }];
      case 'roll':
        return [{ type: 'ApiKeyRolled', data: rolled(command, state) }];
    }
  },
};

/** A key that is to end anyway does not last longer by being rolled. @throws CommandRefused conflict, invalid */
function rolled(
  { at, by, expires_at: end, insteadOf }: Extract<ApiKeyCommand, { kind: 'roll' }>,
  state: NonNullable<ApiKeyState>,
): Extract<ApiKeyEvent, { type: 'ApiKeyRolled' }>['data'] {
  if (state.status === 'revoked')
    throw new CommandRefused('conflict', 'This key is revoked. Create a new one.');
  if (hasExpired(state, at)) throw new CommandRefused('conflict', 'This key has expired. Create a new one.');
  if (state.replacedBy !== undefined && state.replacedBy !== insteadOf)
    throw new CommandRefused('conflict', `This key was rolled before: ${state.replacedBy} has its place.`);
  requireExpiry(end, at);
  const earlier =
    end !== undefined && (state.expires_at === undefined || Date.parse(end) < Date.parse(state.expires_at));
  return { replaced_by: by, ...(earlier ? { expires_at: end } : {}) };
}

/** @throws CommandRefused invalid */
function requireExpiry(end: string | undefined, at: Date): void {
  if (end !== undefined && !isExpiry(new Date(end), at))
    throw new CommandRefused('invalid', `A key expires later than now, and within ${mostYears} years.`);
}

export interface NewApiKey {
  readonly kind: KeyKind;
  readonly team?: string;
  readonly label?: string;
  readonly scopes: readonly KeyScope[];
  readonly domains: readonly string[];
  /** ISO 8601. It is refused from then on. */
  readonly expires_at?: string;
  /** The id of the key in whose place it is made. */
  readonly replaces?: string;
}

/**
 * Creates a key and returns it in clear, once: `key` is undefined when the command was a repeat.
 * @throws CommandRefused invalid, for an expiry that is over or too far off, and for scopes that its kind or its team
 * does not allow; not_found, for an erased person
 */
export async function createApiKey(
  parts: KeyParts,
  key: NewApiKey,
  random: Uint8Array,
  context: CommandContext,
): Promise<CreatedKey> {
  return (await prepareApiKey(parts, key, random, context))();
}

interface KeyParts {
  readonly store: EventStore;
  readonly personal: PersonalData;
}

interface CreatedKey {
  readonly keyId: string;
  readonly key: string | undefined;
  readonly outcome: Outcome<ApiKeyState>;
}

/**
 * Decides about a new key, and returns what creates it: for commands that append something else first. One in the place of
 * another keeps its label, which may be older than the rule for labels.
 */
export async function prepareApiKey(
  { store, personal }: KeyParts,
  { kind, team, label, scopes, domains, expires_at, replaces }: NewApiKey,
  random: Uint8Array,
  context: CommandContext,
): Promise<() => Promise<CreatedKey>> {
  const keyId = keyIdOf(context.commandId);
  const { state: existing } = await load(store, apiKey, keyId);
  // A repeat returns the first result, even if the team's scopes have changed since.
  if (!existing) {
    requireExpiry(expires_at, context.at);
    if (label !== undefined && replaces === undefined) requireLabel(label);
    await refuseScopes(store, kind, team, scopes);
  }
  const key = newKey(kind, keyId, random);
  const data = {
    key_id: keyId,
    kind,
    ...defined({ team }),
    ...(existing ? {} : await labelToStore(personal, context.actor, label)),
    scopes: [...new Set(scopes)],
    domains: distinct(domains),
    secret_sha256: sha256Of(key),
    ...defined({ expires_at, replaces }),
  };
  return async () => {
    const outcome = await execute(store, apiKey, keyId, { kind: 'create', data }, context);
    return { keyId, key: outcome.repeated ? undefined : key, outcome };
  };
}

/** What is decided about a key. Undefined when it does not exist. */
export const findApiKey = async (store: EventStore, keyId: string): Promise<ApiKeyState> =>
  (await load(store, apiKey, keyId)).state;

/** Changes, rolls or revokes a key. @throws CommandRefused not_found, conflict (the key is revoked), invalid */
export function commandApiKey(
  store: EventStore,
  keyId: string,
  command: Exclude<ApiKeyCommand, { kind: 'create' }>,
  context: CommandContext,
): Promise<Outcome<ApiKeyState>> {
  return execute(store, apiKey, keyId, command, context);
}

/** Host names are not case-sensitive. */
const distinct = (domains: readonly string[]): string[] => [
  ...new Set(domains.map((each) => each.toLowerCase())),
];

async function refuseScopes(
  store: EventStore,
  kind: KeyKind,
  team: string | undefined,
  scopes: readonly KeyScope[],
): Promise<void> {
  const isPublic = (scope: KeyScope) => (publicScopes as readonly string[]).includes(scope);
  if (kind === 'installation') {
    if (team !== undefined) throw new CommandRefused('invalid', 'An installation key belongs to no team.');
    const beyond = scopes.find((scope) => !(installationScopes as readonly string[]).includes(scope));
    if (beyond) {
      const only = installationScopes.join(', ');
      throw new CommandRefused('invalid', `An installation key cannot hold ${beyond}; ${only} only.`);
    }
    return;
  }
  if (kind === 'developer') {
    if (team !== undefined) throw new CommandRefused('invalid', 'A developer key belongs to no team.');
    const beyond = scopes.find((scope) => !isPublic(scope));
    if (beyond)
      throw new CommandRefused('invalid', `A developer key cannot hold ${beyond}; public scopes only.`);
    return;
  }
  if (team === undefined) throw new CommandRefused('invalid', 'A team key needs a team.');
  const { scopes: enabled } = await requireOpenTeam(store, team);
  const missing = scopes.find((scope) => !isPublic(scope) && !(enabled as readonly string[]).includes(scope));
  if (missing)
    throw new CommandRefused(
      'invalid',
      `The team ${team} has not enabled ${missing}. An administrator enables it on the page of the team, or with "commonweal teams scopes ${team} --enable ${[...enabled, missing].join(',')}".`,
    );
}

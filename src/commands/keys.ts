import { apiKeyStream, type ApiKeyEvent, type KeyKind } from '../events/keys.ts';
import { installationScopes, publicScopes, type KeyScope } from '../events/teams.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { CommandRefused } from '../ground/refusals.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { keyIdOf, newKey, sha256Of } from '../events/keys-format.ts';
import { labelToStore } from './keys-label.ts';
import type { CommandContext } from '../events/metadata.ts';
import { defined } from '../ground/defined.ts';
import { execute, load, type Decider, type Outcome } from './command-handler.ts';
import { requireTeam } from './teams/team.ts';

export type ApiKeyState =
  | { readonly status: 'active' | 'revoked'; readonly kind: KeyKind; readonly domains: readonly string[] }
  | undefined;

export type ApiKeyCommand =
  | ({ readonly kind: 'create' } & { readonly data: Extract<ApiKeyEvent, { type: 'ApiKeyCreated' }>['data'] })
  | { readonly kind: 'change-domains'; readonly domains: readonly string[] }
  | { readonly kind: 'revoke'; readonly reason?: string };

export const apiKey: Decider<ApiKeyState, ApiKeyCommand, ApiKeyEvent> = {
  stream: apiKeyStream,
  initial: undefined,
  evolve(state, event) {
    switch (event.type) {
      case 'ApiKeyCreated':
        return { status: 'active', kind: event.data.kind, domains: event.data.domains };
      case 'ApiKeyDomainsChanged':
        return state && { ...state, domains: event.data.domains };
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
    }
  },
};

export interface NewApiKey {
  readonly kind: KeyKind;
  readonly team?: string;
  readonly label?: string;
  readonly scopes: readonly KeyScope[];
  readonly domains: readonly string[];
}

/**
 * Creates a key and returns it in clear, once: `key` is undefined when the command was a repeat.
 * @throws CommandRefused invalid, for scopes that its kind or its team does not allow; not_found, for an erased person
 */
export async function createApiKey(
  { store, personal }: { readonly store: EventStore; readonly personal: PersonalData },
  { kind, team, label, scopes, domains }: NewApiKey,
  random: Uint8Array,
  context: CommandContext,
): Promise<{ keyId: string; key: string | undefined; outcome: Outcome<ApiKeyState> }> {
  const keyId = keyIdOf(context.commandId);
  const { state: known } = await load(store, apiKey, keyId);
  // A repeat returns the first result, even if the team's scopes have changed since.
  if (!known) await refuseScopes(store, kind, team, scopes);
  const key = newKey(kind, keyId, random);
  const data = {
    key_id: keyId,
    kind,
    ...defined({ team }),
    ...(known ? {} : await labelToStore(personal, context.actor, label)),
    scopes: [...new Set(scopes)],
    domains: distinct(domains),
    secret_sha256: sha256Of(key),
  };
  const outcome = await execute(store, apiKey, keyId, { kind: 'create', data }, context);
  return { keyId, key: outcome.repeated ? undefined : key, outcome };
}

/** Changes or revokes a key. @throws CommandRefused not_found, conflict (the key is revoked) */
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
  const { scopes: enabled } = await requireTeam(store, team);
  const missing = scopes.find((scope) => !isPublic(scope) && !(enabled as readonly string[]).includes(scope));
  if (missing) throw new CommandRefused('invalid', `The team ${team} has not enabled ${missing}.`);
}

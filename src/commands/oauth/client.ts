import { createHash } from 'node:crypto';
import {
  clientStream,
  snapshotAfter,
  type ClientEvent,
  type ClientSnapshot,
} from '../../events/oauth/client.ts';
import { base62 } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { firstPartyScopes, signInScopes, type SignInScope } from '../../events/oauth/values.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { requireSiteName } from '../display-name.ts';
import { execute, loadNewest, type Decider, type Outcome } from '../command-handler.ts';
import {
  isVerified,
  provableHosts,
  verifiedDomains,
  withVerified,
  type ProvedBy,
} from '../../events/oauth/domains.ts';
import { redirectUriProblem } from '../../events/oauth/redirect-uri.ts';
import { isTeamClosed, requireOpenTeam } from '../teams/team.ts';

export type ClientState = ClientSnapshot | undefined;

export type ClientCommand =
  | { readonly kind: 'register'; readonly snapshot: ClientSnapshot }
  /**
   * Refuses the changes beside it where the settings are no longer those that were seen, unless they change nothing. `seen`:
   * `settingsDigest` of them.
   */
  | { readonly kind: 'require-settings'; readonly seen: string }
  /** `logoUri`: undefined keeps it, null removes it. */
  | { readonly kind: 'change-details'; readonly name?: string; readonly logoUri?: string | null }
  | { readonly kind: 'change-redirect-uris'; readonly uris: readonly string[] }
  | { readonly kind: 'change-post-logout-uris'; readonly uris: readonly string[] }
  | { readonly kind: 'change-scopes'; readonly scopes: readonly SignInScope[] }
  | { readonly kind: 'set-first-party'; readonly firstParty: boolean }
  /** Found to be proved, by `by`, at `at`. */
  | { readonly kind: 'verify-domain'; readonly host: string; readonly by: ProvedBy; readonly at: Date }
  /** No longer found to be proved. */
  | { readonly kind: 'lapse-domain'; readonly host: string; readonly reason: string }
  | { readonly kind: 'deactivate' }
  | { readonly kind: 'reactivate' };

/** A change of an existing client. */
export type ClientChange = Exclude<ClientCommand, { kind: 'register' }>;

export const client: Decider<ClientState, ClientCommand, ClientEvent> = {
  stream: clientStream,
  initial: undefined,
  // Every event repeats the whole state, so the newest one is enough.
  evolve: (_state, event) => snapshotAfter(event),
  decide(command, state) {
    if (command.kind === 'register') {
      if (state) throw new CommandRefused('conflict', 'This site exists already.');
      requireSiteName(command.snapshot.name);
      return [{ type: 'ClientRegistered', data: checked(command.snapshot) }];
    }
    if (!state) throw new CommandRefused('not_found', 'There is no such site.');
    switch (command.kind) {
      case 'require-settings':
        if (command.seen !== settingsDigest(state))
          throw new CommandRefused('conflict', 'Somebody else has changed this site meanwhile.');
        return [];
      case 'change-details': {
        const { logo_uri, ...rest } = { ...state, name: command.name ?? state.name };
        const logo = command.logoUri === undefined ? logo_uri : (command.logoUri ?? undefined);
        if (rest.name === state.name && logo === state.logo_uri) return [];
        // A site whose name is older than the rule can still change its logo.
        if (rest.name !== state.name) requireSiteName(rest.name);
        const data = checked(logo === undefined ? rest : { ...rest, logo_uri: logo });
        return [{ type: 'ClientDetailsChanged', data }];
      }
      case 'change-redirect-uris': {
        const data = checked({ ...state, redirect_uris: distinct(command.uris) });
        if (same(data.redirect_uris, state.redirect_uris)) return [];
        // What is verified is a host that people are sent to: another one has to be proved, and a former one again.
        const hosts = provableHosts(data);
        const kept = verifiedDomains(state).filter(({ host }) => hosts.includes(host));
        return [{ type: 'ClientRedirectUrisChanged', data: withVerified(data, kept) }];
      }
      case 'change-post-logout-uris': {
        const data = checked({ ...state, post_logout_redirect_uris: distinct(command.uris) });
        if (same(data.post_logout_redirect_uris, state.post_logout_redirect_uris)) return [];
        return [{ type: 'ClientPostLogoutUrisChanged', data }];
      }
      case 'change-scopes': {
        const data = checked({ ...state, scopes: inOrder(command.scopes) });
        if (same(data.scopes, state.scopes)) return [];
        return [{ type: 'ClientScopesChanged', data }];
      }
      case 'set-first-party': {
        if (command.firstParty === state.first_party) return [];
        const scopes = command.firstParty ? state.scopes : state.scopes.filter((scope) => !isReserved(scope));
        return [{ type: 'ClientFirstPartySet', data: { ...state, first_party: command.firstParty, scopes } }];
      }
      case 'verify-domain': {
        const { host, by, at } = command;
        if (!provableHosts(state).includes(host)) {
          throw new CommandRefused('invalid', `No redirect URI of this site has the host ${host}.`);
        }
        if (isVerified(state, host)) return [];
        const verified = [...verifiedDomains(state), { host, by, since: at.toISOString() }];
        return [{ type: 'ClientDomainVerified', data: { ...withVerified(state, verified), host, by } }];
      }
      case 'lapse-domain': {
        const { host, reason } = command;
        if (!isVerified(state, host)) return [];
        const kept = verifiedDomains(state).filter((each) => each.host !== host);
        return [{ type: 'ClientDomainLapsed', data: { ...withVerified(state, kept), host, reason } }];
      }
      case 'deactivate':
        if (state.status === 'inactive') return [];
        return [{ type: 'ClientDeactivated', data: { ...state, status: 'inactive' } }];
      case 'reactivate':
        if (state.status === 'active') return [];
        // A grant names the activation under which it was issued: earlier codes and tokens stay invalid.
        return [
          {
            type: 'ClientReactivated',
            data: { ...state, status: 'active', activation: (state.activation ?? 0) + 1 },
          },
        ];
    }
  },
};

/** Of what the team of a site changes in one form: the same for the same settings. */
export const settingsDigest = ({
  name,
  logo_uri,
  redirect_uris,
  post_logout_redirect_uris,
}: ClientSnapshot): string =>
  createHash('sha256')
    .update(JSON.stringify([name, logo_uri ?? null, redirect_uris, post_logout_redirect_uris]))
    .digest('base64url');

/** A site to register. */
export interface NewClient {
  readonly team: string;
  readonly name: string;
  readonly logoUri?: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  /** Default: openid, profile, email. */
  readonly scopes?: readonly SignInScope[];
  /** Set by operators only. */
  readonly firstParty?: boolean;
}

type ClientOutcome = Outcome<ClientState, ClientEvent>;

/**
 * Registers a site of a team. The same command registers the same client.
 * @throws CommandRefused not_found (no such team), invalid (a URI or a scope that is not allowed)
 */
export async function registerClient(
  store: EventStore,
  { team, name, logoUri, redirectUris, postLogoutRedirectUris, scopes, firstParty }: NewClient,
  context: CommandContext,
): Promise<{ clientId: string; outcome: ClientOutcome }> {
  await requireOpenTeam(store, team);
  const clientId = clientIdOf(context.commandId);
  const snapshot: ClientSnapshot = {
    client: clientId,
    team,
    name,
    ...(logoUri === undefined ? {} : { logo_uri: logoUri }),
    redirect_uris: distinct(redirectUris),
    post_logout_redirect_uris: distinct(postLogoutRedirectUris ?? []),
    scopes: inOrder(scopes ?? ['openid', 'profile', 'email']),
    first_party: firstParty ?? false,
    status: 'active',
  };
  const outcome = await execute(store, client, clientId, { kind: 'register', snapshot }, context);
  return { clientId, outcome };
}

/**
 * Changes a client: all changes or none. Each is decided on the state after the one before; their events are appended
 * together.
 * @throws CommandRefused not_found, invalid, conflict (require-settings)
 */
export function changeClient(
  store: EventStore,
  clientId: string,
  changes: readonly ClientChange[],
  context: CommandContext,
): Promise<ClientOutcome> {
  return execute(store, severalChanges, clientId, changes, context);
}

const severalChanges: Decider<ClientState, readonly ClientChange[], ClientEvent> = {
  ...client,
  decide(changes, state) {
    const events: ClientEvent[] = [];
    let snapshot = state;
    const conditions = changes.filter(({ kind }) => kind === 'require-settings');
    for (const change of changes.filter(({ kind }) => kind !== 'require-settings')) {
      const made = client.decide(change, snapshot);
      snapshot = made.reduce(client.evolve, snapshot);
      events.push(...made);
    }
    if (events.length > 0) for (const condition of conditions) client.decide(condition, state);
    return events;
  },
};

/** The state of a client: reads the newest event alone. */
export const loadClient = (store: EventStore, clientId: string): Promise<ClientState> =>
  loadNewest(store, client, clientId);

/** The same for what a site asks for: one whose team is closed is inactive. Decided from the streams. */
export async function loadServedClient(store: EventStore, clientId: string): Promise<ClientState> {
  const state = await loadClient(store, clientId);
  if (state?.status !== 'active' || !(await isTeamClosed(store, state.team))) return state;
  return { ...state, status: 'inactive' };
}

/** `site_` and 20 digits of base 62 (119 bits), the same for the same command. */
function clientIdOf(commandId: string): string {
  const hash = createHash('sha256').update(`client:${commandId}`).digest('hex');
  return `site_${base62(BigInt(`0x${hash}`), 20)}`;
}

/** @throws CommandRefused invalid, for a client that may not be registered */
function checked(snapshot: ClientSnapshot): ClientSnapshot {
  const { redirect_uris, post_logout_redirect_uris, logo_uri, scopes, first_party } = snapshot;
  for (const uri of [...redirect_uris, ...post_logout_redirect_uris]) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) throw new CommandRefused('invalid', problem);
  }
  if (redirect_uris.length === 0) throw new CommandRefused('invalid', 'A site needs a redirect URI.');
  if (logo_uri !== undefined && !/^https:\/\/[^\s"'<>\\]+$/.test(logo_uri)) {
    throw new CommandRefused('invalid', 'The logo must be at an https:// address.');
  }
  if (!scopes.includes('openid')) {
    throw new CommandRefused('invalid', 'The scopes of a site must include openid.');
  }
  const reserved = first_party ? undefined : scopes.find(isReserved);
  if (reserved !== undefined) {
    throw new CommandRefused('invalid', `The scope ${reserved} is for our own sites only.`);
  }
  return snapshot;
}

const isReserved = (scope: SignInScope): boolean => (firstPartyScopes as readonly string[]).includes(scope);
const distinct = (values: readonly string[]): string[] => [...new Set(values)];
const inOrder = (scopes: readonly SignInScope[]): SignInScope[] =>
  signInScopes.filter((scope) => scopes.includes(scope));
const same = (one: readonly string[], other: readonly string[]): boolean => one.join(' ') === other.join(' ');

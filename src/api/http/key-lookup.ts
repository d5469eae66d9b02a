import { timingSafeEqual } from 'node:crypto';
import { looksLikeTeamKey, parseKey } from '../../events/keys-format.ts';
import type { KeyKind } from '../../events/keys.ts';
import type { KeyScope } from '../../events/teams.ts';
import { apiKeys, type ApiKeyDocument, usableScopes } from '../../projections/keys.ts';
import { teams, type TeamDocument } from '../../projections/teams.ts';
import type { Collection, Documents } from '../../stores/documents/port.ts';
import { ReadOncePerTurn } from './responses/read-once-per-turn.ts';
import { StampedCache } from './responses/stamped-cache.ts';

/** The caller of a request: a key that is valid now. */
export interface Caller {
  readonly keyId: string;
  readonly kind: KeyKind;
  /** Of team keys. */
  readonly team: string | undefined;
  /** The scopes that the key may use now. Team scopes count only while the team has them enabled. */
  readonly scopes: ReadonlySet<KeyScope>;
  /** The domains that it may be used from. Empty: everywhere. */
  readonly domains: readonly string[];
  /** Callers of one audience get the same answers. */
  readonly audience: Audience;
  /** When the key expires, in Unix milliseconds. Infinity: it does not. */
  readonly expiresAt: number;
}

/** Why there is no caller: no key of ours, or one that is over. */
export type NoCaller = 'unknown' | EndedKey;

/** A key that was revoked or has expired, or whose team is closed. */
export interface EndedKey {
  readonly endedKeyId: string;
  readonly because: 'revoked' | 'expired' | 'team_closed';
}

export const isEnded = (found: Caller | NoCaller): found is EndedKey =>
  typeof found === 'object' && 'endedKeyId' in found;

/**
 * What a caller can see: the public directory in the developer or the team tier, or also the directory that it
 * manages.
 */
export type Audience = 'developer' | 'team' | `manager:${string}`;

/** Callers of each kind that are cached until the keys change. */
const remembered = 10_000;

/**
 * Looks up keys. A result is cached only while the read models that it rests on are unchanged (keys; for a team key
 * also teams), so a revocation takes effect with the next request after it was visible (interface 5.5). Whether it has
 * expired is read from the clock with each request.
 */
export class Callers {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #teams: Collection<TeamDocument>;
  readonly #keysStamp = new ReadOncePerTurn(() => this.#keys.stamp());
  readonly #teamsStamp = new ReadOncePerTurn(() => this.#teams.stamp());
  readonly #withoutTeam = new StampedCache<Caller>({ max: remembered });
  readonly #teamKeys = new StampedCache<Caller>({ max: remembered });

  readonly #now: () => Date;

  constructor(documents: Documents, now: () => Date) {
    this.#now = now;
    this.#keys = documents.collection(apiKeys.collection);
    this.#teams = documents.collection(teams.collection);
  }

  /** The holder of a key that was sent over a connection. */
  async of(key: string, connection: object): Promise<Caller | NoCaller> {
    const [cached, stamp] = looksLikeTeamKey(key)
      ? [this.#teamKeys, await this.#bothStamps(connection)]
      : [this.#withoutTeam, await this.#keysStamp.for(connection)];
    const before = cached.get(key, stamp);
    const caller = before ?? (await this.#lookUp(key));
    if (caller === 'unknown' || isEnded(caller)) return caller;
    if (!before) cached.put(key, stamp, caller);
    return caller.expiresAt === Infinity || this.#now().getTime() < caller.expiresAt
      ? caller
      : { endedKeyId: caller.keyId, because: 'expired' };
  }

  /** A stamp over both collections, which are read at once. */
  async #bothStamps(connection: object): Promise<string | undefined> {
    const [keys, teams] = await Promise.all([
      this.#keysStamp.for(connection),
      this.#teamsStamp.for(connection),
    ]);
    return keys === undefined || teams === undefined ? undefined : `${keys} ${teams}`;
  }

  async #lookUp(key: string): Promise<Caller | NoCaller> {
    const parsed = parseKey(key);
    if (!parsed) return 'unknown';
    const document = await this.#keys.get(parsed.keyId);
    if (document?.kind !== parsed.kind) return 'unknown';
    if (!timingSafeEqual(Buffer.from(document.secret_sha256), Buffer.from(parsed.sha256))) return 'unknown';
    if (document.status === 'revoked') return { endedKeyId: document.key_id, because: 'revoked' };
    const team = document.team === undefined ? undefined : await this.#teams.get(document.team);
    if (team?.closed_at !== undefined) return { endedKeyId: document.key_id, because: 'team_closed' };
    return callerOf(document, team?.scopes ?? []);
  }
}

function callerOf(
  { key_id, kind, team, scopes, domains, expires_at }: ApiKeyDocument,
  enabled: readonly string[],
): Caller {
  const held = new Set(usableScopes({ kind, scopes }, enabled));
  const audience = audienceOf(kind, team, held);
  const expiresAt = expires_at === undefined ? Infinity : Date.parse(expires_at);
  return { keyId: key_id, kind, team, scopes: held, domains, audience, expiresAt };
}

/** The tier in which a key sees the records of the directory. */
export const tierOf = ({ kind }: Pick<Caller, 'kind'>): 'developer' | 'team' =>
  kind === 'team' ? 'team' : 'developer';

function audienceOf(kind: KeyKind, team: string | undefined, scopes: ReadonlySet<KeyScope>): Audience {
  if (kind !== 'team' || team === undefined) return 'developer';
  return scopes.has('directory:manage') ? `manager:${team}` : 'team';
}

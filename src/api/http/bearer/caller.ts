import { timingSafeEqual } from 'node:crypto';
import { looksLikeTeamKey, parseKey } from '../../../commands/keys/key-format.ts';
import type { KeyKind } from '../../../events/keys/api-key.ts';
import { publicScopes, type KeyScope } from '../../../events/teams/team.ts';
import { apiKeys, type ApiKeyDocument } from '../../../projections/keys/api-keys.ts';
import { teams, type TeamDocument } from '../../../projections/teams/teams.ts';
import type { Collection, Documents } from '../../../stores/documents/port.ts';
import { BatchPerTick } from '../caching/batch-per-tick.ts';
import { StampedCache } from '../caching/stamped-cache.ts';

/** Who asks: a key that is good at this moment. */
export interface Caller {
  readonly keyId: string;
  readonly kind: KeyKind;
  /** Of team keys. */
  readonly team: string | undefined;
  /** What the key may use now: its scopes, those that need enabling only while its team has them enabled. */
  readonly scopes: ReadonlySet<KeyScope>;
  /** Where it may be used from; none means everywhere. */
  readonly domains: readonly string[];
  /** Callers of one audience get the same answers. */
  readonly audience: Audience;
}

/** Nobody: no key of ours, or one that was good once. */
export type NoCaller = 'unknown' | 'revoked';

/** The public directory in the developer or the team tier, or that and a directory to manage. */
export type Audience = 'developer' | 'team' | `manager:${string}`;

/** Callers of each kind remembered between two changes of the keys. */
const remembered = 10_000;

/**
 * Looks keys up. What was found is remembered only while the read models that it rests on are exactly the same
 * (keys; for a team key teams too), so a revocation counts from the request after it was visible (interface 5.5).
 */
export class Callers {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #teams: Collection<TeamDocument>;
  readonly #keysStamp = new BatchPerTick(() => this.#keys.stamp());
  readonly #teamsStamp = new BatchPerTick(() => this.#teams.stamp());
  readonly #developers = new StampedCache<Caller>({ max: remembered });
  readonly #teamKeys = new StampedCache<Caller>({ max: remembered });

  constructor(documents: Documents) {
    this.#keys = documents.collection(apiKeys.collection);
    this.#teams = documents.collection(teams.collection);
  }

  /** The holder of a key that came over a connection. */
  async of(key: string, connection: object): Promise<Caller | NoCaller> {
    const [known, stamp] = looksLikeTeamKey(key)
      ? [this.#teamKeys, await this.#bothStamps(connection)]
      : [this.#developers, await this.#keysStamp.for(connection)];
    const before = known.get(key, stamp);
    if (before) return before;
    const caller = await this.#lookUp(key);
    if (typeof caller !== 'string') known.put(key, stamp, caller);
    return caller;
  }

  /** A stamp over both collections, asked for at once. */
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
    if (document.status === 'revoked') return 'revoked';
    const enabled = document.team === undefined ? undefined : await this.#teams.get(document.team);
    return callerOf(document, enabled?.scopes ?? []);
  }
}

function callerOf(
  { key_id, kind, team, scopes, domains }: ApiKeyDocument,
  enabled: readonly string[],
): Caller {
  const usable = [...publicScopes, ...(kind === 'team' ? enabled : [])];
  const held = new Set(scopes.filter((scope) => usable.includes(scope)));
  return { keyId: key_id, kind, team, scopes: held, domains, audience: audienceOf(kind, team, held) };
}

function audienceOf(kind: KeyKind, team: string | undefined, scopes: ReadonlySet<KeyScope>): Audience {
  if (kind === 'developer' || team === undefined) return 'developer';
  return scopes.has('directory:manage') ? `manager:${team}` : 'team';
}

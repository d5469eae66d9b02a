import { apiKeyStream, hasExpired, type ApiKeyEvent, type KeyKind } from '../events/keys.ts';
import { type KeyScope, installationScopes, publicScopes } from '../events/teams.ts';
import { streamId } from '../events/define.ts';
import { personOfActor, type Metadata } from '../events/metadata.ts';
import type { Documents } from '../stores/documents/port.ts';
import { projection } from './engine/read-model.ts';

export interface ApiKeyDocument {
  readonly key_id: string;
  readonly kind: KeyKind;
  readonly team?: string | undefined;
  /** Of a key that belongs to no person, and of keys from before labels were sealed. */
  readonly label?: string | undefined;
  /** Sealed for `created_by`. */
  readonly label_sealed?: string | undefined;
  readonly scopes: readonly KeyScope[];
  readonly domains: readonly string[];
  readonly secret_sha256: string;
  readonly status: 'active' | 'revoked';
  readonly created_at: string;
  /** The person who made it, or for whom an operator made it. */
  readonly created_by?: string | undefined;
  readonly revoked_at?: string;
  /** It is refused from then on. */
  readonly expires_at?: string | undefined;
  /** When somebody chose that. */
  readonly expiry_chosen_at?: string | undefined;
  /** The key in whose place it was made. */
  readonly replaces?: string | undefined;
  /** The key that was made in its place. */
  readonly replaced_by?: string | undefined;
  readonly rolled_at?: string | undefined;
}

export const apiKeys = projection<ApiKeyDocument, ApiKeyEvent>({
  version: 4,
  events: ['ApiKeyCreated', 'ApiKeyDomainsChanged', 'ApiKeyRolled', 'ApiKeyRevoked'],
  collection: {
    name: 'api-keys',
    fields: ['key_id', 'kind', 'team', 'created_at', 'created_by', 'expires_at'],
    indexes: [
      ['created_at', 'key_id'],
      ['team', 'created_at', 'key_id'],
      ['team', 'created_by', 'created_at', 'key_id'],
      ['created_by', 'kind', 'created_at', 'key_id'],
      ['expires_at', 'key_id'],
      ['team', 'expires_at', 'key_id'],
      ['created_by', 'kind', 'expires_at', 'key_id'],
    ],
  },
  idOf: (event) => streamId(event, apiKeyStream),
  fold(doc, event) {
    switch (event.type) {
      case 'ApiKeyCreated':
        return {
          ...event.data,
          status: 'active',
          created_at: event.metadata.at,
          ...makerOf(event.metadata),
          ...(event.data.expires_at !== undefined && { expiry_chosen_at: event.metadata.at }),
        };
      case 'ApiKeyDomainsChanged':
        return doc && { ...doc, domains: event.data.domains };
      case 'ApiKeyRolled': {
        const { replaced_by, expires_at } = event.data;
        const { at } = event.metadata;
        const ends = expires_at === undefined ? {} : { expires_at, expiry_chosen_at: at };
        return doc && { ...doc, replaced_by, rolled_at: at, ...ends };
      }
      case 'ApiKeyRevoked':
        return doc && { ...doc, status: 'revoked', revoked_at: event.metadata.at };
    }
  },
});

/** Whether a request with the key is accepted. */
export const isValid = (key: Pick<ApiKeyDocument, 'status' | 'expires_at'>, at: Date): boolean =>
  key.status === 'active' && !hasExpired(key, at);

/** So long before a key expires it is time to roll it. */
export const warnedMs = 7 * 86_400_000;

const pageSize = 500;

/** The valid keys that expire soon and whose place no other has, the first to end first. `of`: whose. */
export async function expiringKeys(
  documents: Documents,
  of: { readonly team: string } | { readonly created_by: string; readonly kind: 'developer' } | object,
  at: Date,
): Promise<ApiKeyDocument[]> {
  const soon = new Date(at.getTime() + warnedMs).toISOString();
  const found: ApiKeyDocument[] = [];
  let after: readonly string[] = [at.toISOString(), '~'];
  for (;;) {
    const page: readonly ApiKeyDocument[] = await documents
      .collection(apiKeys.collection)
      .page({ where: of, orderBy: ['expires_at', 'key_id'], after, upTo: [soon, '~'], limit: pageSize });
    found.push(...page.filter(({ status, replaced_by }) => status === 'active' && replaced_by === undefined));
    const last = page.at(-1);
    if (last?.expires_at === undefined || page.length < pageSize) return found;
    after = [last.expires_at, last.key_id];
  }
}

function makerOf({ actor }: Metadata): Pick<ApiKeyDocument, 'created_by'> {
  const maker = personOfActor(actor);
  return maker === undefined ? {} : { created_by: maker };
}

/**
 * Of the scopes that a key holds, those that it may use. `enabled`: the scopes that its team has enabled, at the time
 * that is asked about.
 */
export function usableScopes(
  { kind, scopes }: { readonly kind: KeyKind; readonly scopes: readonly KeyScope[] },
  enabled: readonly string[],
): KeyScope[] {
  const usable = usableBy(kind, enabled);
  return scopes.filter((scope) => usable.includes(scope));
}

function usableBy(kind: KeyKind, enabled: readonly string[]): readonly string[] {
  switch (kind) {
    case 'developer':
      return publicScopes;
    case 'team':
      return [...publicScopes, ...enabled];
    case 'installation':
      return installationScopes;
  }
}

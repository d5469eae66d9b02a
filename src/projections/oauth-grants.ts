import {
  grantStream,
  type AccessTokenRecord,
  type GrantEvent,
  type GrantData,
} from '../events/oauth/grant.ts';
import { streamId } from '../events/define.ts';
import type { SignInScope } from '../events/oauth/values.ts';
import { defined } from '../ground/defined.ts';
import { projection } from './engine/read-model.ts';

/** A grant: what is needed to check one of its tokens. A revoked grant is marked, and has no tokens. */
export interface GrantDocument {
  readonly grant: string;
  readonly user: string;
  readonly client: string;
  readonly status: 'issued' | 'active' | 'revoked';
  readonly epoch: number;
  /** The client's activation when the grant was issued. Absent: the client was never reactivated before. */
  readonly activation?: number;
  readonly scopes: readonly SignInScope[];
  readonly session?: string;
  readonly auth_time: number;
  readonly amr: readonly string[];
  readonly generation: number;
  readonly access_tokens: readonly AccessTokenRecord[];
  readonly issued_at: string;
  readonly changed_at: string;
}

export const grants = projection<GrantDocument, GrantEvent>({
  version: 1,
  events: [
    'AuthorizationCodeIssued',
    'TokensIssued',
    'TokensRefreshed',
    'TokenRevoked',
    'AuthorizationCodeReplayed',
    'RefreshTokenReused',
    'GrantRevoked',
  ],
  collection: {
    name: 'grants',
    fields: ['grant', 'user', 'client', 'issued_at'],
    indexes: [
      ['user', 'client', 'issued_at', 'grant'],
      ['client', 'issued_at', 'grant'],
    ],
  },
  idOf: (event) => streamId(event, grantStream),
  fold: foldGrant,
});

/** The document after an event: the newest event, and the time of the first one. */
export function foldGrant(
  doc: GrantDocument | undefined,
  { data, metadata: { at } }: { readonly data: GrantData; readonly metadata: { readonly at: string } },
): GrantDocument {
  const { grant, user, client, status, epoch, activation, scopes, session } = data;
  const { auth_time, amr, generation } = data;
  return {
    grant,
    user,
    client,
    status,
    epoch,
    ...defined({ activation }),
    scopes,
    ...defined({ session }),
    auth_time,
    amr,
    generation,
    access_tokens: data.status === 'active' ? data.access_tokens : [],
    issued_at: doc?.issued_at ?? at,
    changed_at: at,
  };
}

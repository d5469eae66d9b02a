import type { GrantEvent } from '../../events/oauth/grant.ts';
import type { SignInScope } from '../../events/oauth/values.ts';
import { AccessTokenValidity } from '../../projections/oauth-access-token-validity.ts';
import { grants, type GrantDocument } from '../../projections/oauth-grants.ts';
import { projected, type ProjectedEvent } from '../../projections/engine/read-model.ts';
import { isBetween, type Between } from './consents.ts';
import { concernedEvents, concernedKinds, type ConcernedParts } from './concerned-events.ts';
import { documentsUpTo } from './documents-up-to.ts';
import { pageOf, type ListRequest, type ListPage } from './reader.ts';

/** What of a grant was valid. Times are ISO 8601: until then it was valid, if nothing ended it earlier. */
export interface GrantThen {
  readonly grant: string;
  readonly user: string;
  readonly client: string;
  readonly issued_at: string;
  readonly session?: string | undefined;
  /** The authorization code, not exchanged yet. */
  readonly code_until?: string;
  readonly refresh_token_until?: string;
  readonly access_tokens: readonly {
    readonly generation: number;
    readonly scopes: readonly SignInScope[];
    readonly until: string;
  }[];
}

interface Found {
  readonly document: GrantDocument;
  /** Every event of a grant repeats the whole state, and has times that the document leaves out. */
  readonly newest: GrantEvent['data'];
}

/** The grants of which a code, an access token or a refresh token was valid at the time. */
export async function tokensThen(
  parts: ConcernedParts,
  at: Date,
  between: Between,
  list: ListRequest,
): Promise<ListPage<GrantThen>> {
  const found = new Map<string, Found>();
  for await (const events of grantEvents(parts, between))
    for (const event of events) {
      const { grant, user, client } = event.data as GrantEvent['data'];
      if (!isBetween(between, { user, client })) continue;
      const projectedEvent = projected(event) as ProjectedEvent<GrantEvent>;
      const document = grants.fold(found.get(grant)?.document, projectedEvent);
      if (document) found.set(grant, { document, newest: projectedEvent.data });
    }
  const { log } = parts;
  const validity = new AccessTokenValidity({ store: log, documents: documentsUpTo(log) });
  const valid: GrantThen[] = [];
  for (const each of found.values()) {
    const then = await validPart(validity, each, at);
    if (then) valid.push(then);
  }
  return pageOf(valid, ({ issued_at, grant }) => `${issued_at} ${grant}`, list);
}

function grantEvents(parts: ConcernedParts, { person, client }: Between) {
  if (client !== undefined) {
    const where = person === undefined ? { client } : { user: person, client };
    return concernedEvents(parts, concernedKinds.grantsOfClient, where, grants.events);
  }
  if (person !== undefined)
    return concernedEvents(parts, concernedKinds.grantsOfPerson, { user: person }, grants.events);
  return parts.log.eventsOf(grants.events);
}

/** Undefined when nothing of the grant was valid. */
async function validPart(
  validity: AccessTokenValidity,
  { document, newest }: Found,
  at: Date,
): Promise<GrantThen | undefined> {
  if ((await validity.ofGrant(document)).status === 'invalid') return undefined;
  const now = at.getTime() / 1_000;
  const access_tokens: GrantThen['access_tokens'][number][] = [];
  for (const { generation, expires } of document.access_tokens) {
    const token = await validity.of({ grantId: document.grant, generation, expires }, at);
    if (token.status === 'valid')
      access_tokens.push({ generation, scopes: token.scopes, until: timeOf(expires) });
  }
  const code = newest.status === 'issued' && newest.code_expires > now ? newest.code_expires : undefined;
  const ends = newest.status === 'active' ? Math.min(newest.refresh_expires, newest.ends) : 0;
  if (code === undefined && ends <= now && access_tokens.length === 0) return undefined;
  const { grant, user, client, issued_at, session } = document;
  return {
    grant,
    user,
    client,
    issued_at,
    ...(session === undefined ? {} : { session }),
    ...(code === undefined ? {} : { code_until: timeOf(code) }),
    ...(ends > now ? { refresh_token_until: timeOf(ends) } : {}),
    access_tokens,
  };
}

const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

import type { GrantEvent } from '../../events/oauth/grant.ts';
import { hasExpired } from '../../events/keys.ts';
import { people } from '../../projections/accounts-people.ts';
import type { SessionDocument } from '../../projections/accounts-sessions.ts';
import type { ApiKeyDocument } from '../../projections/keys.ts';
import { teams } from '../../projections/teams.ts';
import { AccessTokenValidity } from '../../projections/oauth-access-token-validity.ts';
import type { GrantDocument } from '../../projections/oauth-grants.ts';
import type { InvitationDocument } from '../../projections/teams-invitations.ts';
import type { RecordedEvent } from '../../stores/event-store/port.ts';
import { documentsUpTo } from './documents-up-to.ts';
import type { LogUpTo } from './log-up-to.ts';
import type { FoldedDocument } from './read-models.ts';

/** Whether something that can expire was good at the time. */
export interface Validity {
  readonly valid: boolean;
  /** Why not, in a few words. */
  readonly because?: string;
}

const valid: Validity = { valid: true };
const not = (because: string): Validity => ({ valid: false, because });

/** Of a session, a grant, an invitation or a key. Undefined for what does not expire. `newest`: of its stream. */
export async function validityOf(
  log: LogUpTo,
  at: Date,
  { readModel, document }: FoldedDocument,
  newest: RecordedEvent,
): Promise<Validity | undefined> {
  switch (readModel) {
    case 'sessions':
      return ofSession(log, at, document as SessionDocument);
    case 'grants':
      return ofGrant(log, at, document as GrantDocument, newest.data as GrantEvent['data']);
    case 'invitations': {
      const { status, expires_at } = document as InvitationDocument;
      if (status !== 'open') return not(status);
      return Date.parse(expires_at) > at.getTime() ? valid : not('expired');
    }
    case 'api-keys': {
      const key = document as ApiKeyDocument;
      if (key.status === 'revoked') return not('revoked');
      if (hasExpired(key, at)) return not('expired');
      const team =
        key.team === undefined
          ? undefined
          : await documentsUpTo(log).collection(teams.collection).get(key.team);
      return team?.closed_at === undefined ? valid : not('its team was closed');
    }
    default:
      return undefined;
  }
}

/** The last use of a session is not in the log, so that a session that was idle for too long counts as valid here. */
async function ofSession(log: LogUpTo, at: Date, session: SessionDocument): Promise<Validity> {
  if (session.status === 'ended') return not('ended');
  if (session.ends * 1_000 <= at.getTime()) return not('expired');
  const person = await documentsUpTo(log).collection(people.collection).get(session.user);
  if (person?.status !== 'active') return not('no such person');
  return person.session_epoch === session.epoch ? valid : not('all sessions of the person were ended');
}

async function ofGrant(
  log: LogUpTo,
  at: Date,
  grant: GrantDocument,
  newest: GrantEvent['data'],
): Promise<Validity> {
  const found = await new AccessTokenValidity({ store: log, documents: documentsUpTo(log) }).ofGrant(grant);
  if (found.status === 'invalid') return not(found.because);
  const until =
    newest.status === 'issued'
      ? newest.code_expires
      : newest.status === 'active'
        ? Math.max(
            Math.min(newest.refresh_expires, newest.ends),
            ...grant.access_tokens.map(({ revoked, expires }) => (revoked ? 0 : expires)),
          )
        : 0;
  return until * 1_000 > at.getTime() ? valid : not('expired');
}

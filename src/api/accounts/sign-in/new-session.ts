import { randomBytes } from 'node:crypto';
import { endSession, startSession } from '../../../commands/accounts/session.ts';
import { people } from '../../../projections/accounts/people.ts';
import { sessions } from '../../../projections/accounts/sessions.ts';
import { visible } from '../../../projections/engine/read-your-writes.ts';
import type { Position } from '../../../stores/event-store/port.ts';
import { sessionCookie, type Cookie } from '../../http/host-cookie.ts';
import type { Dash } from '../../dashboard-dependencies.ts';
import type { PageContext } from '../../pages/page-context.ts';

const readModels = [people.collection.name, sessions.collection.name];

/**
 * Starts a session for somebody who has just proved who they are, always a new one, and ends the one that this
 * browser had. Answers the cookies: of the session, and of a browser that is known to the account from now on.
 * After it every node knows the session.
 *
 * `after`: what was changed with it, and is to be seen as well.
 */
export async function newSession(
  { store, documents, config, issuer, known }: Dash,
  pageContext: PageContext,
  {
    user,
    amr,
    after = -1n,
  }: { readonly user: string; readonly amr: readonly string[]; readonly after?: Position },
): Promise<readonly Cookie[]> {
  const lifeSeconds = config.lifetimes.session;
  const { token, sessionEpoch, outcome } = await startSession(
    store,
    { user, amr, lifeSeconds },
    randomBytes(32),
    pageContext.context(user),
  );
  const old = pageContext.who?.session.sessionId;
  const ended =
    old === undefined ? undefined : await endSession(store, old, 'replaced', pageContext.context(user));
  await visible(documents, readModels, latest(outcome.position, ended?.position ?? -1n, after));
  return [
    sessionCookie(issuer()).set(token, lifeSeconds),
    known.remember(pageContext.request, { user, sessionEpoch }),
  ];
}

/** Resolves when every node sees what was done to people and their sessions. */
export const seen = ({ documents }: Dash, ...positions: readonly Position[]): Promise<void> =>
  visible(documents, readModels, latest(...positions));

const latest = (...positions: readonly Position[]): Position =>
  positions.reduce((one, other) => (one > other ? one : other), -1n);

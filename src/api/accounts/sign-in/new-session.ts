import { randomBytes } from 'node:crypto';
import { endSession, startSession } from '../../../commands/accounts/session.ts';
import { personOf } from '../../../personal/personal-data.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { sessionCookie, type Cookie } from '../../http/host-cookie.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { deviceOf } from '../device.ts';
import type { PageContext } from '../../pages/page-context.ts';

/**
 * Starts a new session for somebody who has just authenticated, and ends the previous session of this browser.
 * Returns the cookies of the session and of the known browser. When it resolves, every node knows the session.
 */
export async function newSession(
  { store, documents, personal, config, issuer, recognizedBrowsers }: PageDependencies,
  pageContext: PageContext,
  { user, amr }: { readonly user: string; readonly amr: readonly string[] },
): Promise<readonly Cookie[]> {
  const lifeSeconds = config.lifetimes.session;
  const device = await personal.seal(personOf(user), deviceOf(pageContext.request.headers['user-agent']));
  const { token, sessionEpoch, outcome } = await startSession(
    store,
    { user, amr, lifeSeconds, device },
    randomBytes(32),
    pageContext.context(user),
  );
  const old = pageContext.currentUser?.session.sessionId;
  const ended =
    old === undefined ? [] : [await endSession(store, old, 'replaced', pageContext.context(user))];
  await untilShown(documents, [outcome, ...ended]);
  return [
    sessionCookie(issuer()).set(token, lifeSeconds),
    recognizedBrowsers.remember(pageContext.request, { user, sessionEpoch }),
  ];
}

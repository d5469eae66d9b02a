import { endSession } from '../../../commands/accounts/session.ts';
import { signInPath } from '../../pages/interaction.ts';
import { sessionCookie } from '../../http/host-cookie.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { paths } from '../../pages/paths.ts';
import { redirectTo, type Page } from '../../pages/page-context.ts';

/** Signs out of this browser, from the button on our own pages. Sites use /oauth/logout. */
export function signOut(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.signOut,
    endsSessions: true,
    async post(pageContext) {
      const outcome = await endSession(
        dependencies.store,
        pageContext.currentUser.session.sessionId,
        'signed_out',
        pageContext.context(),
      );
      await untilShown(dependencies.documents, outcome);
      return redirectTo(`${signInPath}?done=signed-out`, sessionCookie(dependencies.issuer()).clear());
    },
  };
}

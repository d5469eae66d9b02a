import { endAllSessions as endAll, endOneSession as endOne } from '../../actions/accounts/own-account.ts';
import { sessions as readModel, type SessionDocument } from '../../projections/accounts-sessions.ts';
import { isWithinTimes, SessionValidity } from '../../projections/accounts-session-validity.ts';
import { html, type Html } from '../pages/html.ts';
import { signInPath } from '../pages/interaction.ts';
import { sessionCookie, teamCookie } from '../http/host-cookie.ts';
import { button, form, hidden, notice, time } from '../pages/controls.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { personForm } from '../pages/action-form.ts';
import { paths } from '../pages/paths.ts';
import { redirectTo, type Page, type Redirect, type SignedInPageContext } from '../pages/page-context.ts';
import { deviceWords } from './device.ts';

/** The most sessions that are shown. A person with more can end them all. */
const shownAtMost = 50;

/** Lists where a person is signed in. */
export function sessions(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.sessions,
    async get(pageContext) {
      const open = await openSessions(dependencies, pageContext);
      return {
        title: 'Where you are signed in',
        content: html`${pageContext.query.get('done') === 'ended' ? notice('That browser is signed out.') : ''}
          <ul class="items card">
            ${await Promise.all(open.map((each) => entry(dependencies, pageContext, each)))}
          </ul>
          <section class="card">
            <h2>All browsers at once</h2>
            <p class="quiet">
              This signs out this browser too. You stay signed in to sites until you
              <a href="${paths.apps}">revoke their access</a>.
            </p>
            ${form({
              action: paths.endSessions,
              token: pageContext.formToken,
              content: button('Sign out everywhere', { weight: 'danger' }),
            })}
          </section>
          <p><a href="${paths.me}">Back to your account</a></p>`,
      };
    },
  };
}

/** Signs out one browser. */
export const endOneSession = personForm({
  path: paths.endSession,
  action: endOne,
  endsSessions: true,
  also: ({ form }) => ({ session: form.get('session') ?? '' }),
  done: () => redirectTo(`${paths.sessions}?done=ended`),
});

/** Signs out everywhere, in this browser too. */
export const endAllSessions = personForm({
  path: paths.endSessions,
  action: endAll,
  endsSessions: true,
  done: (_pageContext, _value, dependencies) => signedOut(dependencies, 'everywhere'),
});

/** Signs out of this browser, from the button on our own pages. Sites use /oauth/logout. */
export const signOut = personForm({
  path: paths.signOut,
  action: endOne,
  endsSessions: true,
  also: ({ currentUser }) => ({ session: currentUser.session.sessionId }),
  done: (_pageContext, _value, dependencies) => signedOut(dependencies, 'signed-out'),
});

const signedOut = ({ issuer }: PageDependencies, done: string): Redirect =>
  redirectTo(`${signInPath}?done=${done}`, sessionCookie(issuer()).clear(), teamCookie(issuer()).clear());

interface Shown {
  readonly session: SessionDocument;
  /** Unix milliseconds. */
  readonly lastSeen: number;
}

async function openSessions(
  { documents, side, config, now }: PageDependencies,
  { currentUser }: SignedInPageContext,
): Promise<Shown[]> {
  const found = await documents.collection(readModel.collection).page({
    where: { user: currentUser.person.user, status: 'open' },
    orderBy: ['started_at', 'session'],
    descending: true,
    limit: shownAtMost,
  });
  const { sessionIdle } = config.lifetimes;
  const sessionValidity = new SessionValidity({ documents, side }, sessionIdle);
  const shown = await Promise.all(
    found.map(async (session) => ({ session, lastSeen: await sessionValidity.lastSeen(session) })),
  );
  const at = now();
  return shown.filter(
    ({ session, lastSeen }) =>
      session.epoch === currentUser.person.session_epoch &&
      isWithinTimes(session, { lastSeen, idleSeconds: sessionIdle, at }),
  );
}

async function entry(
  { personal }: PageDependencies,
  { currentUser, formToken }: SignedInPageContext,
  { session, lastSeen }: Shown,
): Promise<Html> {
  const device = (await deviceWords(personal, session)) ?? 'A browser';
  const here = session.session === currentUser.session.sessionId;
  return html`<li>
    <div>
      <strong>${device}</strong>
      ${here ? html`<span class="badge good">this browser</span>` : ''}<br />
      <span class="quiet"
        >signed in on ${time(session.started_at, 'minute')} by ${methodOf(session)}, last used
        ${time(lastSeen, 'minute')}</span
      >
    </div>
    ${
      here
        ? ''
        : form({
            action: paths.endSession,
            token: formToken,
            inline: true,
            content: html`${hidden('session', session.session)}${button('Sign out', { weight: 'danger', of: device })}`,
          })
    }
  </li>`;
}

/** How somebody signed in. */
export const methodOf = ({ amr }: Pick<SessionDocument, 'amr'>): string =>
  amr.includes('pwd') ? 'password' : 'passkey';

/** The newest sign-in before that of this browser. Undefined: there was none. */
export async function lastSignIn(
  { documents }: PageDependencies,
  { currentUser }: SignedInPageContext,
): Promise<SessionDocument | undefined> {
  const newestOf = async (status: SessionDocument['status']) => {
    const found = await documents.collection(readModel.collection).page({
      where: { user: currentUser.person.user, status },
      orderBy: ['started_at', 'session'],
      descending: true,
      limit: 2,
    });
    return found.find(({ session }) => session !== currentUser.session.sessionId);
  };
  const both = await Promise.all([newestOf('open'), newestOf('ended')]);
  return both
    .filter((each) => each !== undefined)
    .sort((a, b) => (a.started_at < b.started_at ? 1 : -1))
    .at(0);
}

import { perform } from '../../actions/perform.ts';
import { accept } from '../../actions/teams/invitations.ts';
import { findPerson } from '../../commands/accounts/person.ts';
import { invitationOf } from '../../commands/teams/invitation-keys.ts';
import { readInvitationLink } from '../../commands/teams/invitation-link.ts';
import { confirmedAddress } from '../../commands/teams/member.ts';
import { closedSentences, invitationStanding } from '../../commands/teams/membership.ts';
import { findTeam } from '../../commands/teams/team.ts';
import type { OpenInvitation, Team } from '../../commands/teams/team-state.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { button, form, hidden, time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { signInPath } from '../pages/interaction.ts';
import { redirectTo, type Answer, type Page, type PageContext, type View } from '../pages/page-context.ts';
import { paths } from '../pages/paths.ts';
import { joinPath } from '../../actions/teams/invite.ts';
import { roleWords } from '../../actions/teams/role-words.ts';

/** An invitation that can be used. */
interface Opened {
  readonly team: string;
  readonly name: string;
  readonly link: string;
  readonly id: string;
  readonly invitation: OpenInvitation;
}

/**
 * The page behind the link of an invitation. It asks to sign in or to register, then to join. Opening the link changes
 * nothing, because mail programs open links too; and it confirms no address. Only the account whose confirmed address
 * was invited can join.
 */
export function joinPage(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: `${paths.join}/:team`,
    async get(pageContext) {
      const opened = await openedIn(dependencies, pageContext, pageContext.query);
      return 'invitation' in opened ? askToJoin(dependencies, pageContext, opened) : opened;
    },
    async post(pageContext) {
      const opened = await openedIn(dependencies, pageContext, pageContext.form);
      if (!('invitation' in opened)) return opened;
      const { team, link, id } = opened;
      const user = pageContext.currentUser?.person.user;
      if (user === undefined) return redirectTo(joinPath(team, link));
      const performed = await perform(accept, dependencies, {
        who: { kind: 'person', user, administrator: false },
        input: { team, invitation: id },
        context: () => pageContext.context(),
      });
      // Something has changed since the page was shown. It says what.
      if (performed.kind !== 'done') return redirectTo(joinPath(team, link));
      return redirectTo(`${paths.teams}?done=joined`);
    },
  };
}

/** The invitation of the link, or why it cannot be used. */
async function openedIn(
  { store, vault, now }: PageDependencies,
  { request, currentUser }: PageContext,
  from: URLSearchParams,
): Promise<Opened | View> {
  const { team = '' } = request.params as { readonly team?: string };
  const link = from.get('link') ?? '';
  const id = await readInvitationLink(vault, { team, link });
  if (id === undefined) return incompleteLinkView();
  const state = await findTeam(store, team);
  if (!state) return unusableView('We do not know the team of this invitation. Ask who invited you.', 404);
  const standing = invitationStanding(state, id, now());
  if (currentUser && state.members.has(currentUser.person.user)) return memberView(state);
  if (standing.is === 'open') return { team, name: state.name, link, id, invitation: standing.invitation };
  return unusableView(closedSentences[standing.is], standing.is === 'unknown' ? 404 : 410);
}

async function askToJoin(
  dependencies: PageDependencies,
  pageContext: PageContext,
  opened: Opened,
): Promise<Answer> {
  const { id, invitation } = opened;
  const address = await dependencies.personal.open<string>(invitationOf(id), invitation.email_sealed);
  const { currentUser } = pageContext;
  const person = currentUser && (await findPerson(dependencies, currentUser.person.user));
  const addressed = html`<p>
    The invitation is for <strong>${address ?? 'the address that it was sent to'}</strong>, until
    ${time(invitation.expires_at, 'minute')}.
  </p>`;
  const content = (() => {
    if (!currentUser || !person) return html`${addressed}${waysIn(opened)}`;
    if (confirmedAddress(person) === invitation.email) return joinForm(pageContext, opened);
    return html`${addressed}
      <p>You are signed in as <strong>${currentUser.email}</strong>, which is another address.</p>
      ${form({
        action: paths.signOut,
        token: dependencies.forms.for(currentUser.session.sessionId),
        content: button('Sign out', { weight: 'secondary' }),
      })}
      <p class="quiet">
        Then open the link in the email again, and sign in with the account of the invited address. Or ask the
        team to invite ${currentUser.email}.
      </p>`;
  })();
  return { title: `Join ${opened.name}`, shape: 'narrow', content: html`${lead(opened)}${content}` };
}

const lead = ({ name, invitation: { role } }: Opened): Html =>
  html`<p class="lead">You are invited to join <strong>${name}</strong> as ${roleWords[role]}.</p>`;

/** Registering and signing in lead back here. */
function waysIn({ team, link }: Opened): Html {
  const query = `?to=${encodeURIComponent(joinPath(team, link))}`;
  return html`<p>Join with an account that has this address.</p>
    <p><a class="button primary" href="${paths.register}${query}">Create an account</a></p>
    <p><a class="button secondary" href="${signInPath}${query}">Sign in</a></p>
    <p class="quiet">You do not know this team? Close this page, and nothing will happen.</p>`;
}

const joinForm = (
  { formToken, currentUser }: PageContext,
  { team, name, link, invitation: { role } }: Opened,
): Html =>
  html`<p>
      You join as <strong>${currentUser?.profile.name ?? ''}</strong>. The members of the team see your name,
      and its admins your email address, too.
    </p>
    ${form({
      action: `${paths.join}/${team}`,
      token: formToken,
      content: html`${hidden('link', link)}${button(`Join ${name} as ${role}`)}`,
    })}
    <p class="quiet">You do not want to join? Close this page, and nothing will happen.</p>`;

const memberView = ({ name }: Team): View => ({
  title: `You belong to ${name}`,
  shape: 'narrow',
  content: html`<p>There is nothing more to do.</p>
    <p><a class="button primary" href="${paths.teams}">Your teams</a></p>`,
});

const unusableView = (sentence: string, status: number): View => ({
  title: 'This invitation cannot be used',
  status,
  shape: 'narrow',
  content: html`<p>${sentence}</p>
    <p><a href="${paths.teams}">Your teams</a></p>`,
});

const incompleteLinkView = (): View => ({
  title: 'This link does not work',
  status: 400,
  shape: 'narrow',
  content: html`<p>
      Part of it is missing, or it was changed. Some mail programs break long links: copy the whole link from
      the email.
    </p>
    <p class="quiet">If that does not help, ask the team for a new invitation.</p>`,
});

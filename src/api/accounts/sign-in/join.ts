import { perform } from '../../../actions/perform.ts';
import { accountOfPasskey, creationOptions } from '../../../actions/accounts/passkeys.ts';
import { joinPath } from '../../../actions/teams/invite.ts';
import { accept, join } from '../../../actions/teams/join.ts';
import { roleWords } from '../../../actions/teams/role-words.ts';
import { findPerson } from '../../../commands/accounts/person.ts';
import { invitationOf } from '../../../commands/teams/invitation-keys.ts';
import { readInvitationLink } from '../../../commands/teams/invitation-link.ts';
import { ownAddress } from '../../../commands/teams/member.ts';
import { closedSentences, invitationState } from '../../../commands/teams/membership.ts';
import { findTeam } from '../../../commands/teams/team.ts';
import type { OpenInvitation, Team } from '../../../commands/teams/team-state.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { inputFields, visitorForm, type Again, type VisitorPageContext } from '../../pages/action-form.ts';
import { button, field, form, hidden, notice, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { signInPath } from '../../pages/interaction.ts';
import {
  EarlyAnswer,
  redirectTo,
  type Answer,
  type Page,
  type PageContext,
  type View,
} from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { accountAddress, nameField, newPasswordField } from '../person-fields.ts';
import { countEstimate } from './judge-first.ts';
import { newSession } from './new-session.ts';

/** An invitation that can be used. */
interface Opened {
  readonly team: string;
  readonly name: string;
  readonly link: string;
  readonly id: string;
  readonly invitation: OpenInvitation;
  /** The address that was invited. */
  readonly email: string;
}

type Context = VisitorPageContext<Opened>;

/** Where the answer of a passkey stands in a form. */
const answerField = 'answer';

/** Opens an account with the link, and joins. */
const joinForm = visitorForm({
  path: `${paths.join}/:team`,
  action: join,
  about: openedIn,
  async fields(dependencies, pageContext) {
    if (pageContext.form.has(answerField)) return fieldsOf(pageContext);
    await countEstimate(dependencies, pageContext, (refused) =>
      visitorView(dependencies, pageContext, { problems: {}, refused }),
    );
    return fieldsOf(pageContext);
  },
  also: ({ form: typed, browser, about: { link } }) => ({
    link,
    ...(typed.has(answerField) && {
      passkey: {
        challenge: typed.get('challenge') ?? '',
        answer: typed.get(answerField) ?? '',
        browser,
      },
    }),
  }),
  view: askToJoin,
  async done(pageContext, joined, dependencies) {
    if (joined === undefined) return accountView(pageContext.about);
    const to = `${paths.teams}?done=${joined.confirmed ? 'joined' : 'joined-unconfirmed'}`;
    return redirectTo(to, ...(await newSession(dependencies, pageContext, joined)));
  },
});

/**
 * The page behind the link of an invitation: it asks for a name, and a password or a passkey, or who is signed in to join.
 * Opening the link changes nothing, because mail programs open links too. Who joins has the invited address.
 */
export function joinPage(dependencies: PageDependencies): Page {
  const ofVisitors = joinForm(dependencies);
  return {
    ...ofVisitors,
    post: (pageContext: PageContext) =>
      pageContext.currentUser ? asSignedIn(dependencies, pageContext) : ofVisitors.post(pageContext),
  };
}

/** Joins with the account that is signed in. */
async function asSignedIn(dependencies: PageDependencies, pageContext: PageContext): Promise<Answer> {
  const { team, link, id } = await openedIn(dependencies, pageContext);
  const performed = await perform(accept, dependencies, {
    who: { kind: 'person', user: pageContext.currentUser?.person.user ?? '', administrator: false },
    input: { team, invitation: id },
    context: () => pageContext.context(),
  });
  // Something has changed since the page was shown. It says what.
  return redirectTo(performed.kind === 'done' ? `${paths.teams}?done=joined` : joinPath(team, link));
}

/** The invitation of the link. @throws EarlyAnswer, the page that says why it cannot be used */
async function openedIn(dependencies: PageDependencies, pageContext: PageContext): Promise<Opened> {
  const { store, vault, personal, now } = dependencies;
  const { request, currentUser, query, form: sent } = pageContext;
  const { team = '' } = request.params as { readonly team?: string };
  const link = sent.get('link') ?? query.get('link') ?? '';
  const id = await readInvitationLink(vault, { team, link });
  if (id === undefined) throw new EarlyAnswer(incompleteLinkView());
  const state = await findTeam(store, team);
  if (!state)
    throw new EarlyAnswer(
      unusableView('We do not know the team of this invitation. Ask who invited you.', 404),
    );
  const current = invitationState(state, id, now());
  if (currentUser && state.members.has(currentUser.person.user)) throw new EarlyAnswer(memberView(state));
  if (state.closing !== undefined)
    throw new EarlyAnswer(unusableView('This team is closed, so nobody can join it now. Ask the team.', 410));
  if (current.is !== 'open')
    throw new EarlyAnswer(unusableView(closedSentences[current.is], current.is === 'unknown' ? 404 : 410));
  const { invitation } = current;
  const email = await personal.open<string>(invitationOf(id), invitation.email_sealed);
  if (email === undefined) throw new EarlyAnswer(unusableView(closedSentences.used, 410));
  return { team, name: state.name, link, id, invitation, email };
}

const fieldsOf = ({ form: typed, about: { email } }: Context) => [
  { ...nameField, autofocus: true },
  ...(typed.has(answerField) ? [] : [newPasswordField([email, typed.get('name') ?? ''])]),
];

/** The page, also after an error. What was refused may be that the invitation was used meanwhile: then it says so. */
async function askToJoin(dependencies: PageDependencies, pageContext: Context, again: Again): Promise<View> {
  const { currentUser, about } = pageContext;
  if (again.refused) await openedIn(dependencies, pageContext);
  const person = currentUser && (await findPerson(dependencies, currentUser.person.user));
  if (!currentUser || !person) return visitorView(dependencies, pageContext, again);
  if (ownAddress(person) === about.invitation.email) return personView(pageContext);
  return otherAddressView(dependencies, pageContext);
}

const framed = ({ name, invitation: { role } }: Opened, content: Html): View => ({
  title: `Join ${name}`,
  shape: 'narrow',
  content: html`<p class="lead">You are invited to join <strong>${name}</strong> as ${roleWords[role]}.</p>
    ${content}`,
});

const joinButton = ({ name, invitation: { role } }: Opened): Html =>
  button('Join', { of: `${name} as ${role}` });

const addressed = ({ email, invitation }: Opened): Html =>
  html`<p>
    The invitation is for <strong>${email}</strong>, until ${time(invitation.expires_at, 'minute')}.
  </p>`;

const leaveAlone = (sentence: string): Html =>
  html`<p class="quiet">${sentence} Close this page, and nothing will happen.</p>`;

/** Signing in leads back here. */
async function visitorView(
  dependencies: PageDependencies,
  pageContext: Context,
  { problems, refused }: Again,
): Promise<View> {
  const { formToken, form: typed, about } = pageContext;
  const { team, name, link, email } = about;
  const back = `?to=${encodeURIComponent(joinPath(team, link))}`;
  const inputs = fieldsOf({ ...pageContext, form: withoutAnswer(typed) });
  return {
    ...framed(
      about,
      html`${refused ? notice(refused.message, 'wrong') : ''}${addressed(about)}
        ${form({
          action: `${paths.join}/${team}`,
          token: formToken,
          label: `Join ${name}`,
          content: html`${hidden('link', link)}${field(accountAddress(email))}
            ${inputFields(inputs, typed, problems)}
            <p class="quiet">
              The members of the team see your name, and its admins your email address, too.
            </p>
            ${joinButton(about)}`,
        })}
        ${await passkeyPart(dependencies, pageContext)}
        <ul class="ways">
          <li>Have an account? <a href="${signInPath}${back}">Sign in</a></li>
        </ul>
        ${leaveAlone('You do not know this team?')}`,
    ),
    passkeys: true,
  };
}

const withoutAnswer = (typed: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...typed].filter(([name]) => name !== answerField));

/** The button that makes a passkey in place of the password. Our script shows it, and takes the name from the form. */
async function passkeyPart(dependencies: PageDependencies, pageContext: Context): Promise<Html> {
  const { challenges, now } = dependencies;
  const { team, name, link, email, invitation } = pageContext.about;
  const { challenge, sealed } = challenges.ask(pageContext.browser, now());
  const account = { user: accountOfPasskey(challenge), name: email, email };
  const options = JSON.stringify(await creationOptions(dependencies, account, challenge));
  return html`<div data-passkey="create" data-options="${options}" data-name="name" hidden>
    <p class="or"><span>or, without a password</span></p>
    ${form({
      action: `${paths.join}/${team}`,
      token: pageContext.formToken,
      label: 'Join with a passkey',
      content: html`${hidden('link', link)}${hidden('name', '')}${hidden('challenge', sealed)}${hidden(answerField, '')}
      ${button('Join with a passkey', { weight: 'secondary', of: `${name} as ${invitation.role}` })}`,
    })}
    <p role="status" class="hint"></p>
  </div>`;
}

const personView = ({ formToken, currentUser, about }: Context): View =>
  framed(
    about,
    html`<p>
        You join as <strong>${currentUser?.profile.name ?? ''}</strong>. The members of the team see your
        name, and its admins your email address, too.
      </p>
      ${form({
        action: `${paths.join}/${about.team}`,
        token: formToken,
        content: html`${hidden('link', about.link)}${joinButton(about)}`,
      })}
      ${leaveAlone('You do not want to join?')}`,
  );

const otherAddressView = ({ forms }: PageDependencies, { currentUser, about }: Context): View =>
  framed(
    about,
    html`${addressed(about)}
      <p>You are signed in as <strong>${currentUser?.email ?? ''}</strong>, which is another address.</p>
      ${form({
        action: paths.signOut,
        token: forms.for(currentUser?.session.sessionId ?? ''),
        content: button('Sign out', { weight: 'secondary' }),
      })}
      <p class="quiet">
        Then open the link again, and join with the invited address. Or ask the team to invite
        ${currentUser?.email ?? ''}.
      </p>`,
  );

/** For who did not show to be the owner of the account that has the address. */
const accountView = ({ team, name, link, email }: Opened): View => {
  const back = `?to=${encodeURIComponent(joinPath(team, link))}`;
  return {
    title: 'Sign in to join',
    status: 409,
    shape: 'narrow',
    content: html`<p>
        <strong>${email}</strong> has an account already, and this is not how it is opened. Nothing was
        changed. Sign in with it, and you come back here to join ${name}.
      </p>
      <p><a class="button primary" href="${signInPath}${back}">Sign in</a></p>
      <ul class="ways">
        <li>Forgot your password? <a href="${paths.reset}${back}">Choose a new one</a></li>
        <li class="quiet">
          This is your address, and you have no account? Choose a new password: whoever reads its mail can.
        </li>
      </ul>`,
  };
};

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

import { breakable } from '../pages/parts/breakable.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { html, type Html } from '../pages/html.ts';
import { button, form, notice, time, when, doneText } from '../pages/controls.ts';
import { avatar } from '../pages/frame/layout.ts';
import { byMail } from '../pages/parts/notices.ts';
import { paths } from '../pages/paths.ts';
import type { SignedInPageContext, Page } from '../pages/page-context.ts';
import { deviceWords } from './device.ts';
import { waitingLink } from './email.ts';
import { lastSignIn, methodOf } from './sessions.ts';

/** Shows a person's own account, with links to change it. */
export function account(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.me,
    get: async (pageContext) => ({
      title: 'Your account',
      content: html`${doneNotice(dependencies, pageContext)}
        <section class="card identity big">
          ${avatar(pageContext.currentUser.profile.name)}
          <div>
            <strong>${pageContext.currentUser.profile.name}</strong>
            ${when(pageContext.currentUser.person.role === 'administrator', html`<span class="badge">administrator</span>`)}<br />
            <span class="quiet">${breakable(pageContext.currentUser.email)}</span>
          </div>
        </section>
        ${when(!pageContext.currentUser.person.email_verified, unconfirmed(pageContext))}
        <div class="rows card">${rows(pageContext, await lastSignInWords(dependencies, pageContext))}</div>`,
    }),
  };
}

/** How somebody confirms their address who joined before they had. */
const unconfirmed = ({ formToken }: SignedInPageContext): Html =>
  html`<section class="card">
    <h2>Your email address is not confirmed</h2>
    <p>Until it is, sites that you sign in to are told so.</p>
    ${form({
      action: paths.askToConfirm,
      token: formToken,
      content: button('Confirm it', { weight: 'secondary' }),
    })}
  </section>`;

/** When, how and with what the person signed in before, so that they notice when it was somebody else. */
async function lastSignInWords(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
): Promise<Html> {
  const last = await lastSignIn(dependencies, pageContext);
  if (!last) return html`Where you are signed in`;
  const device = await deviceWords(dependencies.personal, last);
  return html`Last sign-in before this one:
  ${time(last.started_at, 'minute')}${device === undefined ? '' : `, ${device}`}, by ${methodOf(last)}`;
}

function rows({ currentUser: { profile, email, person } }: SignedInPageContext, lastSignedIn: Html): Html {
  const { passkeys } = person;
  return html`
    ${row('Profile', html`${profile.name}${profile.username === undefined ? '' : ` · ${profile.username}`}`, paths.profile, 'Edit')}
    ${row(
      'Email',
      html`${breakable(email)} ${person.email_verified ? '' : html`<span class="badge">not confirmed</span>`}`,
      paths.email,
      'Change',
    )}
    ${row('Mails', person.email_verified ? 'About records that you submitted' : 'None until your address is confirmed', paths.mails, 'Choose')}
    ${row('Password', person.has_password ? 'Set' : 'None', paths.password, person.has_password ? 'Change' : 'Set')}
    ${row('Passkeys', passkeys.length === 0 ? 'None yet' : String(passkeys.length), paths.passkeys, 'Manage')}
    ${row('Browsers', lastSignedIn, paths.sessions, 'View')}
    ${row('Teams', 'Which teams you belong to', paths.teams, 'View')}
    ${row('Sites with access', 'Which sites can see your data', paths.apps, 'View')}
    ${row('Your data', 'Everything that we have stored about you', paths.ownData, 'Download')}
    ${row('Member', html`since ${time(person.registered_at)}`, paths.erase, 'Erase the account')}
  `;
}

const row = (label: string, value: string | Html, to?: string, act?: string): Html =>
  html`<div class="row">
    <h2>${label}</h2>
    <p>${value}</p>
    ${to === undefined ? html`<span></span>` : html`<a href="${to}">${act ?? ''}<span class="unseen"> ${label}</span></a>`}
  </div>`;

function doneNotice(dependencies: PageDependencies, { query }: SignedInPageContext): Html | '' {
  const newAddress = 'Open it and enter your password to change the address.';
  const done = doneText(query, {
    profile: 'Your profile is saved.',
    mails: 'Your choice is saved.',
    password: 'Your password is changed. Other browsers are signed out.',
    email: 'Your email address is changed.',
    confirmed: 'Your email address is confirmed.',
    'email-sent': `${byMail(dependencies, 'We sent a link to the new address.', waitingLink)} ${newAddress}`,
    'confirm-sent': byMail(
      dependencies,
      'We sent a link to your address. Open it to confirm the address.',
      waitingLink,
    ),
    'no-administrator': 'You are no longer an administrator.',
  });
  return done === undefined ? '' : notice(done);
}

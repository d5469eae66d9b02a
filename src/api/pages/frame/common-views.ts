import { html, type Html } from '../html.ts';
import { signInPath } from '../interaction.ts';
import { signInLink } from './layout.ts';
import { hasRight } from '../../../events/teams-rights.ts';
import { ofTeam, paths } from '../paths.ts';
import { withTimes } from '../time.ts';
import { button, form, hidden } from '../controls.ts';
import { onceField } from '../form-command.ts';
import { retryAfterText } from '../../../ground/refusals.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import type { PageContext, TeamPageContext, View } from '../page-context.ts';

/** For a form with an expired or foreign token. */
export const expiredFormView = (path: string): View => ({
  title: 'Please try again',
  status: 403,
  shape: 'narrow',
  content: html`<p>
      This page was open for too long, or you signed in or out in another window. Nothing was changed.
    </p>
    <p class="quiet">If this happens every time, allow cookies for this site in your browser.</p>
    <p><a class="button primary" href="${path.includes(':') ? paths.me : path}">Open the page again</a></p>`,
});

/**
 * For a form whose session has ended, or that was filled in by another account: nothing was done, and what was typed
 * is kept. It was sent by a page of ours. Secrets are not repeated.
 */
export function keptFormView(path: string, { form: sent, formToken, currentUser }: PageContext): View {
  return {
    title: currentUser ? 'Please send it again' : 'You are signed out',
    status: 403,
    shape: 'narrow',
    content: html`<p>
        ${
          currentUser
            ? 'You have signed in again since you opened this page. Nothing was changed.'
            : 'Your session has ended. Nothing was changed, and what you typed is kept on this page.'
        }
      </p>
      ${
        currentUser
          ? ''
          : html`<p>
                <a class="button primary" href="${signInPath}" target="_blank" rel="noopener"
                  >Sign in in a new window</a
                >
              </p>
              <p>Then come back to this one.</p>`
      }
      ${keptForm(path, sent, formToken)}`,
  };
}

/** What was typed, to be sent again. Secrets are not repeated. */
function keptForm(path: string, sent: URLSearchParams, formToken: string): Html {
  const kept = [...sent].filter(
    ([name]) => !['token', onceField].includes(name) && !/password|secret/i.test(name),
  );
  const content = html`${kept.map(([name, value]) => hidden(name, value))}${button('Send it now')}`;
  return form({ action: path, token: formToken, content });
}

/** For a person who has made as many changes as one may in an hour. */
export const tooManyChangesView = (
  path: string,
  { request, form: sent, formToken, file }: PageContext,
  seconds: number,
): View => ({
  title: 'Too many changes',
  status: 429,
  shape: 'narrow',
  headers: { 'retry-after': String(seconds) },
  content: html`<p>
      You have made very many changes in the last hour.
      ${request.method === 'POST' ? 'This one was not made.' : 'Opening this page is recorded like a change.'}
      ${file === undefined ? '' : 'Go back and send the file again later.'} ${retryAfterText(seconds)}.
    </p>
    ${
      request.method === 'POST' && file === undefined
        ? html`<p>What you typed is kept on this page.</p>
            ${keptForm(path, sent, formToken)}`
        : ''
    }`,
});

/** For a team that does not exist, or in which the person may not open the page. It does not say which. */
export const otherTeamView = (team: string | undefined): View => ({
  title: 'Not for your role',
  status: 404,
  content: html`<p>
      ${
        team === undefined
          ? 'This page is for members of a team. You are in no team where your role lets you open it.'
          : 'Your role does not let you open this page for this team, or there is no such team.'
      }
      An admin of the team can invite you or change your role.
    </p>
    <p><a href="${paths.teams}">Your teams</a></p>`,
});

/** For every page of a closed team but those that say so, and that open it again. */
export const closedTeamView = ({
  team,
  currentUser,
}: Pick<TeamPageContext, 'team' | 'currentUser'>): View => ({
  title: `${team.name} is closed`,
  status: 403,
  content: html`<p class="lead">Nothing can be seen or done in this team until it is open again.</p>
    <p>
      Nothing of it is erased. What was public of its directory is taken out, and its forms take no answers.
    </p>
    ${
      currentUser.person.role === 'administrator' || hasRight(team.role, 'change the team')
        ? html`<p><a class="button primary" href="${ofTeam(paths.teamSettings, team.team)}">Settings</a></p>`
        : html`<p>An admin of the team can open it again.</p>`
    }
    <p><a href="${paths.teams}">Your teams</a></p>`,
});

export const administratorsOnlyView = (): View => ({
  title: 'This page is for administrators',
  status: 403,
  content: html`<p>
      Your account cannot open this page. If you think it should, ask the people who run this service.
    </p>
    <p><a href="${paths.me}">Back to your account</a></p>`,
});

/** For something that does not exist, or that the person may not see. */
export const notFoundView = (
  sentence: string,
  back: { readonly to: string; readonly label: string },
): View => ({
  title: 'Not found',
  status: 404,
  content: html`<p>${sentence}</p>
    <p><a href="${back.to}">${back.label}</a></p>`,
});

/** For an authorization request that cannot continue. */
export const signInTookTooLongView = (): View => ({
  title: 'This sign-in took too long',
  status: 400,
  shape: 'narrow',
  content: html`<p>
      Go back to the site that sent you here and start again. Nothing was changed, and your account is not
      affected.
    </p>
    <p><a href="${signInPath}">Sign in to your account instead</a></p>`,
});

/**
 * After an email was requested. It is the same in every case. `sent`: where emails are sent; `waits`: where no mail server is
 * set, and administrators hand them on. `otherwise`: what to do when no email arrives.
 */
export const checkInboxView = (
  { config }: Pick<PageDependencies, 'config'>,
  query: string,
  { sent, waits, otherwise }: { readonly sent: string; readonly waits: string; readonly otherwise: Html },
): View => {
  const handedOn = config.smtpUrl === undefined;
  return {
    title: handedOn ? 'Ask for your email' : 'Check your inbox',
    shape: 'narrow',
    content: html`<p>${handedOn ? waits : sent}</p>
      ${
        handedOn
          ? html`<p>
              This service sends no emails by itself. Ask the people who run it: an administrator finds the
              email in the outbox, and hands it on to you.
            </p>`
          : html`<p class="quiet">
              No email after a few minutes? Look in your spam folder, or ${otherwise}.
            </p>`
      }
      <ul class="ways">
        <li>${signInLink(query)}</li>
      </ul>`,
  };
};

/** For a link from an email that is not valid. */
export const invalidLinkView = (query: string): View => ({
  title: 'This link no longer works',
  status: 400,
  shape: 'narrow',
  content: html`<p>
      It was already used, it has expired, or part of it is missing. Some mail programs break long links: copy
      the whole link.
    </p>
    <ul class="ways">
      <li>Already confirmed your address? <a href="${signInPath}${query}">Sign in</a></li>
      <li>Need a new link? <a href="${paths.reset}${query}">Choose a new password</a></li>
    </ul>`,
});

/** For a form that says something which no page of ours offers, or does not say what to do. */
export const refusedChoiceView: View = {
  title: 'Please try again',
  status: 400,
  shape: 'narrow',
  content: html`<p>
    We could not tell which choice you made, so nothing was changed. Go back, load the page again, and choose.
  </p>`,
};

/** For a fault, or an error without a page of its own. */
export const faultView = (status: number, sentence: string): View => ({
  title: status >= 500 ? 'This does not work at the moment' : 'This cannot be done',
  status,
  shape: 'narrow',
  content: html`<p>${withTimes(sentence)}</p>
    <p><a href="${paths.me}">Go to your account</a></p>`,
});

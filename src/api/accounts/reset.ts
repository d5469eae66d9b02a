import { findByEmail } from '../../commands/accounts/person.ts';
import { html } from '../pages/html.ts';
import { networksOf } from '../http/network.ts';
import { button, fields, form, type Problems } from '../pages/controls.ts';
import type { Dash } from '../dashboard-dependencies.ts';
import { evenly } from './sign-in/uniform-timing.ts';
import { journeyInMail, journeyOf, type Journey } from '../pages/return-to.ts';
import { signInLink } from '../pages/layout.ts';
import { paths } from '../pages/paths.ts';
import { addressIn } from './person-fields.ts';
import { postOffice } from './account-mails.ts';
import { lookIntoInbox } from '../pages/small-pages.ts';
import { go, type Page, type View, type Visit } from '../pages/page-context.ts';
import { waitFor } from '../pages/wait-for.ts';

/** Asking for a link to choose a new password. The answer is the same for every address. */
export function reset(dash: Dash): Page {
  return {
    audience: 'everybody',
    path: paths.reset,
    async get(visit) {
      return resetView(visit, await journeyOf(dash, visit));
    },
    async post(visit) {
      const journey = await journeyOf(dash, visit);
      const { email, problem } = addressIn(visit.form);
      if (problem !== undefined) return { ...resetView(visit, journey, { email: problem }), status: 422 };
      const seconds = await evenly(() => ask(dash, visit, journey, email));
      if (seconds > 0) {
        const wait = `Too many requests came from your network. ${waitFor(seconds)}.`;
        return {
          ...resetView(visit, journey, { email: wait }),
          status: 429,
          headers: { 'retry-after': String(seconds) },
        };
      }
      return go(`${paths.resetSent}${journey.query}`);
    },
  };
}

/**
 * Has the mail written where there is an account; answers the seconds to wait, for who asks too often. Whoever asks
 * at a browser that has signed in to the account before has a budget of their own.
 */
async function ask(dash: Dash, { request }: Visit, journey: Journey, email: string): Promise<number> {
  const person = await findByEmail(dash, email);
  const browser = dash.known.nameAt(request.headers.cookie, person);
  const seconds = browser === undefined ? await dash.throttle.askForMail(networksOf(request.ip)) : 0;
  if (seconds === 0 && person) {
    await postOffice(dash).reset({ user: person.user, email, browser }, journeyInMail(journey));
  }
  return seconds;
}

/** After asking, whatever came of it. */
export function resetSent(dash: Dash): Page {
  return {
    audience: 'everybody',
    path: paths.resetSent,
    async get(visit) {
      const { query } = await journeyOf(dash, visit);
      return lookIntoInbox(
        query,
        'If the address belongs to an account, a mail with a link is on its way; the link is good for one hour. Where many were asked for, it takes a quarter of an hour.',
        html`<a href="${paths.reset}${query}">try another address</a>`,
      );
    },
  };
}

function resetView({ form: given, formToken }: Visit, journey: Journey, problems: Problems = {}): View {
  return {
    title: 'Choose a new password',
    shape: 'narrow',
    content: html`<p>Tell us the address of your account, and we send you a link.</p>
      ${form({
        action: paths.reset,
        token: formToken,
        content: html`${journey.inputs}
        ${fields(
          [
            {
              name: 'email',
              label: 'Email',
              type: 'email',
              value: given.get('email') ?? '',
              autocomplete: 'username',
              autofocus: true,
            },
          ],
          problems,
        )}
        ${button('Send the link')}`,
      })}
      <ul class="ways">
        <li>${signInLink(journey.query)}</li>
      </ul>`,
  };
}

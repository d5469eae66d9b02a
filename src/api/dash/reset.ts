import { findByEmail } from '../../commands/person.ts';
import { html } from '../html.ts';
import { networkOf } from '../network.ts';
import { button, fields, form, type Problems } from './controls.ts';
import type { Dash } from './dependencies.ts';
import { evenly } from './evenly.ts';
import { journeyInMail, journeyOf, type Journey } from './journey.ts';
import { signInLink } from './layout.ts';
import { paths } from './paths.ts';
import { addressIn } from './person-fields.ts';
import { postOffice } from './post-office.ts';
import { lookIntoInbox } from './small-pages.ts';
import { go, type Page, type View, type Visit } from './visit.ts';
import { waitFor } from './wait-for.ts';

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
      const seconds = await dash.throttle.askForMail(networkOf(visit.request.ip));
      if (seconds > 0) {
        const wait = `Too many requests came from your network. ${waitFor(seconds)}.`;
        return {
          ...resetView(visit, journey, { email: wait }),
          status: 429,
          headers: { 'retry-after': String(seconds) },
        };
      }
      await evenly(async () => {
        const person = await findByEmail(dash, email);
        if (person) await postOffice(dash).reset({ user: person.user, email }, journeyInMail(journey));
      });
      return go(`${paths.resetSent}${journey.query}`);
    },
  };
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
        'If the address belongs to an account, there is a mail with a link now; it is good for one hour.',
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

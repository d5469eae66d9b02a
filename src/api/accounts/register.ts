import { CommandRefused } from '../../commands/errors.ts';
import { findByEmail, registerPerson } from '../../commands/accounts/person.ts';
import { html } from '../pages/html.ts';
import { networksOf } from '../http/network.ts';
import { button, fields, form, notice, type Problems } from '../pages/controls.ts';
import { personParts, type Dash } from '../dashboard-dependencies.ts';
import { evenly } from './sign-in/uniform-timing.ts';
import { journeyInMail, journeyOf, type Journey } from '../pages/return-to.ts';
import { signInLink } from '../pages/layout.ts';
import { seen } from './sign-in/new-session.ts';
import { paths } from '../pages/paths.ts';
import { accountFields, addressIn, passwordIn, profileIn } from './person-fields.ts';
import { postOffice } from './account-mails.ts';
import { lookIntoInbox } from '../pages/small-pages.ts';
import { go, type Answer, type Page, type View, type Visit } from '../pages/page-context.ts';
import { waitFor } from '../pages/wait-for.ts';

/**
 * Opening an account. Whether the address had one already is told to nobody but the address: the answer is the
 * same, takes as long, and a mail is sent either way.
 */
export function register(dash: Dash): Page {
  return {
    audience: 'everybody',
    path: paths.register,
    async get(visit) {
      const journey = await journeyOf(dash, visit);
      return visit.who && !journey.site ? go(journey.end) : registerView(visit, journey);
    },
    async post(visit) {
      const journey = await journeyOf(dash, visit);
      const { email, problem: emailProblem } = addressIn(visit.form);
      const { profile, problems } = profileIn(new URLSearchParams({ name: visit.form.get('name') ?? '' }));
      // Judging a password is work, which nobody makes us do as often as they like.
      const pause = await dash.throttle.judge(networksOf(visit.request.ip));
      if (pause > 0) return tooMany(visit, journey, pause);
      const { password, problem: passwordProblem } = await passwordIn(visit.form, [email, profile.name]);
      const wrong: Problems = { ...problems, email: emailProblem, password: passwordProblem };
      if (Object.values(wrong).some((each) => each !== undefined)) {
        return { ...registerView(visit, journey, wrong), status: 422 };
      }
      const seconds = await dash.throttle.askForMail(networksOf(visit.request.ip));
      if (seconds > 0) return tooMany(visit, journey, seconds);
      await evenly(() => open(dash, visit, journey, { email, name: profile.name, password }));
      return go(`${paths.registered}${journey.query}`);
    },
  };
}

interface Wish {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

async function open(
  dash: Dash,
  visit: Visit,
  journey: Journey,
  { email, name, password }: Wish,
): Promise<void> {
  const parts = personParts(dash);
  const post = postOffice(dash);
  const context = visit.context();
  try {
    const wish = { email, profile: { name }, password };
    const { userId, outcome } = await registerPerson(parts, wish, byThemselves(context));
    await seen(dash, outcome.position);
    await post.verify({ user: userId, email }, journeyInMail(journey));
  } catch (error) {
    if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    const existing = await findByEmail(parts, email);
    // Who holds the address of an account that was never confirmed makes it theirs with a password of their own.
    if (existing && !existing.verified) {
      await post.reset({ user: existing.user, email }, journeyInMail(journey));
    } else {
      await post.already(email);
    }
  }
}

/** Nobody is signed in while they register: the service does it for them. */
const byThemselves = (context: ReturnType<Visit['context']>) => ({
  ...context,
  actor: { kind: 'system', id: 'register' } as const,
});

/** After registering, whatever came of it. */
export function registered(dash: Dash): Page {
  return {
    audience: 'everybody',
    path: paths.registered,
    async get(visit) {
      const { query } = await journeyOf(dash, visit);
      return lookIntoInbox(
        query,
        'We have sent a mail to your address. Open the link in it to go on; it is good for one day.',
        html`<a href="${paths.register}${query}">register again</a> in case the address had a typing error`,
      );
    },
  };
}

function registerView({ form: given, formToken }: Visit, journey: Journey, problems: Problems = {}): View {
  const { site, inputs, query } = journey;
  return {
    title: 'Create an account',
    shape: 'narrow',
    content: html`
      ${site ? html`<p class="lead">to continue to <strong>${site.request.client.name}</strong></p>` : ''}
      ${form({
        action: paths.register,
        token: formToken,
        content: html`${inputs}
        ${fields(
          accountFields(given, {
            email: site?.request.loginHint ?? '',
            advice: ' A few words that only you would put together are easy to remember.',
          }),
          problems,
        )}
        ${button('Create account')}`,
      })}
      <ul class="ways">
        <li>Have an account? ${signInLink(query)}</li>
      </ul>
    `,
  };
}

function tooMany(visit: Visit, journey: Journey, seconds: number): Answer {
  const view = registerView(visit, journey);
  return {
    ...view,
    status: 429,
    headers: { 'retry-after': String(seconds) },
    content: html`${notice(`Too many requests came from your network. ${waitFor(seconds)}.`, 'wrong')}${view.content}`,
  };
}

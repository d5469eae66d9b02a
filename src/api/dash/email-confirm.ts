import { CommandRefused } from '../../commands/errors.ts';
import { linkLives } from '../../commands/links.ts';
import { changeEmail, commandPerson, requirePerson } from '../../commands/person.ts';
import type { Person } from '../../commands/user.ts';
import { personOf } from '../../personal/personal-data.ts';
import { html } from '../html.ts';
import { SealedParameter } from '../oauth/sealed-parameter.ts';
import { button, form, hidden } from './controls.ts';
import { personParts, type Dash } from './dependencies.ts';
import { seen } from './new-session.ts';
import { paths } from './paths.ts';
import { postOffice } from './post-office.ts';
import { deadLink } from './small-pages.ts';
import { go, type Page, type View, type Visit } from './visit.ts';

/** What the link to a new address says; sealed, so that no address can be read in it. */
interface AddressChange {
  readonly user: string;
  /** Keyed hash of the address that the account had: with another it is void. */
  readonly from: string;
  readonly to: string;
}

export const addressChange = ({ masterKey }: Dash): SealedParameter<AddressChange> =>
  new SealedParameter(masterKey, 'address change', linkLives['verify-email']);

/** Taking on a new address, with the link that was sent to it. */
export function confirmEmail(dash: Dash): Page {
  return {
    audience: 'everybody',
    path: paths.confirmEmail,
    async get(visit) {
      const text = visit.query.get('confirm') ?? '';
      const change = await standing(dash, text);
      return change ? confirmView(visit, text, change) : deadLink('');
    },
    async post(visit) {
      const change = await standing(dash, visit.form.get('confirm') ?? '');
      if (!change || !(await take(dash, visit, change))) return deadLink('');
      return go(`${paths.me}?done=email`);
    },
  };
}

/** A change that can still be made; it can be repeated where it broke off half-way. */
async function standing(dash: Dash, text: string): Promise<AddressChange | undefined> {
  const change = addressChange(dash).open(text, dash.now());
  if (!change) return undefined;
  const person = await living(dash, change.user);
  const begun = person && !person.verified && person.email === (await dash.personal.emailIndex(change.to));
  return person?.email === change.from || begun ? change : undefined;
}

async function living(dash: Dash, user: string): Promise<Person | undefined> {
  try {
    return await requirePerson(dash, user);
  } catch (error) {
    if (error instanceof CommandRefused) return undefined;
    throw error;
  }
}

/** False when somebody else has the address by now. */
async function take(dash: Dash, visit: Visit, { user, to }: AddressChange): Promise<boolean> {
  const before = await requirePerson(dash, user);
  const old = await dash.personal.open<string>(personOf(user), before.email_sealed);
  try {
    const { state } = await changeEmail(personParts(dash), user, to, visit.context(user));
    if (state?.status !== 'active') return false;
    const confirm = { kind: 'verify-email', email: state.email } as const;
    const { position } = await commandPerson(dash, user, confirm, visit.context(user));
    await seen(dash, position);
  } catch (error) {
    if (error instanceof CommandRefused) return false;
    throw error;
  }
  if (old !== undefined) await postOffice(dash).changed(old, 'its e-mail address was changed to another');
  return true;
}

function confirmView({ formToken }: Visit, text: string, { to }: AddressChange): View {
  return {
    title: 'Confirm your new address',
    shape: 'narrow',
    content: html`<p>From now on you sign in with <strong>${to}</strong>, and mails go there.</p>
      ${form({
        action: paths.confirmEmail,
        token: formToken,
        content: html`${hidden('confirm', text)}${button('Use this address')}`,
      })}`,
  };
}

import { CommandRefused } from '../../../commands/errors.ts';
import { addPasskey } from '../../../commands/accounts/person.ts';
import { personOf } from '../../../personal/personal-data.ts';
import type { PasskeyEntry } from '../../../projections/accounts/people.ts';
import { html, type Html } from '../../pages/html.ts';
import { button, fields, form, hidden, notice, time, type Problems } from '../../pages/controls.ts';
import { personParts, type Dash } from '../../dashboard-dependencies.ts';
import { creationOptions, madePasskey } from './made-passkey.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { paths } from '../../pages/paths.ts';
import { accountMails } from '../account-mails.ts';
import { proofField, provenProblem } from '../sign-in/reauthenticate.ts';
import { go, type SignedInPageContext, type Page, type View } from '../../pages/page-context.ts';

/** Passkeys of an account: seeing them, adding one. */
export function passkeys(dash: Dash): Page {
  return {
    audience: 'signed in',
    path: paths.passkeys,
    get: (pageContext) => passkeysView(dash, pageContext),
    async post(pageContext) {
      const again = async (problems: Problems) => ({
        ...(await passkeysView(dash, pageContext, problems)),
        status: 422,
      });
      const label = (pageContext.form.get('label') ?? '').trim();
      if (label.length > 60 || !label.isWellFormed())
        return again({ label: 'A name has up to 60 characters.' });
      const proof = await provenProblem(dash, pageContext);
      if (proof !== undefined) return again({ password: proof });
      const made = await madePasskey(dash, pageContext);
      if (!made) return again({ passkey: 'No passkey was made. Try again, or use another device.' });
      try {
        const outcome = await addPasskey(
          personParts(dash),
          pageContext.who.person.user,
          { ...made, ...(label === '' ? {} : { label }) },
          pageContext.context(),
        );
        await untilShown(dash.documents, outcome);
      } catch (error) {
        if (error instanceof CommandRefused) return again({ passkey: error.message });
        throw error;
      }
      await accountMails(dash).changedAccount(pageContext.who.email, 'a passkey was added');
      return go(`${paths.passkeys}?done=added`);
    },
  };
}

/** The page, also after something did not work. */
export async function passkeysView(
  dash: Dash,
  pageContext: SignedInPageContext,
  problems: Problems = {},
): Promise<View> {
  const { who, formToken, query } = pageContext;
  const done = query.get('done');
  const { challenge, sealed } = dash.challenges.ask(pageContext.browser, dash.now());
  const options = JSON.stringify(await creationOptions(dash, who, challenge));
  const wrong = problems['passkey'] ?? (who.person.has_password ? undefined : problems['password']);
  return {
    title: 'Passkeys',
    passkeys: true,
    content: html`${wrong === undefined ? '' : notice(wrong, 'wrong')}
      ${done === 'added' ? notice('The passkey is added.') : done === 'removed' ? notice('The passkey is removed.') : ''}
      <p class="lead">
        With a passkey you sign in with your fingerprint, your face or your screen lock. It works only on this
        site, so nobody can trick you into giving it away.
      </p>
      ${
        who.person.passkeys.length === 0
          ? html`<p class="quiet">You have no passkeys yet.</p>`
          : html`<ul class="items card">
              ${await Promise.all(who.person.passkeys.map((each) => entry(dash, pageContext, each)))}
            </ul>`
      }
      <section class="card" data-passkey="create" data-options="${options}" hidden>
        <h2>Add a passkey</h2>
        ${form({
          action: paths.passkeys,
          token: formToken,
          label: 'Add a passkey',
          content: html`${hidden('challenge', sealed)}${hidden('answer', '')}
          ${fields(
            [
              {
                name: 'label',
                label: 'Name',
                value: pageContext.form.get('label') ?? '',
                hint: 'To tell it from your other passkeys, such as: my phone.',
                optional: true,
              },
              ...proofField(pageContext),
            ],
            problems,
          )}
          ${button('Add a passkey')}`,
        })}
        <p role="status" class="hint"></p>
      </section>
      <noscript><p class="quiet">To add a passkey, this page needs JavaScript.</p></noscript>
      <p><a href="${paths.me}">Back to your account</a></p>`,
  };
}

async function entry(dash: Dash, pageContext: SignedInPageContext, passkey: PasskeyEntry): Promise<Html> {
  const label = await labelOf(dash, pageContext, passkey);
  return html`<li>
    <div>
      <strong>${label ?? 'Passkey'}</strong><br />
      <span class="quiet">added on ${time(passkey.added_at)}</span>
    </div>
    <a class="button danger" href="${paths.removePasskey}?credential=${passkey.credential}"
      >Remove<span class="unseen"> ${label ?? 'this passkey'}</span></a
    >
  </li>`;
}

/** What the person calls it; undefined where it has no name. */
export async function labelOf(
  { personal }: Dash,
  { who }: SignedInPageContext,
  { label }: PasskeyEntry,
): Promise<string | undefined> {
  return label === undefined ? undefined : personal.open<string>(personOf(who.person.user), label);
}

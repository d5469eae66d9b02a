import { CommandRefused } from '../../../commands/errors.ts';
import { addPasskey } from '../../../commands/accounts/person.ts';
import { misleads } from '../../../events/display-name.ts';
import { personOf } from '../../../personal/personal-data.ts';
import type { PasskeyEntry } from '../../../projections/accounts-people.ts';
import { html, type Html } from '../../pages/html.ts';
import { button, fields, form, hidden, notice, time, type Problems } from '../../pages/controls.ts';
import { personParts, type PageDependencies } from '../../dashboard-dependencies.ts';
import { creationOptions, registeredPasskey } from './passkey-registration.ts';
import { misleadingNameSentence } from '../../pages/parts/misleading-name.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { paths } from '../../pages/paths.ts';
import { accountMails } from '../../../actions/accounts/account-mails.ts';
import { reauthenticationField, reauthenticationProblem } from '../sign-in/reauthenticate.ts';
import { redirectTo, type SignedInPageContext, type Page, type View } from '../../pages/page-context.ts';

/** Lists the passkeys of an account, and adds one. */
export function passkeys(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.passkeys,
    get: (pageContext) => passkeysView(dependencies, pageContext),
    async post(pageContext) {
      const again = async (problems: Problems) => ({
        ...(await passkeysView(dependencies, pageContext, problems)),
        status: 422,
      });
      const label = (pageContext.form.get('label') ?? '').trim();
      if (misleads(label)) return again({ label: misleadingNameSentence });
      if (label.length > 60 || !label.isWellFormed())
        return again({ label: 'A name has up to 60 characters.' });
      const proof = await reauthenticationProblem(dependencies, pageContext);
      if (proof !== undefined) return again({ password: proof });
      const made = await registeredPasskey(dependencies, pageContext);
      if (!made) return again({ passkey: 'No passkey was made. Try again, or use another device.' });
      try {
        const outcome = await addPasskey(
          personParts(dependencies),
          pageContext.currentUser.person.user,
          { ...made, ...(label === '' ? {} : { label }) },
          pageContext.context(),
        );
        await untilShown(dependencies.documents, outcome);
      } catch (error) {
        if (error instanceof CommandRefused) return again({ passkey: error.message });
        throw error;
      }
      await accountMails(dependencies).changedAccount(pageContext.currentUser.email, 'a passkey was added');
      return redirectTo(`${paths.passkeys}?done=added`);
    },
  };
}

/** The page, also after an error. */
export async function passkeysView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  problems: Problems = {},
): Promise<View> {
  const { currentUser, formToken, query } = pageContext;
  const done = query.get('done');
  const { challenge, sealed } = dependencies.challenges.ask(pageContext.browser, dependencies.now());
  const options = JSON.stringify(await creationOptions(dependencies, currentUser, challenge));
  const wrong = problems['passkey'] ?? (currentUser.person.has_password ? undefined : problems['password']);
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
        currentUser.person.passkeys.length === 0
          ? html`<p class="quiet">You have no passkeys yet.</p>`
          : html`<ul class="items card">
              ${await Promise.all(currentUser.person.passkeys.map((each) => entry(dependencies, pageContext, each)))}
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
              ...reauthenticationField(pageContext),
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

async function entry(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  passkey: PasskeyEntry,
): Promise<Html> {
  const label = await labelOf(dependencies, pageContext, passkey);
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

/** The label that the person gave it. Undefined when there is none. */
export async function labelOf(
  { personal }: PageDependencies,
  { currentUser }: SignedInPageContext,
  { label }: PasskeyEntry,
): Promise<string | undefined> {
  return label === undefined ? undefined : personal.open<string>(personOf(currentUser.person.user), label);
}

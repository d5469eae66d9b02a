import { addOwnPasskey, creationOptions } from '../../actions/accounts/passkeys.ts';
import { misleads } from '../../events/display-name.ts';
import { personOf } from '../../personal/personal-data.ts';
import type { PasskeyEntry } from '../../projections/accounts-people.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, personForm, Wrong, type Again, type InputField } from '../pages/action-form.ts';
import { button, doneText, form, hidden, notice, time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { redirectTo, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { misleadingNameSentence } from '../pages/parts/misleading-name.ts';
import { paths } from '../pages/paths.ts';
import { proofFields, proofNotice, reauthenticationProblem } from './sign-in/reauthenticate.ts';

const labelSentence = 'A name has up to 60 characters.';

const labelField: InputField = {
  name: 'label',
  label: 'Name',
  hint: 'To tell it from your other passkeys, such as: my phone.',
  optional: true,
  read(typed) {
    if (misleads(typed)) return new Wrong(misleadingNameSentence);
    return typed.isWellFormed() ? typed || undefined : new Wrong(labelSentence);
  },
  wrong: labelSentence,
};

/** Lists the passkeys of an account, and adds one. */
export const passkeys = personForm({
  path: paths.passkeys,
  action: addOwnPasskey,
  get: passkeysView,
  fields: () => [labelField],
  also: ({ form, browser }) => ({
    challenge: form.get('challenge') ?? '',
    answer: form.get('answer') ?? '',
    browser,
  }),
  prove: reauthenticationProblem,
  view: passkeysView,
  done: () => redirectTo(`${paths.passkeys}?done=added`),
});

/** The page, also after an error. */
export async function passkeysView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { problems, refused }: Again,
): Promise<View> {
  const { currentUser, formToken, query } = pageContext;
  const { person, profile, email } = currentUser;
  const done = doneText(query, { added: 'The passkey is added.', removed: 'The passkey is removed.' });
  const { challenge, sealed } = dependencies.challenges.ask(pageContext.browser, dependencies.now());
  const options = JSON.stringify(
    await creationOptions(dependencies, { ...person, name: profile.name, email }, challenge),
  );
  return {
    title: 'Passkeys',
    passkeys: true,
    content: html`${refused ? notice(refused.message, 'wrong') : proofNotice(pageContext, problems)}
      ${done === undefined ? '' : notice(done)}
      <p class="lead">
        With a passkey you sign in with your fingerprint, your face or your screen lock. It works only on this
        site, so nobody can trick you into giving it away.
      </p>
      ${
        person.passkeys.length === 0
          ? html`<p class="quiet">You have no passkeys yet.</p>`
          : html`<ul class="items card">
              ${await Promise.all(person.passkeys.map((each) => entry(dependencies, pageContext, each)))}
            </ul>`
      }
      <section class="card" data-passkey="create" data-options="${options}" hidden>
        <h2>Add a passkey</h2>
        ${form({
          action: paths.passkeys,
          token: formToken,
          label: 'Add a passkey',
          content: html`${hidden('challenge', sealed)}${hidden('answer', '')}
          ${inputFields([labelField], pageContext.form, problems)}${proofFields(pageContext, problems)}
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

import { CommandRefused } from '../../../commands/errors.ts';
import { commandPerson } from '../../../commands/accounts/person.ts';
import type { PasskeyEntry } from '../../../projections/accounts-people.ts';
import { html } from '../../pages/html.ts';
import { button, fields, form, hidden, notice, time, when, type Problems } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { labelOf, passkeysView } from './passkeys.ts';
import { paths } from '../../pages/paths.ts';
import { accountMails } from '../../../actions/accounts/account-mails.ts';
import { reauthenticationField, reauthenticationProblem } from '../sign-in/reauthenticate.ts';
import {
  redirectTo,
  type Answer,
  type SignedInPageContext,
  type Page,
  type View,
} from '../../pages/page-context.ts';

/** Removes a passkey, after the person has authenticated again. The last way to sign in cannot be removed. */
export function removePasskey(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.removePasskey,
    get: (pageContext) => {
      const passkey = passkeyIn(pageContext, pageContext.query.get('credential'));
      return passkey
        ? removeView(dependencies, pageContext, passkey)
        : noSuchPasskey(dependencies, pageContext);
    },
    async post(pageContext) {
      const passkey = passkeyIn(pageContext, pageContext.form.get('credential'));
      if (!passkey) return noSuchPasskey(dependencies, pageContext);
      const proof = await reauthenticationProblem(dependencies, pageContext);
      if (proof !== undefined) {
        return {
          ...(await removeView(dependencies, pageContext, passkey, { password: proof })),
          status: 422,
        };
      }
      const { credential } = passkey;
      try {
        const command = { kind: 'remove-passkey', credential } as const;
        const outcome = await commandPerson(
          dependencies,
          pageContext.currentUser.person.user,
          command,
          pageContext.context(),
        );
        await untilShown(dependencies.documents, outcome);
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        return {
          ...(await passkeysView(dependencies, pageContext, { passkey: error.message })),
          status: error.status,
        };
      }
      await accountMails(dependencies).changedAccount(pageContext.currentUser.email, 'a passkey was removed');
      return redirectTo(`${paths.passkeys}?done=removed`);
    },
  };
}

const passkeyIn = (
  { currentUser }: SignedInPageContext,
  credential: string | null,
): PasskeyEntry | undefined => currentUser.person.passkeys.find((each) => each.credential === credential);

async function noSuchPasskey(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
): Promise<Answer> {
  return {
    ...(await passkeysView(dependencies, pageContext, { passkey: 'There is no such passkey.' })),
    status: 404,
  };
}

async function removeView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  passkey: PasskeyEntry,
  problems: Problems = {},
): Promise<View> {
  const wrong = pageContext.currentUser.person.has_password ? undefined : problems['password'];
  return {
    title: 'Remove a passkey',
    content: html`${when(wrong !== undefined, notice(wrong ?? '', 'wrong'))}
      <p class="lead">
        <strong>${(await labelOf(dependencies, pageContext, passkey)) ?? 'This passkey'}</strong>, added on
        ${time(passkey.added_at)}, can then no longer sign in to your account.
      </p>
      <section class="card">
        ${form({
          action: paths.removePasskey,
          token: pageContext.formToken,
          content: html`${hidden('credential', passkey.credential)}${fields(reauthenticationField(pageContext), problems)}
            <div class="choices">
              ${button('Remove', { weight: 'danger' })}
              <a class="button secondary" href="${paths.passkeys}">Cancel</a>
            </div>`,
        })}
      </section>`,
  };
}

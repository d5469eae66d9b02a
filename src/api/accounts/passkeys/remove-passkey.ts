import { CommandRefused } from '../../../commands/errors.ts';
import { commandPerson } from '../../../commands/accounts/person.ts';
import type { PasskeyEntry } from '../../../projections/accounts/people.ts';
import { html } from '../../pages/html.ts';
import { button, fields, form, hidden, notice, time, when, type Problems } from '../../pages/controls.ts';
import type { Dash } from '../../dashboard-dependencies.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { labelOf, passkeysView } from './passkeys.ts';
import { paths } from '../../pages/paths.ts';
import { accountMails } from '../account-mails.ts';
import { proofField, provenProblem } from '../sign-in/reauthenticate.ts';
import { go, type Answer, type SignedInPageContext, type Page, type View } from '../../pages/page-context.ts';

/** Taking a passkey away, for who shows that it is them; the last way to sign in stays. */
export function removePasskey(dash: Dash): Page {
  return {
    audience: 'signed in',
    path: paths.removePasskey,
    get: (pageContext) => {
      const passkey = passkeyIn(pageContext, pageContext.query.get('credential'));
      return passkey ? removeView(dash, pageContext, passkey) : noSuchPasskey(dash, pageContext);
    },
    async post(pageContext) {
      const passkey = passkeyIn(pageContext, pageContext.form.get('credential'));
      if (!passkey) return noSuchPasskey(dash, pageContext);
      const proof = await provenProblem(dash, pageContext);
      if (proof !== undefined) {
        return { ...(await removeView(dash, pageContext, passkey, { password: proof })), status: 422 };
      }
      const { credential } = passkey;
      try {
        const command = { kind: 'remove-passkey', credential } as const;
        const outcome = await commandPerson(
          dash,
          pageContext.who.person.user,
          command,
          pageContext.context(),
        );
        await untilShown(dash.documents, outcome);
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        return {
          ...(await passkeysView(dash, pageContext, { passkey: error.message })),
          status: error.status,
        };
      }
      await accountMails(dash).changedAccount(pageContext.who.email, 'a passkey was removed');
      return go(`${paths.passkeys}?done=removed`);
    },
  };
}

const passkeyIn = ({ who }: SignedInPageContext, credential: string | null): PasskeyEntry | undefined =>
  who.person.passkeys.find((each) => each.credential === credential);

async function noSuchPasskey(dash: Dash, pageContext: SignedInPageContext): Promise<Answer> {
  return {
    ...(await passkeysView(dash, pageContext, { passkey: 'There is no such passkey.' })),
    status: 404,
  };
}

async function removeView(
  dash: Dash,
  pageContext: SignedInPageContext,
  passkey: PasskeyEntry,
  problems: Problems = {},
): Promise<View> {
  const wrong = pageContext.who.person.has_password ? undefined : problems['password'];
  return {
    title: 'Remove a passkey',
    content: html`${when(wrong !== undefined, notice(wrong ?? '', 'wrong'))}
      <p class="lead">
        <strong>${(await labelOf(dash, pageContext, passkey)) ?? 'This passkey'}</strong>, added on
        ${time(passkey.added_at)}, can then no longer sign in to your account.
      </p>
      <section class="card">
        ${form({
          action: paths.removePasskey,
          token: pageContext.formToken,
          content: html`${hidden('credential', passkey.credential)}${fields(proofField(pageContext), problems)}
            <div class="choices">
              ${button('Remove', { weight: 'danger' })}
              <a class="button secondary" href="${paths.passkeys}">Cancel</a>
            </div>`,
        })}
      </section>`,
  };
}

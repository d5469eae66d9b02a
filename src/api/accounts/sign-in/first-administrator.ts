import { registerFirstAdministrator } from '../../../commands/accounts/administrator.ts';
import { CommandRefused } from '../../../commands/errors.ts';
import { readLink } from '../../../commands/accounts/one-time-links.ts';
import { commandPerson, requirePerson } from '../../../commands/accounts/person.ts';
import { html } from '../../pages/html.ts';
import { button, fields, form, hidden, type Problems } from '../../pages/controls.ts';
import { personParts, type PageDependencies } from '../../dashboard-dependencies.ts';
import { newSession } from './new-session.ts';
import { paths } from '../../pages/paths.ts';
import { accountFields, addressIn, passwordIn, profileIn } from '../person-fields.ts';
import { invalidLinkView } from '../../pages/frame/common-views.ts';
import { redirectTo, type Page, type View, type PageContext } from '../../pages/page-context.ts';

/** Creates the first administrator's account, with the one-time link that the first start prints. */
export function firstAdministratorPage(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.setUp,
    async get(pageContext) {
      const link = pageContext.query.get('link') ?? '';
      return (await isGood(dependencies, link)) ? setUpView(pageContext, link) : invalidLinkView('');
    },
    async post(pageContext) {
      const link = pageContext.form.get('link') ?? '';
      if (!(await isGood(dependencies, link))) return invalidLinkView('');
      const { email, problem: emailProblem } = addressIn(pageContext.form);
      const { profile, problems } = profileIn(
        new URLSearchParams({ name: pageContext.form.get('name') ?? '' }),
      );
      const { password, problem: passwordProblem } = await passwordIn(pageContext.form, [
        email,
        profile.name,
      ]);
      const wrong: Problems = { ...problems, email: emailProblem, password: passwordProblem };
      if (Object.values(wrong).some((each) => each !== undefined)) {
        return { ...setUpView(pageContext, link, wrong), status: 422 };
      }
      try {
        const context = { ...pageContext.context(), actor: { kind: 'system', id: 'set-up' } as const };
        const registration = { email, profile, password };
        const { userId } = await registerFirstAdministrator(personParts(dependencies), registration, context);
        // The operator gave the address, so it need not be confirmed.
        const person = await requirePerson(dependencies, userId);
        const confirm = { kind: 'verify-email', email: person.email } as const;
        const changed = await commandPerson(dependencies, userId, confirm, pageContext.context(userId));
        return redirectTo(
          paths.home,
          ...(await newSession(dependencies, pageContext, { user: userId, amr: ['pwd'], after: changed })),
        );
      } catch (error) {
        if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
        return {
          ...setUpView(pageContext, link, { email: 'This address has an account already.' }),
          status: 422,
        };
      }
    },
  };
}

const isGood = async ({ store, vault, now }: PageDependencies, link: string): Promise<boolean> =>
  (await readLink({ store, vault }, { link, purpose: 'set-up', at: now() })) !== undefined;

function setUpView({ form: given, formToken }: PageContext, link: string, problems: Problems = {}): View {
  return {
    title: 'Set up Commonweal',
    shape: 'narrow',
    content: html`<p>This creates the account of the first administrator. The link works once.</p>
      ${form({
        action: paths.setUp,
        token: formToken,
        content: html`${hidden('link', link)} ${fields(accountFields(given), problems)}
        ${button('Create the account')}`,
      })}`,
  };
}

import { Readable } from 'node:stream';
import { ownData } from '../../erasure/own-data.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { button, fields, form, notice } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import type { Page, SignedInPageContext, View } from '../pages/page-context.ts';
import { paths } from '../pages/paths.ts';
import { reauthenticationField, reauthenticationProblem } from './sign-in/reauthenticate.ts';

/** A person downloads everything that is stored about them. It asks for the password: an open browser is not enough. */
export function ownDataPage(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.ownData,
    get: (pageContext) => ownDataView(pageContext),
    async post(pageContext) {
      const problem = await reauthenticationProblem(dependencies, pageContext);
      if (problem !== undefined) return { ...ownDataView(pageContext, problem), status: 422 };
      const { user } = pageContext.currentUser.person;
      const pieces = await ownData(dependencies, user, pageContext.context());
      return { download: Readable.from(pieces), filename: 'my-data.json', type: 'application/json' };
    },
  };
}

function ownDataView(pageContext: SignedInPageContext, problem?: string): View {
  const { has_password } = pageContext.currentUser.person;
  return {
    title: 'Download your data',
    content: html`${!has_password && problem !== undefined ? notice(problem, 'wrong') : ''}
      <p class="lead">
        A file with everything that we have stored about you: your profile, where you are signed in, the sites
        that can see your data, your teams and roles, payments and keys, which webhooks passed your data on,
        emails that wait for you, and everything that was done by you or about you.
      </p>
      <section class="card">
        ${form({
          action: paths.ownData,
          token: pageContext.formToken,
          content: html`${fields([...reauthenticationField(pageContext)], { password: problem })}
            <div class="choices">
              ${button('Download')} <a class="button secondary" href="${paths.me}">Cancel</a>
            </div>`,
        })}
      </section>
      <p class="quiet">The file is a text in JSON. Keep it where only you can read it.</p>`,
  };
}

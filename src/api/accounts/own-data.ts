import { Readable } from 'node:stream';
import { exportOwnData } from '../../actions/accounts/erasure.ts';
import { personForm, type Again } from '../pages/action-form.ts';
import { html } from '../pages/html.ts';
import type { SignedInPageContext, View } from '../pages/page-context.ts';
import { formCard } from '../pages/parts/form-card.ts';
import { paths } from '../pages/paths.ts';
import { proofFields, proofNotice, reauthenticationProblem } from './sign-in/reauthenticate.ts';

/** A person downloads everything that is stored about them. It asks for the password: an open browser is not enough. */
export const ownDataPage = personForm({
  path: paths.ownData,
  action: exportOwnData,
  get: ownDataView,
  prove: reauthenticationProblem,
  view: ownDataView,
  done: (_, pieces) => ({
    download: Readable.from(pieces),
    filename: 'my-data.json',
    type: 'application/json',
  }),
});

function ownDataView(_: unknown, pageContext: SignedInPageContext, { problems }: Again): View {
  return {
    title: 'Download your data',
    content: html`${proofNotice(pageContext, problems)}
      <p class="lead">
        A file with everything that we have stored about you: your profile, where you are signed in, the sites
        that can see your data, your teams and roles, payments and keys, which webhooks passed your data on,
        emails that wait for you, and everything that was done by you or about you.
      </p>
      ${formCard(pageContext, {
        action: paths.ownData,
        content: html`${proofFields(pageContext, problems)}`,
        submit: 'Download',
      })}
      <p class="quiet">The file is a text in JSON. Keep it where only you can read it.</p>`,
  };
}

import { eraseAccount as eraseAction, keepAccount as keepAction } from '../../actions/accounts/erasure.ts';
import {
  isFree,
  keysMadeBy,
  obstaclesOf,
  type KeyOfPerson,
  type Obstacles,
} from '../../erasure/obstacles.ts';
import { erasures, type ErasureDocument } from '../../projections/accounts-erasures.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { personForm, type Again } from '../pages/action-form.ts';
import { button, doneText, form, notice, time, when, type Problems } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { redirectTo, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { formCard } from '../pages/parts/form-card.ts';
import { byMail } from '../pages/parts/notices.ts';
import { paths } from '../pages/paths.ts';
import { proofFields, proofNotice, reauthenticationProblem } from './sign-in/reauthenticate.ts';

/** Where a person asks for the erasure of their account, sees when it is due, and withdraws the request. */
export const eraseAccount = personForm({
  path: paths.erase,
  action: eraseAction,
  get: eraseView,
  prove: reauthenticationProblem,
  view: eraseView,
  done: () => redirectTo(`${paths.erase}?done=requested`),
});

/** Withdraws the request. Anybody who is signed in may: it keeps what is there. */
export const keepAccount = personForm({
  path: paths.withdrawErasure,
  action: keepAction,
  done: () => redirectTo(`${paths.erase}?done=withdrawn`),
});

async function eraseView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { problems }: Again,
): Promise<View> {
  const { user } = pageContext.currentUser.person;
  const erasure = await dependencies.documents.collection(erasures.collection).get(user);
  const done = doneText(pageContext.query, {
    requested: `Your account will be erased. ${byMail(dependencies, 'We sent you an email that says how to keep it.', 'Until then you can keep it on this page.')}`,
    withdrawn: 'Your account stays as it is.',
  });
  return {
    title: 'Erase your account',
    content: html`${done === undefined ? '' : notice(done)}
      ${when(
        erasure?.hold === 'held',
        notice(
          'Your data must be kept for a legal reason for now. It is erased when that has ended, if you have asked for it.',
          'plain',
        ),
      )}
      ${
        erasure?.erasure === 'requested'
          ? requested(pageContext, erasure)
          : await notRequested(dependencies, pageContext, problems)
      }
      <p><a href="${paths.me}">Back to your account</a></p>`,
  };
}

const requested = ({ formToken }: SignedInPageContext, { due_at }: ErasureDocument): Html =>
  html`<section class="card">
    <h2>Your account will be erased on ${time(due_at, 'minute')}</h2>
    <p>Until then you can use it as before. You can also keep it.</p>
    ${form({ action: paths.withdrawErasure, token: formToken, content: button('Keep my account') })}
  </section>`;

async function notRequested(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  problems: Problems,
): Promise<Html> {
  const { user } = pageContext.currentUser.person;
  const obstacles = await obstaclesOf(dependencies, user);
  const keys = await keysMadeBy(dependencies, user, dependencies.now());
  const days = Math.round(dependencies.config.erasureGraceSeconds / 86_400);
  const grace = days === 0 ? 'soon' : days === 1 ? 'after one day' : `after ${days} days`;
  return html`<section class="card">
      <h2>What happens</h2>
      <ul class="points">
        <li>Your account is erased ${grace}. Until then you can change your mind.</li>
        <li>You are signed out everywhere, and no site can see your data any more.</li>
        <li>You leave every team that you belong to.</li>
        <li>
          Nobody can read your name, email address, phone and picture any more, and nobody can read them in
          our backups once those from before are removed. That somebody had this account, and when, stays in
          our records. So do words that others wrote, such as why they revoked a key.
        </li>
        <li>It cannot be undone.</li>
      </ul>
      <p>If you want a copy first, <a href="${paths.ownData}">download your data</a>.</p>
    </section>
    ${keyList(keys)}
    ${
      isFree(obstacles)
        ? html`${proofNotice(pageContext, problems)}
          ${formCard(pageContext, {
            action: paths.erase,
            content: html`${proofFields(pageContext, problems)}`,
            submit: 'Erase my account',
            weight: 'danger',
          })}`
        : firstDo(obstacles)
    }`;
}

const firstDo = ({ lastAdministrator, onlyAdminOf }: Obstacles): Html =>
  html`<section class="card">
    <h2>First</h2>
    <ul class="points">
      ${when(
        lastAdministrator,
        html`<li>
          You are the only administrator here.
          <a href="${paths.administrators}">Make somebody else an administrator</a>.
        </li>`,
      )}
      ${onlyAdminOf.map(
        (team) =>
          html`<li>You are the only admin of the team ${team}. Make another member an admin of it.</li>`,
      )}
    </ul>
    <p>Then you can erase your account here. If you cannot do this, ask whoever runs this service.</p>
  </section>`;

const keyList = (keys: readonly KeyOfPerson[]): Html | '' =>
  keys.length === 0
    ? ''
    : html`<section class="card">
        <h2>Keys that you made</h2>
        <p>They keep working, because your teams may need them. Revoke those that nobody needs.</p>
        <ul class="points">
          ${keys.map(({ key_id, label, team }) => html`<li>${label ?? key_id} (${team ?? ''})</li>`)}
        </ul>
      </section>`;

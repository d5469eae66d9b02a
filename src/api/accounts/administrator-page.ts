import { userId } from '../../events/oauth/values.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { notFoundView } from '../pages/frame/common-views.ts';
import { button, form, notice, time } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { peopleNamed } from '../../actions/accounts/people-named.ts';
import { personForm, type Again } from '../pages/action-form.ts';
import { redirectTo, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { paths } from '../pages/paths.ts';
import { proofFields, proofNotice, reauthenticationProblem } from './sign-in/reauthenticate.ts';
import {
  administratorsOf,
  administratorSince,
  endAdministrator,
} from '../../actions/accounts/administrators.ts';
import { en } from './administrator-texts.ts';

/** One administrator, and how to take the role away. The last one stays. */
export const administratorPage = personForm({
  path: `${paths.administrators}/:user`,
  action: endAdministrator,
  get: oneView,
  also: (pageContext) => ({ user: personOf(pageContext) ?? '' }),
  prove: reauthenticationProblem,
  view: oneView,
  done: (pageContext) =>
    personOf(pageContext) === pageContext.currentUser.person.user
      ? redirectTo(`${paths.me}?done=no-administrator`)
      : redirectDone(paths.administrators, pageContext, 'removed'),
});

/** The person in the address. */
function personOf({ request }: SignedInPageContext): string | undefined {
  const { user = '' } = request.params as { readonly user?: string };
  return userId.safeParse(user).success ? user : undefined;
}

async function oneView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { problems, refused }: Again,
): Promise<View> {
  const user = personOf(pageContext);
  const all = await administratorsOf(dependencies.documents);
  const found = all.find((each) => each.user === user);
  if (!found) return noneView();
  const { currentUser, formToken } = pageContext;
  const [named, since] = await Promise.all([
    peopleNamed(dependencies, [found.user]),
    administratorSince(dependencies.store, found),
  ]);
  const person = named.get(found.user);
  const isOneself = found.user === currentUser.person.user;
  return {
    title: person?.name ?? '–',
    content: html`<p class="lead">${person?.email ?? '–'} · ${en.since} ${time(since)}</p>
      ${refused ? notice(refused.message, 'wrong') : proofNotice(pageContext, problems)}
      <section class="card" aria-labelledby="remove">
        <h2 id="remove">${en.removeTitle}</h2>
        ${
          all.length === 1
            ? html`<p>${en.last}</p>`
            : html`<p>${isOneself ? en.removeYourself : en.removeSentence}</p>
                ${form({
                  action: `${paths.administrators}/${found.user}`,
                  token: formToken,
                  label: en.removeTitle,
                  content: html`${proofFields(pageContext, problems, en.password)}
                    <div class="choices">
                      ${button(en.remove, { weight: 'danger', of: person?.name ?? '' })}
                      <a class="button secondary" href="${paths.administrators}">${en.cancel}</a>
                    </div>`,
                })}`
        }
      </section>
      <p><a href="${paths.administrators}">${en.back}</a></p>`,
  };
}

const noneView = (): View => notFoundView(en.none, { to: paths.administrators, label: en.back });

import { changeProfile } from '../../commands/accounts/person.ts';
import { html } from '../pages/html.ts';
import { button, fields, form, type Problems } from '../pages/controls.ts';
import { personParts, type PageDependencies } from '../dashboard-dependencies.ts';
import { untilShown } from '../../projections/until-shown.ts';
import { paths } from '../pages/paths.ts';
import { profileIn } from './person-fields.ts';
import { redirectTo, type SignedInPageContext, type Page, type View } from '../pages/page-context.ts';

/** The profile of a person. Sites with access to it can see it. */
export function profile(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.profile,
    get: (pageContext) => profileView(pageContext, pageContext.currentUser.profile),
    async post(pageContext) {
      const { profile: given, problems } = profileIn(pageContext.form);
      if (Object.keys(problems).length > 0)
        return { ...profileView(pageContext, given, problems), status: 422 };
      const outcome = await changeProfile(
        personParts(dependencies),
        pageContext.currentUser.person.user,
        given,
        pageContext.context(),
      );
      await untilShown(dependencies.documents, outcome);
      return redirectTo(`${paths.me}?done=profile`);
    },
  };
}

function profileView(
  { formToken }: SignedInPageContext,
  given: SignedInPageContext['currentUser']['profile'],
  problems: Problems = {},
): View {
  return {
    title: 'Profile',
    content: html`<p class="lead">Sites with access to your profile can see this.</p>
      <section class="card">
        ${form({
          action: paths.profile,
          token: formToken,
          content: html`${fields(
              [
                { name: 'name', label: 'Name', value: given.name, autocomplete: 'name' },
                {
                  name: 'username',
                  label: 'Username',
                  value: given.username,
                  autocomplete: 'nickname',
                  optional: true,
                },
                {
                  name: 'picture',
                  label: 'Picture',
                  type: 'url',
                  value: given.picture,
                  hint: 'The address of a picture of you. Sites can see it; our own pages show your initials.',
                  autocomplete: 'photo',
                  optional: true,
                },
                {
                  name: 'phone',
                  label: 'Phone',
                  type: 'tel',
                  value: given.phone,
                  autocomplete: 'tel',
                  optional: true,
                },
              ],
              problems,
            )}
            <div class="choices">
              ${button('Save')} <a class="button secondary" href="${paths.me}">Cancel</a>
            </div>`,
        })}
      </section>`,
  };
}

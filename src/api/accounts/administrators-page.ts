import { breakable } from '../pages/parts/breakable.ts';
import type { PersonDocument } from '../../projections/accounts-people.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { button, form, notice, time } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { peopleNamed } from '../../actions/accounts/people-named.ts';
import { inputFields, personForm, type Again } from '../pages/action-form.ts';
import type { SignedInPageContext, View } from '../pages/page-context.ts';
import { badge } from '../pages/parts/badge.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { paths } from '../pages/paths.ts';
import { emailField } from './person-fields.ts';
import { proofFields, proofNotice, reauthenticationProblem } from './sign-in/reauthenticate.ts';
import {
  addAdministrator,
  administratorsOf,
  administratorSince,
} from '../../actions/accounts/administrators.ts';
import { en } from './administrator-texts.ts';

const addressField = { ...emailField, autocomplete: 'off' };

/** Who administers the installation, and how somebody else becomes an administrator. */
export const administratorsPage = personForm({
  path: paths.administrators,
  action: addAdministrator,
  get: listView,
  fields: () => [addressField],
  prove: reauthenticationProblem,
  view: listView,
  done: (pageContext, { isNew }) =>
    redirectDone(paths.administrators, pageContext, isNew ? 'added' : 'already'),
});

async function listView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { problems, refused }: Again,
): Promise<View> {
  const { currentUser, form: typed, formToken } = pageContext;
  const all = await administratorsOf(dependencies.documents);
  const [named, since] = await Promise.all([
    peopleNamed(
      dependencies,
      all.map(({ user }) => user),
    ),
    Promise.all(all.map((each) => administratorSince(dependencies.store, each))),
  ]);
  const { columns } = en;
  const row = ({ user }: PersonDocument, place: number) => {
    const person = named.get(user);
    const name = person?.name ?? '–';
    return [
      user === currentUser.person.user ? html`${name} ${badge(en.you)}` : name,
      breakable(person?.email ?? '–'),
      time(since[place] ?? ''),
      html`<a href="${paths.administrators}/${user}">${en.remove}<span class="unseen"> ${name}</span></a>`,
    ];
  };
  return {
    title: en.title,
    content: html`<p class="lead">${en.lead}</p>
      ${doneNotice(pageContext, en.done)} ${refused ? notice(refused.message, 'wrong') : ''}
      <section class="card">
        ${table({
          caption: en.title,
          columns: [
            { label: columns.name },
            { label: columns.email },
            { label: columns.since },
            { label: '' },
          ],
          rows: all.map(row),
        })}
      </section>
      ${proofNotice(pageContext, problems)}
      <section class="card" aria-labelledby="add">
        <h2 id="add">${en.add}</h2>
        <p>${en.addLead}</p>
        ${form({
          action: paths.administrators,
          token: formToken,
          label: en.add,
          content: html`${inputFields([addressField], typed, problems)}
            ${proofFields(pageContext, problems, en.password)}
            <div class="choices">${button(en.add)}</div>`,
        })}
      </section>`,
  };
}

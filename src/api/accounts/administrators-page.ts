import { breakable } from '../pages/parts/breakable.ts';
import { appointAdministrator } from '../../commands/accounts/administrator.ts';
import { findByEmail } from '../../commands/accounts/person.ts';
import type { PersonDocument } from '../../projections/accounts/people.ts';
import { untilShown } from '../../projections/until-shown.ts';
import { personParts, type PageDependencies } from '../dashboard-dependencies.ts';
import { button, fields, form, notice, time, type Problems } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { peopleNamed } from '../../actions/accounts/people-named.ts';
import type { Page, SignedInPageContext, View } from '../pages/page-context.ts';
import { badge } from '../pages/parts/badge.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { paths } from '../pages/paths.ts';
import { addressIn } from './person-fields.ts';
import { reauthenticationField, reauthenticationProblem } from './sign-in/reauthenticate.ts';
import {
  administratorsOf,
  administratorSince,
  tellAdministrators,
} from '../../actions/accounts/administrators.ts';
import { en } from './administrator-texts.ts';

/** Who administers the installation, and how somebody else becomes an administrator. */
export const administratorsPage = (dependencies: PageDependencies): Page => ({
  audience: 'administrators',
  path: paths.administrators,
  get: (pageContext) => listView(dependencies, pageContext),
  async post(pageContext) {
    const refused = async (problems: Problems) => ({
      ...(await listView(dependencies, pageContext, problems)),
      status: 422,
    });
    const entered = addressIn(pageContext.form);
    if (entered.problem !== undefined) return refused({ email: entered.problem });
    const proof = await reauthenticationProblem(dependencies, pageContext);
    if (proof !== undefined) return refused({ password: proof });
    const known = await findByEmail(dependencies, entered.email);
    if (!known) return refused({ email: en.nobody });
    // An unconfirmed address may belong to somebody else.
    if (!known.verified) return refused({ email: en.notConfirmed });
    const parts = personParts(dependencies);
    const outcome = await appointAdministrator(parts, known.user, pageContext.context());
    await untilShown(dependencies.documents, outcome);
    if (outcome.events.length === 0) return redirectDone(paths.administrators, pageContext, 'already');
    await tellAdministrators(dependencies, 'added', known.user);
    return redirectDone(paths.administrators, pageContext, 'added');
  },
});

async function listView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  problems: Problems = {},
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
      ${doneNotice(pageContext, en.done)}
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
      ${!currentUser.person.has_password && problems['password'] !== undefined ? notice(problems['password'], 'wrong') : ''}
      <section class="card" aria-labelledby="add">
        <h2 id="add">${en.add}</h2>
        <p>${en.addLead}</p>
        ${form({
          action: paths.administrators,
          token: formToken,
          label: en.add,
          content: html`${fields(
              [
                {
                  name: 'email',
                  label: en.email,
                  type: 'email',
                  value: typed.get('email') ?? '',
                  autocomplete: 'off',
                },
                ...reauthenticationField(pageContext, en.password),
              ],
              problems,
            )}
            <div class="choices">${button(en.add)}</div>`,
        })}
      </section>`,
  };
}

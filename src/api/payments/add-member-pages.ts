import { addMember, addMembers } from '../../actions/teams/listed-members.ts';
import { readListedCsv } from '../../actions/teams/listed-members-csv.ts';
import { refusals } from '../../ground/refusals.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, performFor, teamForm } from '../pages/action-form.ts';
import { button, field, form, hidden, notice, when } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import type { Page, TeamPageContext, View } from '../pages/page-context.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { ofTeam } from '../pages/paths.ts';
import { memberFields, membersPath } from './member-fields.ts';
import { en } from './texts.ts';

const texts = en.members;

/** Writes down a member without an account. */
export const addMemberPage = teamForm({
  path: `${membersPath}/add`,
  action: addMember,
  get: (_, pageContext) => addView(pageContext),
  fields: () => memberFields(),
  view: (_, pageContext, { problems, refused }) => addView(pageContext, problems, refused?.message),
  done: (pageContext, { member }) => redirectDone(`${membersPath}/${member}`, pageContext, 'added'),
});

function addView(
  { team, form: typed, formToken }: TeamPageContext,
  problems: Readonly<Record<string, string | undefined>> = {},
  refused?: string,
): View {
  return {
    title: texts.add,
    content: html`${when(refused !== undefined, notice(refused ?? '', 'wrong'))}
      <section class="card">
        ${form({
          action: ofTeam(`${membersPath}/add`, team.team),
          token: formToken,
          content: html`${hidden('team', team.team)} ${inputFields(memberFields(), typed, problems)}
            <div class="choices">
              ${button(texts.save)}
              <a class="button secondary" href="${ofTeam(membersPath, team.team)}">${texts.cancel}</a>
            </div>`,
        })}
      </section>`,
  };
}

const manyPath = `${membersPath}/add-many`;

/** So many rows that are wrong are named. */
const mostNamed = 20;

/** Adds many members, by the rows of a table. With one row that is wrong, none is added. */
export const addMembersPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path: manyPath,
  get: (pageContext) => manyView(pageContext),
  async post(pageContext) {
    const read = readListedCsv(pageContext.form.get('rows') ?? '');
    if ('problems' in read) return manyView(pageContext, read.problems);
    const performed = await performFor(dependencies, pageContext, addMembers, { members: read.members });
    if (performed.kind === 'done') return redirectDone(membersPath, pageContext, 'addedMany');
    return manyView(pageContext, [performed.kind === 'refused' ? performed.refusal.message : texts.noRows]);
  },
});

function manyView({ team, form: typed, formToken }: TeamPageContext, problems: readonly string[] = []): View {
  return {
    title: texts.addManyTitle,
    ...(problems.length > 0 ? { status: refusals.invalid } : {}),
    content: html`${
        problems.length === 0
          ? ''
          : html`<div class="notice wrong" role="alert">
              <ul>
                ${problems.slice(0, mostNamed).map((each) => html`<li>${each}</li>`)}
              </ul>
            </div>`
      }
      <section class="card">
        ${form({
          action: ofTeam(manyPath, team.team),
          token: formToken,
          content: html`${hidden('team', team.team)}
            ${field({
              name: 'rows',
              label: texts.rows,
              hint: texts.rowsHint,
              type: 'lines',
              value: typed.get('rows') ?? 'name,email,phone,note,paid_until\n',
            })}
            <div class="choices">
              ${button(texts.addRows)}
              <a class="button secondary" href="${ofTeam(membersPath, team.team)}">${texts.cancel}</a>
            </div>`,
        })}
      </section>`,
  };
}

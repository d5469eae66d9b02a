import { create } from '../../actions/teams/teams.ts';
import { teams } from '../../projections/teams.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, personForm, type Again, type InputField } from '../pages/action-form.ts';
import { button, form, time, when } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { keysetPage } from '../pages/keyset.ts';
import { misleadingProblem } from '../pages/parts/misleading-name.ts';
import type { SignedInPageContext, View } from '../pages/page-context.ts';
import { badge } from '../pages/parts/badge.ts';
import { empty } from '../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.teams;

/** The page of one team, for administrators. */
export const teamSettingsPath = (team: string): string => `${paths.allTeams}/t/${team}`;

/** Every team of the installation, and a new one. */
export const allTeamsPage = personForm({
  path: paths.allTeams,
  action: create,
  get: teamsView,
  fields: (_, { form: typed }) => newTeamFields(typed.get('name') ?? ''),
  view: teamsView,
  done: (pageContext, { team, name }) =>
    redirectDone(
      teamSettingsPath(team),
      { ...pageContext, team: { team, name, role: undefined } },
      'created',
    ),
});

const newTeamFields = (typedName = ''): readonly InputField[] => [
  {
    name: 'name',
    label: texts.name,
    hint: texts.nameHint,
    maxlength: 200,
    wrong: misleadingProblem(typedName) ?? en.settings.nameProblem,
  },
  { name: 'slug', label: texts.slug, hint: texts.slugHint, maxlength: 48, wrong: texts.slugProblem },
];

async function teamsView(
  { documents }: PageDependencies,
  pageContext: SignedInPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { query, form: typed, formToken } = pageContext;
  const page = await keysetPage(documents.collection(teams.collection), {
    orderBy: ['team'],
    query,
    here: (also) => [paths.allTeams, ...Object.entries(also).map((each) => each.join('='))].join('?'),
  });
  const { columns } = texts;
  return {
    title: texts.title,
    content: html`<p class="lead">${texts.lead}</p>
      ${doneNotice(pageContext, texts.done)}
      ${
        page.docs.length === 0
          ? empty(texts.none)
          : html`<section class="card">
              ${table({
                caption: texts.caption,
                columns: [
                  { label: columns.team },
                  { label: columns.slug },
                  { label: columns.scopes },
                  { label: columns.since },
                ],
                rows: page.docs.map(({ team, name, scopes, created_at, closed_at }) => [
                  html`<a href="${teamSettingsPath(team)}">${name}</a>
                    ${when(closed_at !== undefined, badge(texts.closed))}`,
                  html`<code>${team}</code>`,
                  scopes.length === 0 ? texts.publicOnly : scopes.join(', '),
                  time(created_at),
                ]),
              })}
            </section>`
      }
      ${page.further}
      <section class="card">
        <h2>${texts.create}</h2>
        ${form({
          action: paths.allTeams,
          token: formToken,
          label: texts.create,
          content: html`${inputFields(newTeamFields(), typed, refused ? { slug: refused.message } : problems)}
            <div class="choices">${button(texts.create)}</div>`,
        })}
      </section>`,
  };
}

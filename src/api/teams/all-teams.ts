import { CommandRefused } from '../../commands/errors.ts';
import { commandTeam } from '../../commands/teams/team.ts';
import { slug } from '../../events/define.ts';
import { teamName } from '../../events/display-name.ts';
import { teams } from '../../projections/teams/teams.ts';
import { untilShown } from '../../projections/until-shown.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { button, fields, form, time, type Problems } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { afterParameter, keysetPage } from '../pages/keyset.ts';
import { misleadingProblem } from '../pages/parts/misleading-name.ts';
import type { Page, SignedInPageContext, View } from '../pages/page-context.ts';
import { empty, pager } from '../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.teams;

/** The page of one team, for administrators. */
export const teamSettingsPath = (team: string): string => `${paths.allTeams}/t/${team}`;

/** Every team of the installation, and a new one. */
export const allTeamsPage = (dependencies: PageDependencies): Page => ({
  audience: 'administrators',
  path: paths.allTeams,
  get: (pageContext) => teamsView(dependencies, pageContext),
  async post(pageContext) {
    const { form: typed } = pageContext;
    const team = slug.safeParse((typed.get('slug') ?? '').trim());
    const name = teamName.safeParse(typed.get('name') ?? '');
    if (!team.success || !name.success) {
      const problems = {
        ...(name.success ? {} : { name: misleadingProblem(typed.get('name') ?? '') ?? texts.nameProblem }),
        ...(team.success ? {} : { slug: texts.slugProblem }),
      };
      return { ...(await teamsView(dependencies, pageContext, problems)), status: 422 };
    }
    try {
      const command = { kind: 'create', team: team.data, name: name.data } as const;
      const outcome = await commandTeam(dependencies.store, command, pageContext.onceContext());
      await untilShown(dependencies.documents, outcome);
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      const view = await teamsView(dependencies, pageContext, { slug: error.message });
      return { ...view, status: error.status };
    }
    const made = { ...pageContext, team: { team: team.data, name: name.data, role: undefined } };
    return redirectDone(teamSettingsPath(team.data), made, 'created');
  },
});

async function teamsView(
  { documents }: PageDependencies,
  pageContext: SignedInPageContext,
  problems: Problems = {},
): Promise<View> {
  const { query, form: typed, formToken } = pageContext;
  const page = await keysetPage(documents.collection(teams.collection), {
    orderBy: ['team'],
    after: query.get(afterParameter),
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
                rows: page.docs.map(({ team, name, scopes, created_at }) => [
                  html`<a href="${teamSettingsPath(team)}">${name}</a>`,
                  html`<code>${team}</code>`,
                  scopes.length === 0 ? texts.publicOnly : scopes.join(', '),
                  time(created_at),
                ]),
              })}
            </section>`
      }
      ${pager({
        first: page.isFirst ? undefined : paths.allTeams,
        next: page.next === undefined ? undefined : `${paths.allTeams}?${afterParameter}=${page.next}`,
      })}
      <section class="card">
        <h2>${texts.create}</h2>
        ${form({
          action: paths.allTeams,
          token: formToken,
          label: texts.create,
          content: html`${fields(
              [
                {
                  name: 'name',
                  label: texts.name,
                  hint: texts.nameHint,
                  value: typed.get('name') ?? '',
                  maxlength: 200,
                },
                {
                  name: 'slug',
                  label: texts.slug,
                  hint: texts.slugHint,
                  value: typed.get('slug') ?? '',
                  maxlength: 48,
                },
              ],
              problems,
            )}
            <div class="choices">${button(texts.create)}</div>`,
        })}
      </section>`,
  };
}

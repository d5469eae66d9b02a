import { rename } from '../../actions/teams/teams.ts';
import { teamUsage, type TeamUsage } from '../../actions/teams/usage.ts';
import { commons } from '../../events/teams.ts';
import { teams } from '../../projections/teams.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, teamForm, type Again, type InputField } from '../pages/action-form.ts';
import { button, form, hidden, notice, time, when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { misleadingProblem } from '../pages/parts/misleading-name.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { closeTeamPath, reopenTeamPath } from './close-page.ts';
import { usageFacts } from './usage-facts.ts';
import { en } from './texts.ts';

const texts = en.settings;

/** What a team is called, what it uses, and how it is closed and opened again, for its admins. */
export const ownSettingsPage = teamForm({
  path: paths.teamSettings,
  whenClosed: true,
  action: rename,
  get: settingsView,
  fields: (_, { form: typed }) => [nameField(typed.get('name') ?? '')],
  also: ({ form: typed }) => ({ before: typed.get('before') ?? undefined }),
  view: settingsView,
  done: (pageContext) => redirectDone(paths.teamSettings, pageContext, 'renamed'),
});

const nameField = (value: string): InputField => ({
  name: 'name',
  label: texts.name,
  hint: texts.nameHint,
  value,
  maxlength: 200,
  autocomplete: 'off',
  wrong: misleadingProblem(value) ?? texts.nameProblem,
});

async function settingsView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team, form: typed, formToken } = pageContext;
  const usage = await teamUsage(dependencies, team.team, dependencies.now());
  return {
    title: texts.title,
    content: html`<p class="lead">${texts.lead(team.name)}</p>
      ${when(refused !== undefined, notice(refused?.message ?? '', 'wrong'))}
      ${doneNotice(pageContext, texts.done)}
      ${
        team.closed
          ? await closedSection(dependencies, pageContext, usage)
          : html`<section class="card">
              <h2>${texts.name}</h2>
              ${form({
                action: ofTeam(paths.teamSettings, team.team),
                token: formToken,
                label: texts.name,
                content: html`${hidden('team', team.team)}${hidden('before', team.name)}
                  ${inputFields([nameField(team.name)], typed, problems)}
                  <div class="choices">${button(texts.rename)}</div>`,
              })}
            </section>`
      }
      <section class="card">
        <h2>${texts.uses}</h2>
        ${usageFacts(team.team, usage, { linked: !team.closed })}
      </section>
      ${
        team.closed || team.team === commons.team
          ? ''
          : html`<section class="card">
              <h2>${texts.close}</h2>
              <p>${texts.closeHint}</p>
              <p>
                <a class="button secondary" href="${ofTeam(closeTeamPath, team.team)}">${texts.close}</a>
              </p>
            </section>`
      }`,
  };
}

/** Since when a team is closed, what is still public of it, and the way to open it again. */
async function closedSection(
  { documents }: PageDependencies,
  { team: { team }, formToken }: TeamPageContext,
  usage: TeamUsage,
): Promise<Html> {
  const { closed_at } = (await documents.collection(teams.collection).get(team)) ?? {};
  const left = usage.public_records + usage.public_organizations;
  return html`<section class="card">
    <h2>${texts.isClosed}</h2>
    ${when(closed_at !== undefined, html`<p>${texts.since} ${time(closed_at ?? '', 'minute')}.</p>`)}
    ${when(left > 0, html`<p>${texts.left(left.toLocaleString('en'))}</p>`)}
    <p>${texts.reopenHint}</p>
    ${form({
      action: ofTeam(reopenTeamPath, team),
      token: formToken,
      content: html`${hidden('team', team)}${button(texts.reopen)}`,
    })}
  </section>`;
}

import { rename } from '../../actions/teams/teams.ts';
import { teamUsage } from '../../actions/teams/usage.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, teamForm, type Again, type InputField } from '../pages/action-form.ts';
import { button, form, hidden, notice, when } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { misleadingProblem } from '../pages/parts/misleading-name.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { usageFacts } from './usage-facts.ts';
import { en } from './texts.ts';

const texts = en.settings;

/** What a team is called, and what it uses, for its admins. */
export const ownSettingsPage = teamForm({
  path: paths.teamSettings,
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
      <section class="card">
        <h2>${texts.name}</h2>
        ${form({
          action: ofTeam(paths.teamSettings, team.team),
          token: formToken,
          label: texts.name,
          content: html`${hidden('team', team.team)}${hidden('before', team.name)}
            ${inputFields([nameField(team.name)], typed, problems)}
            <div class="choices">${button(texts.rename)}</div>`,
        })}
      </section>
      <section class="card">
        <h2>${texts.uses}</h2>
        ${usageFacts(team.team, usage)}
      </section>`,
  };
}

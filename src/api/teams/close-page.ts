import { close, reopen } from '../../actions/teams/closing.ts';
import { teamUsage, type TeamUsage } from '../../actions/teams/usage.ts';
import { heldDays } from '../../dispatch/operations/expiry.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, teamForm, type Again, type InputField } from '../pages/action-form.ts';
import { button, form, hidden, notice, when } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { redirectTo, type TeamPageContext, type View } from '../pages/page-context.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.closing;

export const closeTeamPath = `${paths.teamSettings}/close`;
export const reopenTeamPath = `${paths.teamSettings}/reopen`;

/** Asks whether a team is to be closed: what that does, in numbers. Its name is typed to confirm. */
export const closeTeamPage = teamForm({
  path: closeTeamPath,
  action: close,
  get: (dependencies, pageContext) =>
    pageContext.team.closed ? toSettings(pageContext) : questionView(dependencies, pageContext),
  fields: (_, { team }) => [nameField(team.name)],
  view: questionView,
  done: (pageContext) => redirectDone(paths.teamSettings, pageContext, 'closed'),
});

/** Opens a closed team again. */
export const reopenTeamPage = teamForm({
  path: reopenTeamPath,
  action: reopen,
  get: (_, pageContext) => toSettings(pageContext),
  done: (pageContext) => redirectDone(paths.teamSettings, pageContext, 'reopened'),
});

const toSettings = ({ team }: TeamPageContext) => redirectTo(ofTeam(paths.teamSettings, team.team));

const nameField = (team: string): InputField => ({
  name: 'name',
  label: texts.name,
  hint: texts.nameHint(team),
  autocomplete: 'off',
  wrong: texts.wrongName,
});

async function questionView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team, form: typed, formToken } = pageContext;
  const usage = await teamUsage(dependencies, team.team, dependencies.now());
  return {
    title: texts.title(team.name),
    content: html`${when(refused !== undefined, notice(refused?.message ?? '', 'wrong'))}
      <section class="card">
        <p>${texts.lead}</p>
        <ul class="points">
          ${consequences(usage).map((each) => html`<li>${each}</li>`)}
        </ul>
        <p>${texts.stays}</p>
        <p>${texts.again}</p>
        ${form({
          action: ofTeam(closeTeamPath, team.team),
          token: formToken,
          label: texts.button,
          content: html`${hidden('team', team.team)} ${inputFields([nameField(team.name)], typed, problems)}
            <div class="choices">
              ${button(texts.button, { weight: 'danger' })}
              <a class="button secondary" href="${ofTeam(paths.teamSettings, team.team)}">${texts.cancel}</a>
            </div>`,
        })}
      </section>`,
  };
}

const number = (count: number): string => count.toLocaleString('en');

/** What closing a team does that uses so much. */
const consequences = (usage: TeamUsage): readonly string[] => [
  texts.keys(number(usage.keys)),
  texts.sites(number(usage.sites)),
  texts.webhooks(number(usage.webhooks), heldDays),
  texts.records(number(usage.public_records), number(usage.public_organizations)),
  texts.forms(number(usage.open_forms)),
  texts.people(number(usage.members)),
];

import { findTeam } from '../../commands/teams/team.ts';
import { slug } from '../../events/define.ts';
import { teamScopes } from '../../events/teams.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { notFoundView } from '../pages/frame/common-views.ts';
import { button, field, form } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import {
  redirectTo,
  type Page,
  type Redirect,
  type SignedInPageContext,
  type View,
} from '../pages/page-context.ts';
import { checkboxGroup } from '../pages/parts/choices.ts';
import { byMail, doneNotice, mailWaits, redirectDone } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { inviteAdmin } from '../../actions/teams/invitations.ts';
import { enableScopes, setTimeZone } from '../../actions/teams/teams.ts';
import { personForm, type Again } from '../pages/action-form.ts';
import { teamSettingsPath } from './all-teams.ts';
import { en } from './texts.ts';

const texts = en.team;

/** What an administrator of the installation says of a team: what its keys may do, and who begins to run it. */
export const teamSettingsPage = (dependencies: PageDependencies): Page => ({
  audience: 'administrators',
  path: teamSettingsPath(':team'),
  get: (pageContext) => settingsView(dependencies, pageContext),
});

const change = {
  get: () => redirectTo(paths.allTeams),
  view: settingsView,
};

/** Sets the scopes that the keys of a team may have beside the public ones. */
export const teamScopesPage = personForm({
  ...change,
  path: `${teamSettingsPath(':team')}/scopes`,
  action: enableScopes,
  also: (pageContext) => ({
    slug: teamIn(pageContext),
    scopes: teamScopes.filter((scope) => pageContext.form.getAll('scopes').includes(scope)),
  }),
  done: (pageContext, { team }) => changed(pageContext, team, 'scopes'),
});

/** Sets the time zone of the records of a team that tell no other. */
export const teamTimeZonePage = personForm({
  ...change,
  path: `${teamSettingsPath(':team')}/time-zone`,
  action: setTimeZone,
  fields: () => [zoneField],
  also: (pageContext) => ({ slug: teamIn(pageContext) }),
  done: (pageContext, { team }) => changed(pageContext, team, 'timeZone'),
});

const zoneField = {
  name: 'time_zone',
  label: texts.timeZone,
  hint: texts.timeZoneHint,
  wrong: texts.wrongTimeZone,
} as const;

/** Invites an admin to a team, such as its first one. */
export const inviteAdminPage = personForm({
  ...change,
  path: `${teamSettingsPath(':team')}/invite`,
  action: inviteAdmin,
  also: (pageContext) => ({ team: teamIn(pageContext), email: pageContext.form.get('email') ?? '' }),
  done: (pageContext, { team, waits }) => changed(pageContext, team, waits ? mailWaits : 'invited'),
});

const changed = (
  pageContext: SignedInPageContext,
  team: string,
  done: keyof typeof en.teams.done,
): Redirect =>
  redirectDone(teamSettingsPath(team), { ...pageContext, team: { team, name: team, role: undefined } }, done);

/** The team in the address. */
function teamIn({ request }: SignedInPageContext): string | undefined {
  const { team } = request.params as { readonly team?: string };
  return slug.safeParse(team).data;
}

async function settingsView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { refused, problems }: Again = { problems: {} },
): Promise<View> {
  const team = teamIn(pageContext);
  const state = team === undefined ? undefined : await findTeam(dependencies.store, team);
  if (team === undefined || !state) return noTeamView();
  const { formToken, form: typed } = pageContext;
  const here = teamSettingsPath(team);
  const inTeam = { ...pageContext, team: { team, name: state.name, role: undefined } };
  return {
    title: state.name,
    content: html`<p class="lead"><code>${team}</code></p>
      ${doneNotice(inTeam, en.teams.done)}
      <section class="card">
        <h2>${texts.inviteAdmin}</h2>
        ${form({
          action: `${here}/invite`,
          token: formToken,
          label: texts.inviteAdmin,
          content: html`${field({
              name: 'email',
              label: en.members.email,
              type: 'email',
              hint: byMail(dependencies, texts.inviteHint, texts.inviteByHand),
              value: typed.get('email') ?? '',
              autocomplete: 'off',
              error: refused?.message,
            })}
            <div class="choices">
              ${button(en.members.send)}
              <a class="button secondary" href="${ofTeam(paths.team, team)}">${texts.members}</a>
              <a class="button secondary" href="${ofTeam(paths.teamSettings, team)}">${texts.settings}</a>
            </div>`,
        })}
      </section>
      <section class="card">
        <h2>${texts.timeZone}</h2>
        ${form({
          action: `${here}/time-zone`,
          token: formToken,
          label: texts.timeZone,
          content: html`${field({
              name: zoneField.name,
              label: texts.timeZone,
              hint: zoneField.hint,
              value: typed.get(zoneField.name) ?? state.timeZone ?? '',
              autocomplete: 'off',
              error: problems[zoneField.name],
            })}
            <div class="choices">${button(texts.timeZoneSave)}</div>`,
        })}
      </section>
      <section class="card">
        ${form({
          action: `${here}/scopes`,
          token: formToken,
          label: texts.scopes,
          content: html`${checkboxGroup({
              name: 'scopes',
              label: texts.scopes,
              hint: texts.scopesLead,
              options: teamScopes.map((value) => ({ value, label: value, hint: en.scopes[value] })),
              values: state.scopes,
            })}
            <div class="choices">${button(texts.scopesSave)}</div>`,
        })}
      </section>
      <p><a href="${paths.allTeams}">${texts.back}</a></p>`,
  };
}

const noTeamView = (): View => notFoundView(texts.none, { to: paths.allTeams, label: texts.back });

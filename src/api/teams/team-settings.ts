import { CommandRefused } from '../../commands/errors.ts';
import { commandTeam, findTeam } from '../../commands/teams/team.ts';
import type { Team } from '../../commands/teams/team-state.ts';
import { slug } from '../../events/define.ts';
import { teamScopes } from '../../events/teams/team.ts';
import { untilShown } from '../../projections/until-shown.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { notFoundView } from '../pages/frame/common-views.ts';
import { button, field, form } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { redirectTo, type Page, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { checkboxGroup } from '../pages/parts/choices.ts';
import { doneNotice, mailWaits, redirectDone } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { inviteByMail } from '../../actions/teams/invite.ts';
import { teamSettingsPath } from './all-teams.ts';
import { en } from './texts.ts';

const texts = en.team;

/** What an administrator of the installation says of a team: what its keys may do, and who begins to run it. */
export const teamSettingsPage = (dependencies: PageDependencies): Page => ({
  audience: 'administrators',
  path: teamSettingsPath(':team'),
  get: (pageContext) => settingsView(dependencies, pageContext),
});

/** Sets the scopes that the keys of a team may have beside the public ones. */
export const teamScopesPage = (dependencies: PageDependencies): Page =>
  change(dependencies, 'scopes', async (pageContext, team) => {
    const scopes = teamScopes.filter((scope) => pageContext.form.getAll('scopes').includes(scope));
    const command = { kind: 'enable-scopes', team, scopes } as const;
    await untilShown(
      dependencies.documents,
      await commandTeam(dependencies.store, command, pageContext.context()),
    );
    return 'scopes';
  });

/** Invites an admin to a team, such as its first one. */
export const inviteAdminPage = (dependencies: PageDependencies): Page =>
  change(dependencies, 'invite', async (pageContext, team) => {
    const parts = { ...dependencies, issuer: dependencies.issuer() };
    const wish = { team, email: pageContext.form.get('email') ?? '', role: 'admin' } as const;
    const { outcome } = await inviteByMail(parts, wish, pageContext.onceContext());
    await untilShown(dependencies.documents, outcome);
    return dependencies.config.smtpUrl === undefined ? mailWaits : 'invited';
  });

function change(
  dependencies: PageDependencies,
  what: string,
  make: (pageContext: SignedInPageContext, team: string) => Promise<keyof typeof en.teams.done>,
): Page {
  return {
    audience: 'administrators',
    path: `${teamSettingsPath(':team')}/${what}`,
    get: () => redirectTo(paths.allTeams),
    async post(pageContext) {
      const found = await asked(dependencies, pageContext);
      if (!found) return noTeamView();
      try {
        const done = await make(pageContext, found.team);
        const inTeam = {
          ...pageContext,
          team: { team: found.team, name: found.state.name, role: undefined },
        };
        return redirectDone(teamSettingsPath(found.team), inTeam, done);
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        return { ...(await settingsView(dependencies, pageContext, error.message)), status: error.status };
      }
    },
  };
}

/** The team in the address. */
async function asked(
  { store }: PageDependencies,
  { request }: SignedInPageContext,
): Promise<{ readonly team: string; readonly state: Team } | undefined> {
  const { team = '' } = request.params as { readonly team?: string };
  if (!slug.safeParse(team).success) return undefined;
  const state = await findTeam(store, team);
  return state && { team, state };
}

async function settingsView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  problem?: string,
): Promise<View> {
  const found = await asked(dependencies, pageContext);
  if (!found) return noTeamView();
  const { team, state } = found;
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
              hint: texts.inviteHint,
              value: typed.get('email') ?? '',
              autocomplete: 'off',
              error: problem,
            })}
            <div class="choices">
              ${button(en.members.send)}
              <a class="button secondary" href="${ofTeam(paths.team, team)}">${texts.members}</a>
            </div>`,
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

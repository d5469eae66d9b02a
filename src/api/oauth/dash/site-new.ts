import { registerSite } from '../../../actions/oauth-sites.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { inputFields, teamForm, type Again } from '../../pages/action-form.ts';
import { button, form, hidden, notice, when } from '../../pages/controls.ts';
import { html } from '../../pages/html.ts';
import type { TeamPageContext, View } from '../../pages/page-context.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { siteFields } from './site-fields.ts';
import { sitePath } from './site-of-team.ts';
import { en } from './texts.ts';

/** Registers a site of a team. */
export const newSite = teamForm({
  path: paths.newSite,
  action: registerSite,
  get: newSiteView,
  fields: () => siteFields(),
  view: newSiteView,
  done: (pageContext, { id }) => redirectDone(sitePath(id), pageContext, 'registered'),
});

function newSiteView(
  _: PageDependencies,
  { formToken, team, form: typed }: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): View {
  return {
    title: en.newSite.title,
    content: html`<p class="lead">${en.newSite.lead(team.name)}</p>
      ${when(refused !== undefined, notice(refused?.message ?? '', 'wrong'))}
      <section class="card">
        ${form({
          action: ofTeam(paths.newSite, team.team),
          token: formToken,
          content: html`${hidden('team', team.team)}${inputFields(siteFields(), typed, problems)}
            <div class="choices">
              ${button(en.newSite.register)}
              <a class="button secondary" href="${ofTeam(paths.sites, team.team)}">${en.site.cancel}</a>
            </div>`,
        })}
      </section>`,
  };
}

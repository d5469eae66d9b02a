import { z } from 'zod';
import { createWidgetKey, type MadeKey } from '../../../actions/keys.ts';
import { hasRight } from '../../../events/teams-rights.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { personForm, type Again } from '../../pages/action-form.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { notice } from '../../pages/controls.ts';
import { teamsOfPerson } from '../../pages/frame/current-team.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, SignedInPageContext, View } from '../../pages/page-context.ts';
import { guides, ofTeam, paths } from '../../pages/paths.ts';
import { domainsIn } from '../../pages/parts/domains.ts';
import { copyableLines } from '../../pages/parts/show-once.ts';
import { sunset } from '../../read-api.ts';
import { previewAddress } from './preview.ts';
import { policyLines, snippetOf } from './snippet.ts';
import { en } from './texts.ts';
import { widgetFields, widgetForm } from './widget-form.ts';
import { optionsIn, typedOptions } from './widget-options.ts';

const { input } = createWidgetKey;

/** The teams whose keys the person may change. */
async function teamsFor(dependencies: PageDependencies, { currentUser }: SignedInPageContext) {
  const administrator = currentUser.person.role === 'administrator';
  const teams = await teamsOfPerson(dependencies, currentUser);
  return teams.filter(({ role }) => administrator || hasRight(role, 'change keys'));
}

const making = personForm({
  path: paths.widget,
  action: { ...createWidgetKey, input: input.extend(z.object(typedOptions).partial().shape) },
  get: generatorView,
  fields: async (dependencies, pageContext) => widgetFields(await teamsFor(dependencies, pageContext)),
  also({ form }) {
    const {
      domains: [domain = ''],
    } = { domains: [], ...domainsIn(form.get('domains')) };
    return { label: en.made.label(domain).slice(0, 200) };
  },
  view: generatorView,
  done: madeView,
});

/** Makes a key that reads only, on named domains only, and the snippet for the widget with it (interface 4.4). */
export const widgetGenerator = (dependencies: PageDependencies): Page => {
  const page = making(dependencies);
  return {
    ...page,
    async post(pageContext: SignedInPageContext) {
      const { form } = pageContext;
      // Any team has records to show; the page offers those of the person.
      if (form.has('team')) {
        const teams = await teamsFor(dependencies, pageContext);
        chosen(form, 'team', ['', ...teams.map(({ team }) => team)]);
      }
      if (!form.has('do')) return page.post(pageContext);
      chosen(form, 'do', ['preview']);
      return generatorView(dependencies, pageContext, optionsIn(form));
    },
  };
};

function madeView(
  pageContext: SignedInPageContext,
  { key_id: id, key, team, domains }: MadeKey,
  dependencies: PageDependencies,
): Promise<View> {
  const base = dependencies.address();
  const keyPage = team === undefined ? `${paths.developers}/${id}` : ofTeam(`${paths.teamKeys}/${id}`, team);
  const { options, problems } = optionsIn(pageContext.form);
  const top =
    key === undefined
      ? html`${notice(en.made.repeated, 'plain')}
          <p><a href="${keyPage}">${en.made.key}</a></p>`
      : snippetCard(base, { snippet: snippetOf(base, key, options), domains, keyPage });
  return generatorView(dependencies, pageContext, { problems }, top);
}

const snippetCard = (
  base: string,
  made: { readonly snippet: string; readonly domains: readonly string[]; readonly keyPage: string },
): Html =>
  html`${notice(en.made.done)}
    <section class="card secret">
      <h2>${en.made.heading}</h2>
      <p>${en.made.where(made.domains.join(', '))}</p>
      ${copyableLines(made.snippet, en.made.heading)}
      <p class="quiet small">${en.made.once}</p>
      <h3>${en.made.policy}</h3>
      <p>${en.made.policyWhat}</p>
      ${copyableLines(policyLines(base), en.made.policy)}
      <p><a href="${made.keyPage}">${en.made.key}</a></p>
    </section>`;

async function generatorView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { problems, refused }: Again,
  top: Html | '' = refused ? notice(refused.message, 'wrong') : '',
): Promise<View> {
  const { config, now } = dependencies;
  const { formToken, form: typed } = pageContext;
  const teams = await teamsFor(dependencies, pageContext);
  const gone = config.legacyAfterSunset === 'gone' && now() >= sunset;
  return {
    title: en.title,
    frames: true,
    content: html`${top}${gone ? notice(en.gone, 'wrong') : ''}
      <p class="lead">${en.lead} <a href="${guides.widget}">${en.guide}</a></p>
      ${widgetForm({ token: formToken, teams, typed, problems })}
      <section class="card">
        <h2>${en.preview.heading}</h2>
        <iframe
          class="preview"
          title="${en.preview.frame}"
          src="${previewAddress(dependencies, optionsIn(typed).options)}"
        ></iframe>
      </section>`,
  };
}

import { randomBytes } from 'node:crypto';
import { CommandRefused } from '../../../commands/errors.ts';
import { createApiKey } from '../../../commands/keys.ts';
import { hasRight, requireRight } from '../../../commands/teams/rights.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { notice, type Problems } from '../../pages/controls.ts';
import { teamsOfPerson } from '../../pages/frame/current-team.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, SignedInPageContext, View, CurrentTeam } from '../../pages/page-context.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { domainsIn } from '../../pages/parts/domains.ts';
import { copyableLines } from '../../pages/parts/show-once.ts';
import { sunset } from '../../read-api.ts';
import { previewAddress } from './preview.ts';
import { policyLines, snippetOf } from './snippet.ts';
import { en } from './texts.ts';
import { ownKey, widgetForm } from './widget-form.ts';
import { defaultOptions, optionsIn, type WidgetOptions } from './widget-options.ts';

interface State {
  readonly top?: Html | undefined;
  readonly form?: URLSearchParams;
  readonly options?: WidgetOptions;
  readonly problems?: Problems;
  readonly status?: number;
}

/** Makes a key that reads only, on named domains only, and the snippet for the widget with it (interface 4.4). */
export const widgetGenerator = (dependencies: PageDependencies): Page => ({
  audience: 'signed in',
  path: paths.widget,
  get: (pageContext) => generatorView(dependencies, pageContext, {}),
  async post(pageContext) {
    const { form } = pageContext;
    const { options, problems } = optionsIn(form);
    const pressed = form.has('do') ? chosen(form, 'do', ['preview']) : 'make';
    if (pressed === 'preview') return generatorView(dependencies, pageContext, { form, options, problems });
    const read = domainsIn(form.get('domains'));
    const domains = read.problem === undefined ? read.domains : [];
    const found = {
      ...problems,
      domains: read.problem ?? (domains.length === 0 ? en.form.noDomain : undefined),
    };
    if (Object.values(found).some((problem) => problem !== undefined))
      return generatorView(dependencies, pageContext, { form, options, problems: found, status: 422 });
    return made(dependencies, pageContext, { options, domains });
  },
});

async function made(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { options, domains }: { readonly options: WidgetOptions; readonly domains: readonly string[] },
): Promise<View> {
  const { store, documents, address } = dependencies;
  const { form, currentUser } = pageContext;
  const owner = form.get('owner') ?? ownKey;
  const team = owner === ownKey ? undefined : owner;
  try {
    if (team !== undefined)
      await requireRight(store, { user: currentUser.person.user, team, right: 'change keys' });
    const { keyId, key, outcome } = await createApiKey(
      dependencies,
      {
        ...(team === undefined ? { kind: 'developer' } : { kind: 'team', team }),
        label: en.made.label(domains[0] ?? '').slice(0, 200),
        scopes: ['resources:read'],
        domains,
      },
      randomBytes(32),
      pageContext.onceContext(),
    );
    await untilShown(documents, outcome);
    const keyPage =
      team === undefined ? `${paths.developers}/${keyId}` : ofTeam(`${paths.teamKeys}/${keyId}`, team);
    const top =
      key === undefined
        ? html`${notice(en.made.repeated, 'plain')}
            <p><a href="${keyPage}">${en.made.key}</a></p>`
        : snippetCard(address(), { snippet: snippetOf(address(), key, options), domains, keyPage });
    return await generatorView(dependencies, pageContext, { top, form, options });
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    const forbidden = error.code === 'forbidden';
    return generatorView(dependencies, pageContext, {
      form,
      options,
      ...(forbidden ? { problems: { owner: en.form.otherOwner } } : { top: notice(error.message, 'wrong') }),
      status: forbidden ? 422 : error.status,
    });
  }
}

const snippetCard = (
  base: string,
  given: { readonly snippet: string; readonly domains: readonly string[]; readonly keyPage: string },
): Html =>
  html`${notice(en.made.done)}
    <section class="card secret">
      <h2>${en.made.heading}</h2>
      <p>${en.made.where(given.domains.join(', '))}</p>
      ${copyableLines(given.snippet, en.made.heading)}
      <p class="quiet small">${en.made.once}</p>
      <h3>${en.made.policy}</h3>
      <p>${en.made.policyWhat}</p>
      ${copyableLines(policyLines(base), en.made.policy)}
      <p><a href="${given.keyPage}">${en.made.key}</a></p>
    </section>`;

async function generatorView(
  dependencies: PageDependencies,
  { formToken, currentUser }: SignedInPageContext,
  { top, form, options = defaultOptions, problems = {}, status = 200 }: State,
): Promise<View> {
  const { config, now } = dependencies;
  const administrator = currentUser.person.role === 'administrator';
  const owners: readonly CurrentTeam[] = (await teamsOfPerson(dependencies, currentUser)).filter(
    ({ role }) => administrator || hasRight(role, 'change keys'),
  );
  const gone = config.legacyAfterSunset === 'gone' && now() >= sunset;
  return {
    title: en.title,
    status,
    frames: true,
    content: html`${top ?? ''}${gone ? notice(en.gone, 'wrong') : ''}
      <p class="lead">${en.lead}</p>
      ${widgetForm({ token: formToken, owners, form, options, problems })}
      <section class="card">
        <h2>${en.preview.heading}</h2>
        <iframe
          class="preview"
          title="${en.preview.frame}"
          src="${previewAddress(dependencies, options)}"
        ></iframe>
      </section>`,
  };
}

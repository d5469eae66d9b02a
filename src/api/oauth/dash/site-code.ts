import type { ClientSnapshot } from '../../../events/oauth/client.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notice } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page } from '../../pages/page-context.ts';
import { facts } from '../../pages/parts/facts.ts';
import { tabs } from '../../pages/parts/list-controls.ts';
import { copyable, copyableLines } from '../../pages/parts/show-once.ts';
import { guides, ofTeam } from '../../pages/paths.ts';
import { filledRecipe, recipes, redirectUriOf, type Recipe } from './site-recipes.ts';
import { requireSite, sitePath } from './site-of-team.ts';
import { en } from './texts.ts';

const texts = en.code;
const other = 'other';

/** The code of the guide for one framework, with the values of a site. */
export function siteCode(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change sites',
    path: `${sitePath(':client')}/code`,
    async get(pageContext) {
      const { team, query } = pageContext;
      const site = await requireSite(dependencies, pageContext);
      const all = recipes();
      const wanted = query.get('for');
      const recipe = wanted === other ? undefined : (all.find(({ name }) => name === wanted) ?? all[0]);
      const at = site.redirect_uris.includes(query.get('uri') ?? '') ? query.get('uri') : null;
      const uri = at ?? site.redirect_uris[0] ?? '';
      const to = (name: string, of = at) =>
        ofTeam(`${sitePath(site.client)}/code`, team.team, {
          for: name,
          ...(of === null ? {} : { uri: of }),
        });
      const here = recipe?.name ?? other;
      return {
        title: texts.title,
        content: html`<p class="lead">${texts.lead}</p>
          ${tabs({
            label: texts.frameworks,
            here: to(here),
            entries: [
              ...all.map(({ name, title }) => ({ to: to(name), label: title })),
              { to: to(other), label: texts.other },
            ],
          })}
          ${
            site.redirect_uris.length > 1
              ? tabs({
                  label: texts.uris,
                  here: to(here, uri),
                  entries: site.redirect_uris.map((each) => ({ to: to(here, each), label: each })),
                })
              : ''
          }
          ${
            recipe
              ? recipePart(recipe, { issuer: dependencies.issuer(), site, uri, team: team.team })
              : otherPart(dependencies.issuer(), site, uri)
          }
          <p>
            <a href="${guides['sign-in']}${recipe ? `#${recipe.name}` : ''}">${texts.guide}</a> ·
            <a href="${ofTeam(sitePath(site.client), team.team)}">${texts.back}</a>
          </p>`,
      };
    },
  };
}

function recipePart(
  recipe: Recipe,
  {
    issuer,
    site,
    uri,
    team,
  }: { readonly issuer: string; readonly site: ClientSnapshot; readonly uri: string; readonly team: string },
): Html {
  const own = { issuer, clientId: site.client, redirectUri: uri };
  const needed = redirectUriOf(recipe, uri);
  return html`${
      site.redirect_uris.includes(needed)
        ? ''
        : notice(
            texts.missing(needed),
            'plain',
            html`<a href="${ofTeam(sitePath(site.client), team)}">${texts.register}</a>`,
          )
    }
    <section class="card">
      <h2>${recipe.title}</h2>
      ${recipe.before.map((each) => paragraph(filledRecipe(each, own)))}
      ${copyableLines(filledRecipe(recipe.code, own), texts.code)}
      ${recipe.after.map((each) => paragraph(filledRecipe(each, own)))}
    </section>`;
}

const otherPart = (issuer: string, site: ClientSnapshot, uri: string): Html =>
  html`<section class="card">
    <h2>${texts.other}</h2>
    <p>${texts.otherLead}</p>
    ${facts([
      ['Discovery', copyable(`${issuer}/.well-known/openid-configuration`, 'Discovery')],
      ['issuer', copyable(issuer, 'issuer')],
      ['client_id', copyable(site.client, 'client_id')],
      ['redirect_uri', copyable(uri, 'redirect_uri')],
      ['scope', html`<code>${site.scopes.join(' ')}</code>`],
      ['response_type', html`<code>code</code>`],
      ['PKCE', html`<code>S256</code>`],
      ['token_endpoint_auth_method', html`<code>none</code>`],
    ])}
  </section>`;

/** A paragraph of the guide: text, and code between backticks. */
const paragraph = (text: string): Html =>
  html`<p>${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}</p>`;

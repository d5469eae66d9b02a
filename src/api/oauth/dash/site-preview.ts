import { loadConsent } from '../../../commands/oauth/consent.ts';
import { OAuthRefused } from '../../../commands/oauth/errors.ts';
import type { ClientSnapshot } from '../../../events/oauth/client.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, hidden, notice, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, TeamPageContext } from '../../pages/page-context.ts';
import { checkboxGroup, radioGroup, selectField } from '../../pages/parts/choices.ts';
import { facts } from '../../pages/parts/facts.ts';
import { hostOf } from '../../pages/parts/named-site.ts';
import { copyableLines } from '../../pages/parts/show-once.ts';
import { ofTeam } from '../../pages/paths.ts';
import {
  authorizationRequestIn,
  responseModes,
  type AuthorizationRequest,
} from '../authorization-request.ts';
import { locationOf } from '../authorization-response.ts';
import { authorizePath } from '../authorize.ts';
import { claimsOf, reservedClaims } from '../claims.ts';
import { whatToChange, withoutRule } from '../errors.ts';
import { nextStep } from '../next-step.ts';
import { siteCard, whatStays } from './consent-card.ts';
import { scopeList } from './scope-descriptions.ts';
import { requireSite, sitePath } from './site-of-team.ts';
import { en } from './texts.ts';

const texts = en.preview;

/** In place of what a site makes anew for each person. */
const placeholders = { state: 'STATE', code_challenge: 'CODE_CHALLENGE' } as const;

/**
 * A sign-in up to the question, with the data of who looks at it, and what the site would get. By the rules of the endpoint,
 * but nothing is issued and no consent recorded: the person is not on the way to the site.
 */
export function previewSite(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change sites',
    path: `${sitePath(':client')}/preview`,
    async get(pageContext) {
      const { team, query } = pageContext;
      const site = await requireSite(dependencies, pageContext);
      const chosen = chosenIn(query, site);
      return {
        title: texts.title,
        content: html`<p class="lead">${site.first_party ? texts.firstParty : texts.lead}</p>
          ${await tried(dependencies, pageContext, site, chosen)}
          <section class="card">
            <h2>${texts.choose}</h2>
            ${choosing(pageContext, site, chosen)}
          </section>
          <section class="card">
            <h2>${texts.test}</h2>
            <p>${texts.how}</p>
            ${copyableLines(addressOf(dependencies.issuer(), site, chosen), texts.address)}
            <p class="quiet">${texts.why}</p>
          </section>
          <p><a href="${ofTeam(sitePath(site.client), team.team)}">${texts.back}</a></p>`,
      };
    },
  };
}

interface Chosen {
  readonly uri: string;
  readonly scopes: readonly string[];
  readonly mode: (typeof responseModes)[number];
}

/** What is not registered for the site counts as not chosen. */
function chosenIn(query: URLSearchParams, { redirect_uris, scopes }: ClientSnapshot): Chosen {
  const uri = query.get('uri') ?? '';
  const wanted = new Set(query.getAll('scope'));
  return {
    uri: redirect_uris.includes(uri) ? uri : (redirect_uris[0] ?? ''),
    scopes: wanted.size === 0 ? scopes : scopes.filter((each) => each === 'openid' || wanted.has(each)),
    mode: responseModes.find((each) => each === query.get('mode')) ?? 'query',
  };
}

/** The question, or why there is none, and after an answer what the site would get. */
async function tried(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  site: ClientSnapshot,
  chosen: Chosen,
): Promise<Html> {
  const { store, now } = dependencies;
  const { currentUser, team, query } = pageContext;
  const { session } = currentUser;
  // A challenge has 43 characters.
  const parameters = parametersOf(site, chosen, { ...placeholders, code_challenge: 'A'.repeat(43) });
  let request: AuthorizationRequest;
  try {
    request = await authorizationRequestIn(parameters.toString(), () => Promise.resolve(site));
  } catch (error) {
    if (!(error instanceof OAuthRefused)) throw error;
    const { change } = whatToChange(error);
    return notice(`${withoutRule(error.message)} ${change}`, 'wrong');
  }
  const consent = await loadConsent(store, { user: session.user, client: site.client });
  const pending = { query: parameters.toString(), at: now().getTime() / 1_000 };
  const step = nextStep(request, { session, hinted: undefined, consent, pending, resumed: false });
  const decision = query.get('decision');
  return html`<section class="card" aria-label="${texts.title}">
      <h2>Sign in to ${site.name}?</h2>
      ${siteCard(site, team.name, hostOf(request))}
      <h3>It wants to</h3>
      ${scopeList(request.scopes, currentUser)} ${whatStays}
      <p class="quiet">
        ${step.kind === 'issue' && !site.first_party ? texts.allowedBefore : texts.question}
      </p>
      <form method="get" action="${ofTeam(`${sitePath(site.client)}/preview`, team.team)}#answer">
        ${hidden('uri', chosen.uri)}${hidden('mode', chosen.mode)}
        ${chosen.scopes.map((each) => hidden('scope', each))}
        <div class="choices">
          ${button(texts.allow, { name: 'decision', value: 'allow' })}
          ${button(texts.deny, { weight: 'secondary', name: 'decision', value: 'deny' })}
        </div>
      </form>
    </section>
    ${when(
      decision === 'allow' || decision === 'deny',
      await answerPart(dependencies, pageContext, request, decision === 'deny'),
    )}`;
}

async function answerPart(
  dependencies: PageDependencies,
  { currentUser: { person } }: TeamPageContext,
  { redirectUri, mode, scopes, client }: AuthorizationRequest,
  isDenied: boolean,
): Promise<Html> {
  const iss = dependencies.issuer();
  const { state } = placeholders;
  const fields: readonly (readonly [string, string])[] = isDenied
    ? [['error', 'access_denied'], ['error_description', texts.denied], ['state', state], ['iss', iss]] // prettier-ignore
    : [['code', 'CODE'], ['state', state], ['iss', iss]]; // prettier-ignore
  const sent =
    mode === 'form_post'
      ? `POST ${redirectUri}\n\n${fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('\n&')}`
      : `GET ${locationOf(redirectUri, fields)}`;
  const reserved = await reservedClaims(dependencies)(person.user, scopes);
  const claims = { ...(await claimsOf(dependencies.personal, person, scopes)), ...reserved };
  return html`<section class="card" id="answer">
    <h2>${texts.answer}</h2>
    ${notice(texts.nothing, 'plain')}
    <h3>${texts.sent}</h3>
    ${copyableLines(sent, texts.sent)}
    ${
      isDenied
        ? html`<p>${texts.afterDenied}</p>`
        : html`<p>${texts.exchange}</p>
            ${facts([
              ['token_type', 'Bearer'],
              ['scope', html`<code>${scopes.join(' ')}</code>`],
              ['expires_in', dependencies.config.lifetimes.access],
            ])}
            <h3>${texts.claims}</h3>
            ${copyableLines(JSON.stringify({ iss, aud: client.client, sub: person.user, ...claims }, null, 2), texts.claims)}
            <p class="quiet small">${texts.claimsToo}</p>`
    }
  </section>`;
}

const choosing = ({ team }: TeamPageContext, site: ClientSnapshot, { uri, scopes, mode }: Chosen): Html =>
  html`<form method="get" action="${ofTeam(`${sitePath(site.client)}/preview`, team.team)}">
    ${selectField({
      name: 'uri',
      label: texts.uri,
      options: site.redirect_uris.map((each) => ({ value: each, label: each })),
      value: uri,
    })}
    ${hidden('scope', 'openid')}
    ${checkboxGroup({
      name: 'scope',
      label: texts.scopes,
      options: site.scopes.filter((each) => each !== 'openid').map((each) => ({ value: each, label: each })),
      values: scopes,
    })}
    ${radioGroup({
      name: 'mode',
      label: texts.mode,
      options: responseModes.map((each) => ({ value: each, label: each, hint: texts.modes[each] })),
      value: mode,
    })}
    ${button(texts.show, { weight: 'secondary' })}
  </form>`;

const parametersOf = (
  { client }: ClientSnapshot,
  { uri, scopes, mode }: Chosen,
  { state, code_challenge }: { readonly state: string; readonly code_challenge: string },
): URLSearchParams =>
  new URLSearchParams({
    client_id: client,
    redirect_uri: uri,
    response_type: 'code',
    ...(mode === 'query' ? {} : { response_mode: mode }),
    scope: scopes.join(' '),
    code_challenge_method: 'S256',
    state,
    code_challenge,
  });

/** The address of the authorization endpoint, with places for what the site makes anew for each person. */
const addressOf = (issuer: string, site: ClientSnapshot, chosen: Chosen): string =>
  `${issuer}${authorizePath}?${parametersOf(site, chosen, placeholders).toString()}`;

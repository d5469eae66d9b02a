import { grantConsent, loadConsent, missingScopes } from '../../../commands/oauth/consent.ts';
import type { SignInScope } from '../../../events/oauth/values.ts';
import { teams } from '../../../projections/teams.ts';
import { html } from '../../pages/html.ts';
import type { AuthorizationRequest } from '../authorization-request.ts';
import { hostOf, shownSiteName } from '../../pages/parts/named-site.ts';
import { consentPath } from '../../pages/interaction.ts';
import { button, form } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { returnToOf, type ReturnTo } from '../../pages/return-to.ts';
import { avatar } from '../../pages/frame/layout.ts';
import { siteCard, whatStays } from './consent-card.ts';
import { scopeList } from './scope-descriptions.ts';
import {
  redirectTo,
  type Answer,
  type SignedInPageContext,
  type Page,
  type View,
  type PageContext,
} from '../../pages/page-context.ts';

/** Asks a person what a site may see. Only the person who is asked can decide. */
export function consent(dependencies: PageDependencies): Page {
  const { interaction, store } = dependencies;
  return {
    audience: 'everybody',
    path: consentPath,
    async get(pageContext) {
      const returnTo = await returnToOf(dependencies, pageContext);
      return returnTo.site && isForThisPerson(pageContext, returnTo)
        ? ask(dependencies, pageContext, returnTo, returnTo.site.request)
        : redirectTo(returnTo.end);
    },
    async post(pageContext) {
      const returnTo = await returnToOf(dependencies, pageContext);
      const { site } = returnTo;
      if (!site || !isForThisPerson(pageContext, returnTo)) return redirectTo(returnTo.end);
      switch (pageContext.form.get('decision')) {
        case 'allow': {
          const { client } = site.request.client;
          const { user, sessionId } = pageContext.currentUser.session;
          await grantConsent(store, { user, client }, site.request.scopes, pageContext.context());
          return redirectTo(interaction.resume({ ...site.pending, allowed: sessionId }));
        }
        case 'deny':
          return redirectTo(interaction.resume({ ...site.pending, denied: true }));
        case null:
        default:
          return ask(dependencies, pageContext, returnTo, site.request);
      }
    },
  };
}

const isForThisPerson = (pageContext: PageContext, { site }: ReturnTo): pageContext is SignedInPageContext =>
  pageContext.currentUser !== undefined && pageContext.currentUser.session.sessionId === site?.pending.asking;

/** Asks for the missing scopes, or for all of them with prompt=consent. */
async function ask(
  { store, documents, interaction }: PageDependencies,
  pageContext: SignedInPageContext,
  { site, inputs, end }: ReturnTo,
  request: AuthorizationRequest,
): Promise<Answer> {
  const { client } = request;
  const existing = await loadConsent(store, {
    user: pageContext.currentUser.session.user,
    client: client.client,
  });
  const before = existing?.status === 'active' ? existing.scopes.filter(isShown) : [];
  const wanted = request.scopes.filter(isShown);
  const missing = request.prompts.has('consent') ? wanted : missingScopes(existing, wanted);
  if (missing.length === 0 || !site) return redirectTo(end);
  const kept = before.filter((scope) => !missing.includes(scope));
  const team = await documents.collection(teams.collection).get(client.team);
  const name = shownSiteName(client);
  const { profile, email } = pageContext.currentUser;
  const view: View = {
    title: kept.length > 0 ? `${name} asks for more` : `Sign in to ${name}?`,
    shape: 'narrow',
    content: html`${siteCard(client, team?.name ?? client.team, hostOf(request))}
      <h2>${kept.length > 0 ? 'It also wants to' : 'It wants to'}</h2>
      ${scopeList(missing, pageContext.currentUser)}
      ${
        kept.length > 0
          ? html`<h2>It may already</h2>
              ${scopeList(kept)}`
          : ''
      }
      ${whatStays}
      ${form({
        action: consentPath,
        token: pageContext.formToken,
        content: html`${inputs}
          <div class="choices">
            ${button('Allow', { name: 'decision', value: 'allow' })}
            ${button('Deny', { weight: 'secondary', name: 'decision', value: 'deny' })}
          </div>`,
      })}
      <div class="identity">
        ${avatar(profile.name)}
        <div>
          <span class="quiet">Signed in as</span> <strong>${profile.name}</strong><br />
          <span class="quiet">${email}</span> ·
          <a href="${interaction.signIn(site.pending)}&account=another">not you?</a>
        </div>
      </div>`,
  };
  return view;
}

const isShown = (scope: SignInScope): boolean => scope !== 'offline_access';

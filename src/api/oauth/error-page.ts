import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientSnapshot } from '../../events/oauth/client.ts';
import { pagePolicy, requestIdHeader } from '../http/security-headers.ts';
import { when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { page } from '../pages/frame/page-frame.ts';
import { errorsPath } from '../http/responses/problem.ts';
import { sendOAuthProblem, uncached, whatToChange, withoutRule, type OAuthProblem } from './errors.ts';

/** What a person reads: what failed, whose mistake it is, and what to do. */
export interface Wording {
  readonly title: string;
  readonly theirs: string;
  readonly ours: string;
}

const signIn: Wording = {
  title: 'This sign-in cannot continue',
  theirs:
    'The site that sent you here made a mistake in its request, so we cannot sign you in. Go back to the site and try again. If that does not help, tell the people who run it. Your account is not affected.',
  ours: 'Something went wrong on our side. Wait a minute, go back to the site and try again.',
};

/** The site whose request was refused, for somebody who may change it. */
export type OwnSite = Pick<ClientSnapshot, 'client' | 'team' | 'name' | 'redirect_uris' | 'scopes'>;

/**
 * Tells a person what to do, and a developer what is wrong and what to change. What is registered is shown to those who may
 * change it, `site`, and to nobody else. Never redirects to an address from the request (RFC 6749
 * section 4.1.2.1). As JSON for a client that accepts only JSON.
 */
export function sendErrorPage(
  problem: OAuthProblem,
  request: FastifyRequest,
  reply: FastifyReply,
  wording = signIn,
  site?: OwnSite,
): FastifyReply {
  if (wantsJson(request.headers.accept)) return sendOAuthProblem(problem, reply);
  return reply
    .code(problem.status)
    .headers({
      ...uncached,
      ...problem.headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy,
    })
    .send(errorPage(problem, wording, String(reply.getHeader(requestIdHeader)), site));
}

const wantsJson = (accept = ''): boolean => /\bjson\b/.test(accept) && !/html|\*\/\*/.test(accept);

const errorPage = (
  problem: OAuthProblem,
  wording: Wording,
  requestId: string,
  site: OwnSite | undefined,
): string => {
  const { code, message, status } = problem;
  return page({
    title: wording.title,
    shape: 'narrow',
    wrong: true,
    content: html`<p>${status >= 500 ? wording.ours : wording.theirs}</p>
      <section class="aside">
        <h2>For the people who run the site</h2>
        <p>${withoutRule(message)}</p>
        ${status >= 500 ? '' : changePart(problem, site)}
        <p>
          Error <a href="${errorsPath}#oauth-${code}"><code>${code}</code></a
          >, request <code>${requestId}</code>
        </p>
      </section>`,
  });
};

function changePart(problem: OAuthProblem, site: OwnSite | undefined): Html {
  const { parameter, change } = whatToChange(problem);
  if (change === '') return html``;
  const registered =
    parameter === 'redirect_uri' ? site?.redirect_uris : parameter === 'scope' ? site?.scopes : undefined;
  return html`<p>${when(parameter !== undefined, html`<code>${parameter ?? ''}</code>: `)}${change}</p>
    ${
      registered
        ? html`<p>Registered for ${site?.name ?? ''}:</p>
            <ul>
              ${registered.map((each) => html`<li><code>${each}</code></li>`)}
            </ul>`
        : ''
    }
    <p>
      ${
        site
          ? html`<a href="${ofTeam(`${paths.sites}/${site.client}`, site.team)}"
              >Change ${site.name} in the dashboard</a
            >`
          : html`Those who run the site change it in the dashboard, at
              <a href="${paths.sites}">Sign-in sites</a>. Signed in there, they see on this page what is
              registered.`
      }
    </p>`;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { pagePolicy, requestIdHeader } from '../http/security-headers.ts';
import { html } from '../pages/html.ts';
import { page } from '../pages/frame/page-frame.ts';
import { errorsPath } from '../http/responses/problem.ts';
import { sendOAuthProblem, uncached, withoutRule, type OAuthProblem } from './errors.ts';

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

/**
 * Tells a person what to do, and a developer what is wrong. Never redirects to an address from the request (RFC 6749
 * section 4.1.2.1). As JSON for a client that accepts only JSON.
 */
export function sendErrorPage(
  problem: OAuthProblem,
  request: FastifyRequest,
  reply: FastifyReply,
  wording = signIn,
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
    .send(errorPage(problem, wording, String(reply.getHeader(requestIdHeader))));
}

const wantsJson = (accept = ''): boolean => /\bjson\b/.test(accept) && !/html|\*\/\*/.test(accept);

const errorPage = ({ code, message, status }: OAuthProblem, wording: Wording, requestId: string): string =>
  page({
    title: wording.title,
    shape: 'narrow',
    wrong: true,
    content: html`<p>${status >= 500 ? wording.ours : wording.theirs}</p>
      <section class="aside">
        <h2>For the people who run the site</h2>
        <p>${withoutRule(message)}</p>
        <p>
          Error <a href="${errorsPath}#oauth-${code}"><code>${code}</code></a
          >, request <code>${requestId}</code>
        </p>
      </section>`,
  });

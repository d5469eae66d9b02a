import type { FastifyReply } from 'fastify';
import { pagePolicy } from '../http/security-headers.ts';
import { html } from './html.ts';
import { page } from './page-frame.ts';

/** Never 307, which would send a password on (RFC 9700 section 4.12). */
export function sendSeeOther(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).headers({ location, 'cache-control': 'no-store' }).send();
}

/**
 * Sends a browser on to a site from a form of ours. A redirect would not do: browsers hold a form to `form-action`
 * through every redirect that its answer leads to, and a site may redirect to others that nobody here knows
 * (brokers do, and a bare domain to its www). So the form ends at a page of ours, and the page moves on.
 */
export function sendRedirectPage(
  reply: FastifyReply,
  { to, site }: { readonly to: string; readonly site: string },
): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy,
    })
    .send(
      page({
        title: `Going back to ${site}`,
        movesOnTo: to,
        shape: 'narrow',
        content: html`<p>This takes a moment.</p>
          <p><a href="${to}">Go to ${site}</a> if nothing happens.</p>`,
      }),
    );
}

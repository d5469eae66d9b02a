import type { FastifyReply } from 'fastify';
import { pagePolicy } from '../http/security-headers.ts';
import { assets } from './assets/assets.ts';
import { contentSecurityPolicy, cspSourceOf } from './content-security-policy.ts';
import { hidden } from './controls.ts';
import { html } from './html.ts';
import { page } from './frame/page-frame.ts';

/** Never 307, which would resend a password (RFC 9700 section 4.12). */
export function sendSeeOther(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).header('location', location).send();
}

/** For good (RFC 9110 section 15.4.9), but to be asked again each time: a merge may be undone. */
export function sendMoved(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(308).headers({ location, 'cache-control': 'no-cache' }).send();
}

/**
 * Sends a browser from a form of ours to a site. A redirect is not enough: browsers apply `form-action` to every
 * redirect that follows a form, and a site may redirect to hosts that we do not know (brokers do, and a bare domain
 * to its www). So the form ends at a page of ours, and that page moves on.
 */
export function sendRedirectPage(
  reply: FastifyReply,
  { to, site }: { readonly to: string; readonly site: string },
): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy,
    })
    .send(
      page({
        title: `Going back to ${site}`,
        movesOnTo: to,
        shape: 'narrow',
        content: html`<p>This takes a moment.</p>
          <p><a href="${to}">Go to ${site}</a> at ${new URL(to).host} if nothing happens.</p>`,
      }),
    );
}

/**
 * Posts fields to a site from a page of ours (OAuth 2.0 Form Post Response Mode section 2). Its form may lead to that address
 * and nowhere else. Without JavaScript the person presses the button.
 */
export function sendFormPage(
  reply: FastifyReply,
  {
    to,
    site,
    fields,
  }: {
    readonly to: string;
    readonly site: string;
    readonly fields: readonly (readonly [name: string, value: string | undefined])[];
  },
): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy({
        script: true,
        formsTo: cspSourceOf(to) ?? "'none'",
      }),
    })
    .send(
      page({
        title: `Going back to ${site}`,
        shape: 'narrow',
        scripts: [assets.formPost],
        content: html`<p>Press the button if nothing happens.</p>
          <form method="post" action="${to}">
            ${fields.map(([name, value]) => (value === undefined ? '' : hidden(name, value)))}
            <button type="submit" class="primary">Go to ${site}</button>
          </form>
          <p class="quiet">It is at ${new URL(to).host}.</p>`,
      }),
    );
}

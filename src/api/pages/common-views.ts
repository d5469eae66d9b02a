import { html, type Html } from './html.ts';
import { signInPath } from './interaction.ts';
import { signInLink } from './layout.ts';
import { paths } from './paths.ts';
import type { View } from './page-context.ts';

/** A form from a page that is not good any more, or that was not ours. */
export const expiredFormView = (path: string): View => ({
  title: 'Please try again',
  status: 403,
  shape: 'narrow',
  content: html`<p>
      This page was open for too long, or you signed in or out in another window. Nothing was changed.
    </p>
    <p class="quiet">If this happens every time, allow cookies for this site in your browser.</p>
    <p><a class="button primary" href="${path.includes(':') ? paths.me : path}">Open the page again</a></p>`,
});

export const administratorsOnlyView = (): View => ({
  title: 'This page is for administrators',
  status: 403,
  content: html`<p>
      Your account cannot open this page. If you think it should, ask the people who run this service.
    </p>
    <p><a href="${paths.me}">Back to your account</a></p>`,
});

/** What somebody looked for is not there, or is not theirs to see. */
export const notFoundView = (
  sentence: string,
  back: { readonly to: string; readonly label: string },
): View => ({
  title: 'Not found',
  status: 404,
  content: html`<p>${sentence}</p>
    <p><a href="${back.to}">${back.label}</a></p>`,
});

/** A request of a site that cannot be gone on with. */
export const signInTookTooLongView = (): View => ({
  title: 'This sign-in took too long',
  status: 400,
  shape: 'narrow',
  content: html`<p>
      Go back to the site that sent you here and start again. Nothing was changed, and your account is not
      affected.
    </p>
    <p><a href="${signInPath}">Sign in to your account instead</a></p>`,
});

/** After a mail was asked for, whatever came of it. `otherwise`: what else to do when there is none. */
export const checkInboxView = (query: string, sent: string, otherwise: Html): View => ({
  title: 'Check your inbox',
  shape: 'narrow',
  content: html`<p>${sent}</p>
    <p class="quiet">No email after a few minutes? Look in your spam folder, or ${otherwise}.</p>
    <ul class="ways">
      <li>${signInLink(query)}</li>
    </ul>`,
});

/** A link out of a mail that is not good. */
export const invalidLinkView = (query: string): View => ({
  title: 'This link no longer works',
  status: 400,
  shape: 'narrow',
  content: html`<p>
      It was already used, it has expired, or part of it is missing. Some mail programs break long links: copy
      the whole link.
    </p>
    <ul class="ways">
      <li>Already confirmed your address? <a href="${signInPath}${query}">Sign in</a></li>
      <li>Need a new link? <a href="${paths.reset}${query}">Choose a new password</a></li>
    </ul>`,
});

/** Something did not work that is nobody's mistake, or cannot be said better. */
export const faultView = (status: number, sentence: string): View => ({
  title: status >= 500 ? 'This does not work at the moment' : 'This cannot be done',
  status,
  shape: 'narrow',
  content: html`<p>${sentence}</p>
    <p><a href="${paths.me}">Go to your account</a></p>`,
});

import { assets } from './assets.ts';
import { html, type Html } from './html.ts';

/** What stands on a page, and how it is framed. */
export interface Framed {
  readonly title: string;
  readonly content: Html;
  /** `narrow`: one thing to do, nothing beside it. Default: wide. */
  readonly shape?: 'narrow' | 'wide';
  /** It tells what went wrong, and its title in the window says so. */
  readonly wrong?: boolean;
  /** Beside our name, at the top. */
  readonly menu?: Html;
  /** An address to which the browser goes on by itself, at once. */
  readonly movesOnTo?: string;
  /** A script of ours that it runs. */
  readonly script?: string;
}

/** A whole page; every page of ours is framed by this, whoever answers it. */
export const page = ({
  title,
  content,
  shape = 'wide',
  wrong = false,
  menu,
  movesOnTo,
  script,
}: Framed): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${movesOnTo === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${movesOnTo}" />`}
        <title>${wrong ? 'Error: ' : ''}${title}${title === name ? '' : ` · ${name}`}</title>
        <link rel="icon" type="image/svg+xml" href="${assets.icon}" />
        <link rel="stylesheet" href="${assets.style}" />
        ${script === undefined ? '' : html`<script src="${script}" defer></script>`}
      </head>
      <body class="${shape}">
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/">${mark} ${name}</a>
          ${menu ?? ''}
        </header>
        <main id="main">
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.text;

export const name = 'Commonweal';

/** Three people around a table, seen from above. */
export const mark = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
  <circle cx="12" cy="12" r="4.5" fill="none" stroke="currentColor" stroke-width="2" />
  <circle cx="12" cy="3.5" r="2.5" fill="currentColor" />
  <circle cx="4.6" cy="16.3" r="2.5" fill="currentColor" />
  <circle cx="19.4" cy="16.3" r="2.5" fill="currentColor" />
</svg>`;

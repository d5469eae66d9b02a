import { assets } from '../assets/assets.ts';
import { html, type Html } from '../html.ts';

/** The content of a page, and how it is framed. */
export interface Framed {
  readonly title: string;
  readonly content: Html;
  /** `narrow`: for a page with a single task. Default: wide. */
  readonly shape?: 'narrow' | 'wide';
  /** The page reports an error. The title of the window says so. */
  readonly wrong?: boolean;
  /** Beside our name at the top. */
  readonly top?: Html;
  /** The navigation beside the content. Hidden on a phone until it is asked for. */
  readonly menu?: Html;
  /** An address to which the browser continues at once. */
  readonly movesOnTo?: string;
  /**
   * The scripts that the page loads. They run before it is shown, where the browser can wait: what they change, such as
   * times in the reader's zone, moves nothing that somebody has begun to read.
   */
  readonly scripts?: readonly string[];
  /** The language of the page (BCP 47). Default: en. */
  readonly language?: string;
  /** What the window shows in place of the title. */
  readonly windowTitle?: string;
  /** The words of the link that leads past the header. */
  readonly skip?: string;
  /** Further elements of the head, such as a second style sheet. */
  readonly head?: Html;
  /** Between the header and the content. */
  readonly banner?: Html;
  readonly footer?: Html;
}

/** The frame of all our pages. */
export const page = ({
  title,
  content,
  shape = 'wide',
  wrong = false,
  top,
  menu,
  movesOnTo,
  scripts = [],
  language = 'en',
  windowTitle = title,
  skip = 'Skip to the content',
  head,
  banner,
  footer,
}: Framed): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${movesOnTo === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${movesOnTo}" />`}
        <title>${wrong ? 'Error: ' : ''}${windowTitle}${title === name ? '' : ` · ${name}`}</title>
        <link rel="icon" type="image/svg+xml" href="${assets.icon}" />
        <link rel="stylesheet" href="${assets.style}" />
        ${scripts.map((each) => html`<script src="${each}" defer blocking="render"></script>`)} ${head ?? ''}
      </head>
      <body class="${shape}${menu === undefined ? '' : ' dash'}">
        <a class="skip" href="#main">${skip}</a>
        <header>
          <a class="brand" href="/">${mark} ${name}</a>
          ${top ?? ''}
        </header>
        ${menu ?? ''}${banner ?? ''}
        <main id="main">
          <h1>${title}</h1>
          ${content}
        </main>
        ${footer ?? ''}
      </body>
    </html>`.text;

export const name = 'Commonweal';

/** The logo: three people around a table, seen from above. */
export const mark = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
  <circle cx="12" cy="12" r="4.5" fill="none" stroke="currentColor" stroke-width="2" />
  <circle cx="12" cy="3.5" r="2.5" fill="currentColor" />
  <circle cx="4.6" cy="16.3" r="2.5" fill="currentColor" />
  <circle cx="19.4" cy="16.3" r="2.5" fill="currentColor" />
</svg>`;

import type { Category } from '../../../events/directory/category.ts';
import type { Config } from '../../../config.ts';
import { defined } from '../../../ground/defined.ts';
import { assets } from '../assets/assets.ts';
import { html, type Html } from '../html.ts';
import { signInPath } from '../interaction.ts';
import { page } from './page-frame.ts';
import { docsPath } from '../paths.ts';
import { textsIn } from './texts.ts';
import { languages, type Language } from './language.ts';
import { linkedNumbers } from './phone-links.ts';
import { viaParameter, type PublicContext, type PublicView } from './public-page.ts';

export type FrameSettings = Pick<Config, 'authUrl' | 'crisisText' | 'quickExit'>;

/** Categories whose pages name numbers to call in an emergency. */
const urgent: readonly Category[] = ['emergency', 'mental'];
/** Categories that can put somebody in danger who is seen reading about them. */
const sensitive: readonly Category[] = ['emergency', 'mental', 'housing', 'legal'];

type Around = Pick<PublicContext, 'language' | 'texts' | 'query' | 'base'>;

/** A whole public page around a view. */
export function publicPage(view: PublicView, around: Around, settings: FrameSettings): string {
  const { texts, language } = around;
  const about = view.about ?? [];
  return page({
    title: view.title,
    ...defined({ windowTitle: view.windowTitle }),
    content: view.content,
    language,
    skip: texts.frame.skip,
    head: html`<link rel="stylesheet" href="${assets.people}" /> ${[
        assets.enhancements,
        ...(view.scripts ?? []),
      ].map((script) => html`<script src="${script}" defer></script>`)}
      ${described(view, around)} ${view.head ?? ''}`,
    top: html`<nav aria-label="${texts.frame.menu}">${languageSwitch(around)}</nav>
      ${view.danger === true || about.some((each) => sensitive.includes(each)) ? exit(around, settings) : ''}`,
    ...(view.danger === true || about.some((each) => urgent.includes(each))
      ? { banner: crisisLine(around, settings, view.danger === true) }
      : {}),
    footer: footer(around, settings),
  });
}

/** For search engines and previews: what the page is about, its address, and the same in other languages. */
function described(
  { title, windowTitle = title, description, canonical }: PublicView,
  { base, query, language }: Around,
): Html {
  if (canonical === undefined) return html`<meta name="robots" content="noindex, follow" />`;
  // Each language is an address of its own, which names itself; the plain one follows the browser.
  const own = query.has('lang') ? inLanguage(canonical, language) : canonical;
  return html`<link rel="canonical" href="${base}${own}" />
    ${languages.map(
      (each) =>
        html`<link rel="alternate" hreflang="${each}" href="${base}${inLanguage(canonical, each)}" />`,
    )}
    <link rel="alternate" hreflang="x-default" href="${base}${canonical}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${windowTitle}" />
    <meta property="og:url" content="${base}${own}" />
    ${
      description === undefined
        ? ''
        : html`<meta name="description" content="${description}" />
            <meta property="og:description" content="${description}" />`
    }`;
}

/** An address of ours, in a language. */
export const inLanguage = (address: string, language: Language): string =>
  `${address}${address.includes('?') ? '&' : '?'}lang=${language}`;

/** The same page in the other languages: what was searched for stays. */
function languageSwitch({ query, language }: Around): Html {
  const others = languages.filter((each) => each !== language);
  return html`<ul class="languages">
    ${others.map((each) => {
      const parameters = new URLSearchParams(query);
      parameters.delete(viaParameter);
      parameters.set('lang', each);
      return html`<li>
        <a href="?${parameters.toString()}" lang="${each}" hreflang="${each}">${textsIn(each).language}</a>
      </li>`;
    })}
  </ul>`;
}

/** Works as a link; with JavaScript it also leaves no entry in the history of the window. */
const exit = ({ texts }: Around, { quickExit }: FrameSettings): Html | '' =>
  quickExit === 'off'
    ? ''
    : html`<a class="exit" href="${quickExit}" rel="noreferrer nofollow">${texts.frame.exit}</a>`;

/** A line with the numbers; a box that says when to call them where somebody may be in danger. */
function crisisLine({ texts, language }: Around, { crisisText }: FrameSettings, danger: boolean): Html {
  const { crisis, crisisShort, crisisLabel } = texts.frame;
  const text = crisisText.get(language) ?? (danger ? crisis : crisisShort);
  return text === 'off'
    ? html``
    : html`<aside class="crisis ${danger ? 'box' : 'line'}" aria-label="${crisisLabel}">
        <p>${linkedNumbers(text)}</p>
      </aside>`;
}

const footer = ({ texts }: Around, { authUrl = '' }: FrameSettings): Html =>
  html`<footer>
    <nav aria-label="${texts.frame.more}">
      <ul>
        <li><a href="${docsPath}" hreflang="en">${texts.frame.developers}</a></li>
        <li><a href="${authUrl}${signInPath}" hreflang="en" rel="nofollow">${texts.frame.signIn}</a></li>
      </ul>
    </nav>
  </footer>`;

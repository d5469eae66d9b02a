import { html, type Html } from '../html.ts';

/**
 * A part of a page that is fetched again every two seconds until its content no longer says `data-busy`. `from` answers
 * the content alone. Without a script, a link loads the page again.
 */
export const live = ({
  from,
  page,
  content,
  busy,
}: {
  readonly from: string;
  /** The address of the page. */
  readonly page: string;
  readonly content: Html;
  readonly busy: boolean;
}): Html =>
  html`<div class="live" aria-live="polite" ${busy ? html`data-live="${from}"` : ''}>${content}</div>
    ${
      busy
        ? html`<noscript
            ><p><a href="${page}">Look again</a></p></noscript
          >`
        : ''
    }`;

/** How far something is. `share`: 0 to 1; undefined while it is not known. */
export const progressBar = ({
  label,
  share,
  sentence,
}: {
  readonly label: string;
  readonly share: number | undefined;
  /** Numbers, rate and time left, in words. */
  readonly sentence: string;
}): Html =>
  html`<div class="progress">
    <progress
      max="100"
      ${share === undefined ? '' : html`value="${Math.round(share * 100)}"`}
      aria-label="${label}"
    ></progress>
    <p class="quiet small">${sentence}</p>
  </div>`;

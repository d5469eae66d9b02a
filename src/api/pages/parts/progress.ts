import { html, type Html } from '../html.ts';

/**
 * A part of a page that is fetched again every two seconds until its content no longer says so (`busy`). The page is then
 * loaded again. Without a script, a link does that. It holds nothing to press or to type: that would be lost.
 */
export const live = ({
  from,
  page,
  content,
  busy,
}: {
  /** The address that answers the content alone, as a `Fragment`. */
  readonly from: string;
  /** The address of the page. */
  readonly page: string;
  readonly content: Html;
  readonly busy: boolean;
}): Html =>
  busy
    ? html`<div class="live" data-live="${from}">${content}</div>
        <p class="unseen" role="status"></p>
        <noscript
          ><p><a href="${page}">Look again</a></p></noscript
        >`
    : html`<div class="live">${content}</div>`;

/**
 * The content of a live part while the work goes on. `announced`: what a screen reader says when it has changed. Numbers that
 * change with each look would be said all the time: round them.
 */
export const busy = ({ announced, content }: { readonly announced: string; readonly content: Html }): Html =>
  html`<div data-busy="${announced}">${content}</div>`;

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

/** How long something still takes, in the unit that people would use. */
export function timeLeft(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s left`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min left`;
  return `${Math.round(seconds / 3_600)} h left`;
}

import { html, type Html } from '../html.ts';
import { ofTeam } from '../paths.ts';

/** The fields that narrow a list down. They are part of the address, so a narrowed list can be bookmarked. */
export const filterBar = ({
  action,
  team,
  fields,
  button = 'Filter',
  label,
}: {
  readonly action: string;
  /** The team that the page shows. */
  readonly team?: string;
  readonly fields: Html | readonly Html[];
  readonly button?: string;
  /** What is narrowed down, for a screen reader. */
  readonly label: string;
}): Html =>
  html`<form
    method="get"
    action="${team === undefined ? action : ofTeam(action, team)}"
    class="filters"
    role="search"
    aria-label="${label}"
  >
    ${fields}
    <button type="submit" class="secondary">${button}</button>
  </form>`;

/** The way to further pages of a list. Nothing when all of it is shown. Addresses of pages, or undefined. */
export const pager = ({
  first,
  next,
}: {
  readonly first?: string | undefined;
  readonly next?: string | undefined;
}): Html =>
  first === undefined && next === undefined
    ? html``
    : html`<nav class="pager" aria-label="Pages of the list">
        ${first === undefined ? '' : html`<a class="button secondary" href="${first}">Back to the first</a>`}
        ${next === undefined ? '' : html`<a class="button secondary" rel="next" href="${next}">Show more</a>`}
      </nav>`;

/** The pages of one thing. `here`: the address of the one that is shown. */
export const tabs = ({
  label,
  here,
  entries,
}: {
  readonly label: string;
  readonly here: string;
  readonly entries: readonly { readonly to: string; readonly label: string }[];
}): Html =>
  html`<nav class="tabs" aria-label="${label}">
    <ul>
      ${entries.map(
        (each) =>
          html`<li>
            <a href="${each.to}" ${each.to === here ? html`aria-current="page"` : ''}>${each.label}</a>
          </li>`,
      )}
    </ul>
  </nav>`;

/** What stands in place of a list without entries. `next`: what to do. */
export const empty = (sentence: string, next?: Html): Html =>
  html`<div class="card quiet empty">
    <p>${sentence}</p>
    ${next ?? ''}
  </div>`;

import { html, type Html } from '../html.ts';
import { ofTeam } from '../paths.ts';

/** The fields that narrow a list down. They are part of the address, so a narrowed list can be bookmarked. */
export const filterBar = ({
  action,
  team,
  fields,
  button = 'Filter',
  label,
  folded,
}: {
  readonly action: string;
  /** The team that the page shows. */
  readonly team?: string;
  readonly fields: Html | readonly Html[];
  readonly button?: string;
  /** What is narrowed down, for a screen reader. */
  readonly label: string;
  /** What stands in their place on a phone, where many fields would fill the screen, until it is opened. */
  readonly folded?: string;
}): Html => {
  const controls = html`${fields}<button type="submit" class="secondary">${button}</button>`;
  return html`<form
    method="get"
    action="${team === undefined ? action : ofTeam(action, team)}"
    class="${folded === undefined ? 'filters' : 'folded'}"
    role="search"
    aria-label="${label}"
  >
    ${
      folded === undefined
        ? controls
        : html`<details>
            <summary>${folded}</summary>
            <div class="filters">${controls}</div>
          </details>`
    }
  </form>`;
};

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

/** The ways to all pages of a list, by their numbers: the first, the last, and those around the one that is shown. */
export const numberedPages = ({
  page,
  pages,
  to,
}: {
  readonly page: number;
  readonly pages: number;
  /** The address of a page. */
  readonly to: (page: number) => string;
}): Html =>
  pages <= 1
    ? html``
    : html`<nav class="pages" aria-label="Pages of the list">
        ${page > 1 ? html`<a rel="prev" href="${to(page - 1)}">Previous</a>` : ''}
        <ul>
          ${aroundPage(page, pages).map((each) =>
            each === undefined
              ? html`<li class="gap" aria-hidden="true">…</li>`
              : html`<li>
                  <a
                    href="${to(each)}"
                    aria-label="Page ${each}"
                    ${each === page ? html`aria-current="page"` : ''}
                    >${each}</a
                  >
                </li>`,
          )}
        </ul>
        ${page < pages ? html`<a rel="next" href="${to(page + 1)}">Next</a>` : ''}
      </nav>`;

/** Undefined: some are left out. */
function aroundPage(page: number, pages: number): (number | undefined)[] {
  const near = [1, 2, 3, page - 1, page, page + 1, pages];
  const shown = [...new Set(near)]
    .filter((each) => each >= 1 && each <= pages)
    .sort((one, other) => one - other);
  return shown.flatMap((each, index) => (each - (shown[index - 1] ?? 0) > 1 ? [undefined, each] : [each]));
}

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

import { when } from '../controls.ts';
import { html, type Html } from '../html.ts';

export interface Column {
  /** Empty: a column of buttons or links, without a heading that is seen. */
  readonly label: string;
  /** Numbers stand to the right. */
  readonly numbers?: true;
  /** Where the table is sorted by this column, and how it is sorted by it now, if it is. */
  readonly sort?: { readonly to: string; readonly now?: 'ascending' | 'descending' | undefined };
}

interface Table {
  /** What the table shows, for people who cannot see where it stands. */
  readonly caption: string;
  readonly columns: readonly Column[];
  /** One cell for each column. */
  readonly rows: readonly (readonly (Html | string | number)[])[];
  /** Which column names the row. Default: the first. */
  readonly names?: number;
  /** A box to tick, for each row. */
  readonly ticks?: readonly Html[];
}

/** Rows and columns. On a phone each row becomes a block in which every cell says the name of its column. */
export const table = ({ caption, columns, rows, names = 0, ticks }: Table): Html =>
  html`<table class="list">
    <caption class="unseen">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${when(ticks !== undefined, html`<th scope="col"><span class="unseen">Ticked</span></th>`)}
        ${columns.map(
          ({ label, numbers, sort }) =>
            html`<th
              scope="col"
              ${when(numbers, html`class="numbers"`)}
              ${sort?.now === undefined ? '' : html`aria-sort="${sort.now}"`}
            >
              ${
                label === ''
                  ? html`<span class="unseen">Actions</span>`
                  : sort === undefined
                    ? label
                    : html`<a class="sort" href="${sort.to}">${label}</a>`
              }
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells, row) =>
          html`<tr>
            ${ticks === undefined ? '' : html`<td class="tick">${ticks[row] ?? ''}</td>`}
            ${cells.map((cell, index) => cellOf(cell, columns[index], index === names))}
          </tr>`,
      )}
    </tbody>
  </table>`;

function cellOf(cell: Html | string | number, column: Column | undefined, names: boolean): Html {
  const label = column?.label ?? '';
  const numbers = when(column?.numbers, html`class="numbers"`);
  return names
    ? html`<th scope="row" ${numbers}>${cell}</th>`
    : label === ''
      ? html`<td class="does">${cell}</td>`
      : // One element, because on a phone the cell is a grid of its label and its content.
        html`<td ${numbers} data-label="${label}">${cell === '' ? '' : html`<div>${cell}</div>`}</td>`;
}

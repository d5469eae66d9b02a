import { when } from '../controls.ts';
import { html, type Html } from '../html.ts';

export interface Column {
  /** Empty: a column of buttons or links, without a heading that is seen. */
  readonly label: string;
  /** Numbers stand to the right. */
  readonly numbers?: true;
}

interface Table {
  /** What the table shows, for people who cannot see where it stands. */
  readonly caption: string;
  readonly columns: readonly Column[];
  /** One cell for each column. The first names the row. */
  readonly rows: readonly (readonly (Html | string | number)[])[];
}

/** Rows and columns. On a phone each row becomes a block in which every cell says the name of its column. */
export const table = ({ caption, columns, rows }: Table): Html =>
  html`<table class="list">
    <caption class="unseen">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map(
          ({ label, numbers }) =>
            html`<th scope="col" ${when(numbers, html`class="numbers"`)}>
              ${label === '' ? html`<span class="unseen">Actions</span>` : label}
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, index) => cellOf(cell, columns[index], index === 0))}
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
        html`<td ${numbers} data-label="${label}"><div>${cell}</div></td>`;
}

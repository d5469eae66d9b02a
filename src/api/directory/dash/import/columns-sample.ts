import type { SheetSample } from '../../../../imports/sheet-columns.ts';
import { notice } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { facts, written } from '../../../pages/parts/facts.ts';
import { fieldTexts } from '../record/field-texts.ts';
import { phoneLine } from '../record/phone-lines.ts';
import { en } from './columns-texts.ts';

/** The first services of a spreadsheet, as they will be. */
export const sampleView = ({ records, complaints, problem }: SheetSample): Html =>
  html`<section class="card">
      <h2>${en.first}</h2>
      ${records.length === 0 && problem === undefined ? notice(en.none, 'plain') : ''}
      ${records.map(
        ({ fields: { contacts = [], verified_by: _, ...fields }, line, status }) =>
          html`<h3>${fields.name} <span class="quiet small">${en.row(line)}</span></h3>
            ${status === 'inactive' ? html`<p>${en.inactive}</p>` : ''}
            ${facts([
              ...fieldTexts(fields).map(({ label, text }) => [label, written(text)] as const),
              [
                en.contacts,
                contacts.length === 0 ? undefined : written(contacts.map(contactWords).join('\n')),
              ],
            ])}`,
      )}
    </section>
    ${
      complaints.length === 0
        ? ''
        : html`<section class="card">
            <h2>${en.complaints}</h2>
            <ul>
              ${complaints.map(({ line, reason }) => html`<li>${en.row(line)}: ${reason}</li>`)}
            </ul>
          </section>`
    }`;

type Contact = NonNullable<SheetSample['records'][number]['fields']['contacts']>[number];

const contactWords = ({ name, title, department, email, phones = [] }: Contact): string =>
  [name, title, department, email, ...phones.map(phoneLine)].filter(Boolean).join(', ');

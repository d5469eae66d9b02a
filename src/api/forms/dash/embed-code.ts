import { longest } from '../../../events/forms/answers.ts';
import type { FormField } from '../../../events/forms/definition.ts';
import type { FormDocument } from '../../../projections/forms.ts';
import { textsIn } from '../../pages/frame/texts.ts';
import { html, type Html } from '../../pages/html.ts';
import { copyableLines } from '../../pages/parts/show-once.ts';
import { ownNames } from '../form-input.ts';
import { en } from './texts.ts';

const texts = en.embed;

/**
 * The form as HTML for a page of the team's own site. Our pages are shown in no frame (docs/security.md), so it is a form
 * that posts to us, which needs no script.
 */
export function embedCode({ definition, version }: FormDocument, address: string): string {
  const [language = 'en'] = definition.languages;
  const fields = definition.fields.map((field) => codeOf(field, language));
  const { form } = textsIn('en');
  return `<form method="post" action="${escaped(address)}">
  <input type="hidden" name="${ownNames.version}" value="${version}">
${fields.map((each) => `${each}\n`).join('')}  <p hidden><label>${escaped(form.trap)} <input name="${ownNames.trap}" tabindex="-1" autocomplete="off"></label></p>
  <button>${escaped(form.send)}</button>
</form>`;
}

const inputTypes = { text: 'text', email: 'email', phone: 'tel', number: 'text', date: 'date' } as const;

function codeOf(field: FormField, language: string): string {
  const { key, kind, required, options = [], several = false } = field;
  const label = escaped(field.label[language] ?? key);
  const must = required ? ' required' : '';
  if (kind === 'checkbox')
    return `  <p><label><input type="checkbox" name="${key}" value="yes"${must}> ${label}</label></p>`;
  if (kind === 'choice') {
    const type = several ? 'checkbox' : 'radio';
    const each = options.map(
      (option) =>
        `    <label><input type="${type}" name="${key}" value="${option.key}"${several ? '' : must}> ${escaped(option.label[language] ?? option.key)}</label>`,
    );
    return `  <fieldset>\n    <legend>${label}</legend>\n${each.join('\n')}\n  </fieldset>`;
  }
  const control =
    kind === 'long_text'
      ? `<textarea name="${key}" rows="5" maxlength="${longest.long_text}"${must}></textarea>`
      : `<input type="${inputTypes[kind]}" name="${key}"${must}>`;
  return `  <p><label>${label}<br>${control}</label></p>`;
}

/** HTML section 13.3, of text and of attributes in double quotation marks. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The code to copy, and from which sites it works. */
export const embedCard = (doc: FormDocument, address: string): Html =>
  html`<section class="card" aria-labelledby="embed">
    <h2 id="embed">${texts.title}</h2>
    ${
      doc.definition.allowed_origins.length === 0
        ? html`<p>${texts.noSites}</p>`
        : html`<p>${texts.lead(doc.definition.allowed_origins.join(', '))}</p>`
    }
    <details>
      <summary>${texts.show}</summary>
      ${copyableLines(embedCode(doc, address), texts.title)}
    </details>
  </section>`;

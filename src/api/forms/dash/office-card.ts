import { officeAddressOf } from '../../../actions/forms-office.ts';
import type { FormDocument } from '../../../projections/forms.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, checkbox, field, form, hidden, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { TeamPageContext } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { ofTeam } from '../../pages/paths.ts';
import { settingsPath } from './form-authority.ts';
import { en } from './texts.ts';

const texts = en.office;

/** The address outside of the team. Nothing where no mails are sent. */
export async function officeCard(
  dependencies: PageDependencies,
  { team: { team }, formToken, form: typed }: TeamPageContext,
  doc: FormDocument,
  problems: Problems,
): Promise<Html | ''> {
  const address = await officeAddressOf(dependencies, doc);
  if (address === undefined && dependencies.config.smtpUrl === undefined) return '';
  const path = `${settingsPath(doc.slug)}/office`;
  return html`<section class="card">
    <h2>${texts.heading}</h2>
    ${
      address === undefined
        ? form({
            action: ofTeam(path, team),
            token: formToken,
            label: texts.heading,
            content: html`${hidden('team', team)}
            ${field({
              name: 'address',
              label: texts.address,
              type: 'email',
              hint: texts.hint,
              value: typed.get('address') ?? '',
              autocomplete: 'off',
              error: problems['address'],
            })}
            ${checkbox({
              name: 'office-content',
              label: texts.content,
              ticked: typed.get('office-content') === 'yes',
            })}
            ${button(texts.name, { weight: 'secondary' })}`,
          })
        : html`<p>
              ${doc.office?.since === undefined ? texts.waiting(address) : texts.confirmed(address)}
              ${doc.office?.content === true ? texts.withContent : ''}
            </p>
            ${ask({
              label: texts.remove,
              of: address,
              sentence: texts.removeSentence,
              action: ofTeam(`${path}/remove`, team),
              token: formToken,
              fields: hidden('team', team),
            })}`
    }
  </section>`;
}

import { html, type Html } from '../../pages/html.ts';
import { time } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { table } from '../../pages/parts/table.ts';
import { withoutRule } from '../errors.ts';
import { en } from './texts.ts';

const texts = en.refusals;

/** What was refused to a site of late, and why. */
export async function refusalsSection({ refusals }: PageDependencies, client: string): Promise<Html> {
  const recent = await refusals.of(client);
  const { columns } = texts;
  return html`<section class="card" id="errors">
    <h2>${texts.title}</h2>
    ${
      recent.length === 0
        ? html`<p class="quiet">${texts.none}</p>`
        : html`<p class="quiet">${texts.lead}</p>
            ${table({
              caption: texts.title,
              columns: [
                { label: columns.at },
                { label: columns.code },
                { label: columns.rule },
                { label: columns.address },
              ],
              rows: recent.map(({ at, code, rule, redirect_uri }) => [
                time(at, 'minute'),
                html`<code class="whole">${code}</code>`,
                withoutRule(rule),
                html`<span class="host">${redirect_uri ?? '–'}</span>`,
              ]),
            })}`
    }
  </section>`;
}

import { fieldsIn } from '../../../projections/directory/document-fields.ts';
import type { ResourceDocument } from '../../../projections/directory/resources.ts';
import type { DefaultZones } from '../../../places/hours-zone.ts';
import { withHoursZone } from '../default-zones.ts';
import { badge } from '../../pages/parts/badge.ts';
import { html, type Html } from '../../pages/html.ts';
import { textsIn, type Texts } from '../../pages/frame/texts.ts';
import { recordContent } from '../pages/record-view.ts';
import { en } from './texts.ts';

/** A record as everybody sees it, or would see it. `zones`: of records that do not tell theirs. */
export function recordAsSeen(doc: ResourceDocument, now: Date, label: string, zones: DefaultZones): Html {
  const fields = withHoursZone(fieldsIn(doc, 'developer'), doc.team, zones);
  return html`<article class="card record" aria-label="${label}">
    <p class="quiet small">${label}</p>
    <h2>${fields.name}</h2>
    ${recordContent(fields, now, textsIn('en'), 'en')}
  </article>`;
}

/** The name of a record as it is shown. */
export const nameOf = ({ card }: Pick<ResourceDocument, 'card'>): string =>
  (JSON.parse(`{${card}}`) as { readonly name: string }).name;

/** The status of a record in one word. */
export const statusBadge = (status: ResourceDocument['status']): Html =>
  badge(en.statuses[status], status === 'approved' ? 'good' : status === 'rejected' ? 'bad' : 'plain');

/** The name of a kind of help. */
export const categoryName = (category: string): string =>
  textsIn('en').categories[category as keyof Texts['categories']].label;

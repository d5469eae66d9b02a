import { callablePhone, mainLocation } from '../../../../events/directory/flat-members.ts';
import type { Location } from '../../../../events/directory/location.ts';
import type { UnsealedFields } from '../../../../events/directory/resource-fields.ts';
import { html, type Html } from '../../../pages/html.ts';
import { inLanguage } from '../../../pages/frame/public-frame.ts';
import type { Language } from '../../../pages/frame/language.ts';
import { hoursLine } from '../hours-line.ts';
import { phoneLink } from '../../../pages/frame/phone-links.ts';
import { addressLines } from '../places.ts';
import { openedFrom } from '../record-view.ts';
import { shortened } from '../shortened.ts';
import type { Texts } from '../../../pages/frame/texts.ts';
import { awayInWords, type Unit } from './distance-units.ts';

/** A record that a search found. */
export interface Result {
  readonly svcId: string;
  readonly fields: UnsealedFields;
  readonly distanceKm?: number;
  /** The distance is that of a postal code or a town. */
  readonly approximate?: true;
  /** The location that the distance is of. */
  readonly location?: Location;
}

/** What a list of results is shown with. */
export interface ResultSetting {
  readonly texts: Texts;
  readonly now: Date;
  readonly unit: Unit;
  /** The language that links keep. */
  readonly lang: Language | undefined;
  /** What links say of the search, see `SearchCounting`. */
  readonly via: string | undefined;
}

const longestDescription = 160;
const longestAlert = 120;
const longestHours = 120;

/** A result: enough to choose, to call and to go there. */
export function resultItem(
  { svcId, fields, distanceKm, approximate, location }: Result,
  { texts, now, unit, lang, via }: ResultSetting,
): Html {
  const { name, organization, category, description, alert, free } = fields;
  const page = openedFrom(svcId, via);
  const place = location ?? mainLocation(fields);
  const where = [
    ...(place === undefined ? [] : addressLines(place)),
    ...(distanceKm === undefined ? [] : [awayInWords(distanceKm, approximate === true, unit, texts)]),
  ];
  return html`<li class="result">
    <h3><a href="${lang === undefined ? page : inLanguage(page, lang)}">${name}</a></h3>
    <p class="quiet">
      ${organization === undefined || organization.name === name ? '' : html`${organization.name} · `}${texts.categories[category].label}${free === true ? html` <span class="badge good">${texts.record.free}</span>` : ''}
    </p>
    ${hoursLine(fields, now, texts, longestHours)}
    ${alert === undefined ? '' : html`<p class="alert">${texts.record.alert}: ${shortened(alert, longestAlert)}</p>`}
    ${description === undefined ? '' : html`<p>${shortened(description, longestDescription)}</p>`}
    ${where.length === 0 ? '' : html`<p class="quiet">${where.join(' · ')}</p>`} ${phone(fields, texts)}
  </li>`;
}

function phone(fields: UnsealedFields, { record }: Texts): Html | '' {
  const found = callablePhone(fields)?.phone;
  const link = found && phoneLink(found);
  if (found === undefined || link === undefined) return '';
  const { number, extension } = found;
  const written = extension === undefined ? number : `${number}, ${record.extension({ extension })}`;
  return html`<p>
    <a class="call" href="${link}"
      >${record.call({ number: written })}<span class="unseen">, ${fields.name}</span></a
    >
  </p>`;
}

import { shownHours } from '../../../events/directory/flat-members.ts';
import type { Location } from '../../../events/directory/location.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Language } from '../../pages/frame/language.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { hoursInWords, rulesInWords, wordsBeside } from './hours-words.ts';
import { phoneList } from './phones.ts';

/** Every location: where it is, how to get there, and what is particular to it. */
export const placeList = (
  fields: Pick<UnsealedFields, 'hours' | 'locations'>,
  texts: Texts,
  language: Language,
): Html =>
  html`${(fields.locations ?? []).map((location) => place(location, shownHours(fields), texts, language))}`;

function place(location: Location, hoursOfService: string | undefined, all: Texts, language: Language): Html {
  const texts = all.record;
  const { name, accessibility, transportation, phones = [], virtual, confidential } = location;
  const lines = addressLines(location);
  return html`<div class="place">
    ${name === undefined ? '' : html`<h3>${name}</h3>`} ${virtual ? html`<p>${texts.virtual}</p>` : ''}
    ${
      lines.length === 0
        ? ''
        : html`<address>
            ${lines.map((line, index) => html`${index === 0 ? '' : html`<br />`}${line}`)}
          </address>`
    }
    ${confidential ? html`<p>${texts.confidential}</p>` : ways(location, texts)}
    ${phoneList(phones, texts, language)} ${hoursHere(location, hoursOfService, all)}
    ${transportation === undefined ? '' : fact(texts.gettingThere, transportation)}
    ${accessibility === undefined ? '' : fact(texts.accessibility, accessibility)}
  </div>`;
}

/** The rules in the language of the page, and below them what the source wrote, if that is more. */
function hoursHere(
  { hours, opening_hours = [] }: Location,
  ofService: string | undefined,
  all: Texts,
): Html | '' {
  if (hours !== undefined && hours === ofService) return '';
  const words = [
    rulesInWords(opening_hours, all),
    hoursInWords(wordsBeside(hours ?? '', opening_hours), all),
  ];
  const lines = words.filter((each) => each !== '').join('\n');
  return lines === '' ? '' : fact(all.record.hours, lines);
}

const fact = (label: string, text: string): Html =>
  html`<p class="written"><strong>${label}</strong><br />${text}</p>`;

/** Street; then city, region and postal code in one line. */
export function addressLines({ street, city, region, postal_code }: Location): string[] {
  const area = [region, postal_code].filter((part) => part !== undefined).join(' ');
  const town = [city, area].filter((part) => part !== undefined && part !== '').join(', ');
  return [street, town].filter((line): line is string => line !== undefined && line !== '');
}

/**
 * A link to the way there, and one to a map in the browser. The way is shown in the browser, which every device has; with
 * JavaScript, Android opens its app for maps (RFC 5870), which iPhones do not know, and Apple's devices open theirs.
 */
function ways(location: Location, texts: Texts['record']): Html | '' {
  const links = mapLinks(location);
  if (!links) return '';
  const where = html`<span class="unseen"> ${texts.directionsTo({ place: links.label })}</span>`;
  return html`<p class="ways-there unprinted">
    <a
      class="directions"
      href="${links.way}"
      data-android="${links.android}"
      data-apple="${links.apple}"
      rel="noreferrer"
      >${texts.directions}${where}</a
    >
    <a href="${links.browser}" rel="noreferrer">${texts.map}<span class="unseen">: ${links.label}</span></a>
  </p>`;
}

interface MapLinks {
  readonly way: string;
  readonly android: string;
  readonly apple: string;
  readonly browser: string;
  readonly label: string;
}

/** Undefined for a location that nobody can go to, or that is not public. */
export function mapLinks(location: Location): MapLinks | undefined {
  const { latitude, longitude, street, name, virtual, confidential } = location;
  if (virtual || confidential) return undefined;
  const address = addressLines(location).join(', ');
  const label = street ?? name ?? address;
  if (latitude !== undefined && longitude !== undefined) {
    const point = `${latitude},${longitude}`;
    return {
      way: wayTo(point),
      android: `geo:${point}?q=${encodeURIComponent(address === '' ? point : `${point}(${label})`)}`,
      apple: appleWayTo(point),
      browser: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`,
      label: label === '' ? point : label,
    };
  }
  if (street === undefined) return undefined;
  return {
    way: wayTo(address),
    android: `geo:0,0?q=${encodeURIComponent(address)}`,
    apple: appleWayTo(address),
    browser: `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`,
    label,
  };
}

const wayTo = (destination: string): string =>
  `https://www.openstreetmap.org/directions?to=${encodeURIComponent(destination)}`;
const appleWayTo = (destination: string): string =>
  `https://maps.apple.com/?daddr=${encodeURIComponent(destination)}`;

import { shownHours } from '../../../events/directory/flat-members.ts';
import type { Location } from '../../../events/directory/location.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { hoursInWords } from './hours-words.ts';
import { phoneList } from './phones.ts';

/** Every location: where it is, how to get there, and what is particular to it. */
export const placeList = (fields: UnsealedFields, texts: Texts): Html =>
  html`${(fields.locations ?? []).map((location) => place(location, shownHours(fields), texts))}`;

function place(location: Location, hoursOfService: string | undefined, all: Texts): Html {
  const texts = all.record;
  const { name, hours, accessibility, transportation, phones = [], virtual, confidential } = location;
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
    ${confidential ? html`<p>${texts.confidential}</p>` : ways(location, texts)} ${phoneList(phones, texts)}
    ${hours === undefined || hours === hoursOfService ? '' : fact(texts.hours, hoursInWords(hours, all))}
    ${transportation === undefined ? '' : fact(texts.gettingThere, transportation)}
    ${accessibility === undefined ? '' : fact(texts.accessibility, accessibility)}
  </div>`;
}

const fact = (label: string, text: string): Html =>
  html`<p class="written"><strong>${label}</strong><br />${text}</p>`;

/** Street; then city, region and postal code in one line. */
export function addressLines({ street, city, region, postal_code }: Location): string[] {
  const area = [region, postal_code].filter((part) => part !== undefined).join(' ');
  const town = [city, area].filter((part) => part !== undefined && part !== '').join(', ');
  return [street, town].filter((line): line is string => line !== undefined && line !== '');
}

/** Links to the app for maps on the device (RFC 5870), and to a map in the browser. */
function ways(location: Location, texts: Texts['record']): Html | '' {
  const links = mapLinks(location);
  if (!links) return '';
  const where = html`<span class="unseen"> ${texts.directionsTo({ place: links.label })}</span>`;
  return html`<p class="ways-there unprinted">
    <a href="${links.device}">${texts.directions}${where}</a>
    <a href="${links.browser}" rel="noreferrer">${texts.map}<span class="unseen">: ${links.label}</span></a>
  </p>`;
}

interface MapLinks {
  readonly device: string;
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
      device: `geo:${point}?q=${encodeURIComponent(address === '' ? point : `${point}(${label})`)}`,
      browser: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`,
      label: label === '' ? point : label,
    };
  }
  if (street === undefined) return undefined;
  const asked = encodeURIComponent(address);
  return {
    device: `geo:0,0?q=${asked}`,
    browser: `https://www.openstreetmap.org/search?query=${asked}`,
    label,
  };
}

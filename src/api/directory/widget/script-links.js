// Addresses made from records. A record is written by others: what is no plain web address or number makes no link.
/* global URL */

const isVoice = ({ type = 'voice' }) => type === 'voice';

/** The location that is meant near a place, else the first one that is not virtual. */
export const placeOf = ({ locations = [], nearest_location: nearest }) =>
  locations[nearest] || locations.find(({ virtual }) => !virtual) || {};

/** The phone to call, as text and as a link: that of the main location, else of the service. Phones pause at a comma. */
export function phoneOf(record) {
  const phones = [...(placeOf(record).phones || []), ...(record.phones || [])].filter(isVoice);
  const phone = phones[0];
  if (!phone) return undefined;
  const extension = phone.extension || '';
  const text = phone.number + (extension && ` x${extension}`);
  const number = dialed(phone.number);
  const more = /^\d+$/.test(extension) ? `,${extension}` : '';
  return { text, href: number && `tel:${number}${more}` };
}

/** What to dial (RFC 3966): of "(305) 555-0100 or 211" the first number; "1-800-FLOWERS" by the letters of the keys. */
function dialed(text) {
  const keys = text.replace(/[A-Z]/g, (letter) => keyOf(letter)).replace(/[\s().-]/g, '');
  if (/[A-Z]{3}/.test(text) && /^\+?1?\d{10}$/.test(keys)) return keys;
  const [first] = /\+?\d(?:[\s().-]*\d){2,}/.exec(text) || [''];
  const number = first.replace(/[\s().-]/g, '');
  return /^\+?\d{3,15}$/.test(number) ? number : '';
}

const keyOf = (letter) => '22233344455566677778889999'[letter.charCodeAt(0) - 65];

/** The address of the main location, in one line. */
export function addressOf(record) {
  const { street, city, region, postal_code: postalCode } = placeOf(record);
  const regionAndCode = [region, postalCode].filter(Boolean).join(' ');
  return [street, city, regionAndCode].filter(Boolean).join(', ');
}

/** A map with the way to the main location, by its coordinates, else by its address; of a city alone there is none. */
export function directionsOf(record) {
  const { street, latitude, longitude, confidential } = placeOf(record);
  if (confidential) return undefined;
  const destination = latitude === undefined ? street && addressOf(record) : `${latitude},${longitude}`;
  return destination
    ? `https://www.openstreetmap.org/directions?to=${encodeURIComponent(destination)}`
    : undefined;
}

/** A web address as it may stand in a link, else undefined. */
export function webAddress(text) {
  try {
    const { protocol, href } = new URL(text);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

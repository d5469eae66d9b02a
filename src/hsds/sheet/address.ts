import { stateCode } from '../../places/states.ts';
import { town } from '../../places/towns.ts';
import { cleanLine } from '../text.ts';

/** The parts of an address in one text. Parts that it does not name are empty. */
export interface AddressParts {
  readonly street: string;
  readonly city: string;
  readonly region: string;
  readonly postalCode: string;
}

/** Reads `1603 NW 7th Ave, Miami, FL 33136`, also with line breaks, a country, or without the commas. */
export function addressIn(text: string, townElsewhere = ''): AddressParts {
  let rest = cleanLine(text.replace(/[\r\n]+/g, ', ')).replace(/[,\s]+$/, '');
  rest = rest.replace(/[,\s]+(?:USA|U\.S\.A\.|US|United States(?: of America)?|Estados Unidos)\.?$/i, '');
  const code = /(?:^|[,\s])(\d{5}(?:-\d{4})?)$/.exec(rest)?.[1] ?? '';
  const withoutCode = code === '' ? rest : trimmed(rest.slice(0, -code.length));
  const region = code === '' && !/,/.test(rest) ? '' : regionAtEnd(withoutCode);
  // "P.O. Box 12345" ends with no code.
  if (region === '' && /\bbox$/i.test(withoutCode))
    return { street: rest, city: '', region: '', postalCode: '' };
  // A street may end with what looks like a code: "P.O. Box 12345".
  if (code !== '' && region === '' && !/,/.test(withoutCode) && withoutCode !== '' && townElsewhere !== '')
    return { street: rest, city: '', region: '', postalCode: '' };
  const withoutRegion = region === '' ? withoutCode : trimmed(withoutCode.slice(0, -region.length));
  if (code === '' && region === '') return { street: rest, city: '', region: '', postalCode: '' };
  const { street, city } = streetAndCity(withoutRegion, region, townElsewhere);
  return { street, city, region: region.replaceAll('.', ''), postalCode: code };
}

/** `FL`, `Fla.` or `New York` at the end of a text, as it is written. */

function regionAtEnd(text: string): string {
  for (const pattern of [
    /(?:^|[,\s])((?:north|south|west|new|rhode|puerto|district of)\s\p{L}+)\.?$/iu,
    /(?:^|[,\s])(\p{L}[\p{L}.]+)$/u,
  ]) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined && stateCode(found.replaceAll('.', '')) !== undefined) return found;
  }
  return '';
}

function streetAndCity(
  text: string,
  region: string,
  townElsewhere: string,
): Pick<AddressParts, 'street' | 'city'> {
  const parts = text.split(/\s*,\s*/).filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  if (parts.length > 1) {
    // Where the sheet names the town elsewhere, what stands before the state may be a suite.
    const isUnit = /^(?:suite|ste|unit|apt|floor|fl|room|rm|bldg|#)\b/i.test(last) || /^#/.test(last);
    if (isUnit) return { street: parts.join(', '), city: '' };
    return { street: parts.slice(0, -1).join(', '), city: last };
  }
  if (townElsewhere !== '' && last.toLowerCase().endsWith(` ${townElsewhere.toLowerCase()}`))
    return { street: trimmed(last.slice(0, -townElsewhere.length)), city: last.slice(-townElsewhere.length) };
  if (!/^\d|box/i.test(last)) return { street: '', city: last };
  const words = last.split(' ');
  for (const length of [3, 2, 1]) {
    const name = words.slice(-length).join(' ');
    if (words.length > length + 1 && region !== '' && town(name, region))
      return { street: words.slice(0, -length).join(' '), city: name };
  }
  return { street: last, city: '' };
}

const trimmed = (text: string): string => text.replace(/[,\s]+$/, '');

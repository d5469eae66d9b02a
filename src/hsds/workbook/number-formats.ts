import type { PackageFiles } from '../source/package-files.ts';
import { readWholeXml } from './xml.ts';

/** How a number of a cell is shown. `zeros`: with so many digits at least. */
export type NumberFormat =
  | { readonly kind: 'plain' | 'date' | 'time' | 'date and time' | 'dollars' }
  | { readonly kind: 'zeros'; readonly digits: number };

export const plain: NumberFormat = { kind: 'plain' };

/** The formats of a workbook, by the number of the style of a cell. */
export async function readNumberFormats(
  files: PackageFiles,
  part: string | undefined,
  book: string,
): Promise<readonly NumberFormat[]> {
  if (part === undefined || !files.names.includes(part)) return [];
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let inCells = false;
  await readWholeXml(files, part, book, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells) styles.push(Number(numFmtId));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return styles.map((id) => formatOf(codes.get(id) ?? builtIn(id)));
}

/** Source: ECMA-376 part 1, 18.8.30. Those from 27 on are dates in East Asian versions. */
function builtIn(id: number): string {
  if (id >= 18 && id <= 21) return 'h:mm';
  if (id === 22) return 'm/d/yy h:mm';
  if (id >= 45 && id <= 47) return 'mm:ss';
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'm/d/yy';
  return '';
}

/** What kind a format code is. Quoted texts, colours and escaped signs are no part of it. */
export function formatOf(code: string): NumberFormat {
  const [first = ''] = code.split(';');
  if (/^0+$/.test(first) && first.length > 1) return { kind: 'zeros', digits: first.length };
  const bare = first.replace(/"[^"]*"|\\.|_.|\*./g, '');
  const signs = bare.replace(/\[(?!h|m|s)[^\]]*\]/gi, '').toLowerCase();
  if (/general/.test(signs)) return plain;
  const date = /[yd]/.test(signs) || /mmm/.test(signs);
  const time = /[hs]/.test(signs);
  if (date || time) return { kind: date && time ? 'date and time' : date ? 'date' : 'time' };
  if (/\$/.test(bare) || /"\$"/.test(first)) return { kind: 'dollars' };
  return plain;
}

/** A number as a cell shows it, as far as it tells something about a service. */
export function shownNumber(written: string, format: NumberFormat, since1904: boolean): string {
  const number = Number(written);
  if (written.trim() === '' || !Number.isFinite(number)) return written;
  switch (format.kind) {
    case 'date':
    case 'date and time':
    case 'time':
      return dateText(number, format.kind, since1904) ?? plainText(number);
    case 'zeros':
      return Number.isInteger(number) && number >= 0
        ? String(number).padStart(format.digits, '0')
        : plainText(number);
    case 'dollars':
      return number < 0 ? plainText(number) : `$${plainText(number)}`;
    case 'plain':
      return plainText(number);
  }
}

/** Excel keeps 15 digits. */
function plainText(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e21) return number.toFixed(0);
  return String(Number(number.toPrecision(15)));
}

const dayMs = 24 * 60 * 60_000;
/** 31 December 9999. */
const lastDay = 2_958_465;

/**
 * The date of a number of days, as spreadsheets count them: from the last of 1899, with a 29 February 1900 that never was
 * (ECMA-376 part 1, 18.17.4.1), or from 1904.
 */
export function dateText(
  serial: number,
  kind: 'date' | 'time' | 'date and time',
  since1904 = false,
): string | undefined {
  if (serial < 0 || serial > lastDay) return undefined;
  const days = since1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const at = new Date(Date.UTC(1899, 11, 30) + Math.round((days * dayMs) / 60_000) * 60_000);
  const iso = at.toISOString();
  const time = iso.slice(11, 16);
  if (kind === 'time' || serial < 1) return time;
  return kind === 'date' || time === '00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`;
}

import { withExtensionApart, type Phone } from '../../events/directory/contact.ts';
import type { Row } from '../source/related-rows.ts';
import { cleanLine, compareIds, compareText } from '../text.ts';
import { withoutBlank, once } from './without-blank.ts';
import { languageNames, languagesOf } from './languages.ts';

/** A row of phones, with the languages of its line. */
export interface PhoneRow {
  readonly row: Row;
  readonly languages: readonly Row[];
  /** An extension that is no number, as an export of ours keeps it. */
  readonly extension?: string | undefined;
}

/** Kinds of phone in the order in which a caller prefers them. Kinds that are not listed come first. */
const kinds = ['cell', 'mobile', 'text', 'sms', 'textphone', 'tty', 'tdd', 'fax'];

const types: Readonly<Record<string, Phone['type']>> = {
  text: 'text',
  sms: 'text',
  textphone: 'tty',
  tty: 'tty',
  tdd: 'tty',
  fax: 'fax',
};
/** What most phones are. Another type that is none of ours becomes a note. */
const plainTypes = ['', 'voice', 'phone', 'telephone', 'main', 'office', 'work'];

/** A line that nobody can call or write to with a phone. */
export const isNoPhone = (row: Row): boolean => /^(pager|video)/i.test(row.cell('type'));

/** The phones in the order in which they are to be called: voice lines first, fax last, then by id. Each number once. */
export function phonesOf(rows: readonly PhoneRow[]): Phone[] {
  const sorted = rows
    .filter(({ row }) => !isNoPhone(row))
    .sort(
      ({ row: left }, { row: right }) =>
        kinds.indexOf(typeOf(left)) - kinds.indexOf(typeOf(right)) ||
        compareIds(left.cell('id'), right.cell('id')) ||
        compareText(left.cell('number'), right.cell('number')) ||
        compareText(left.cell('extension'), right.cell('extension')),
    );
  const phones = new Map<string, Phone>();
  for (const phone of sorted.flatMap(phoneOf)) {
    const written = `${phone.number} x${phone.extension ?? ''} ${phone.type ?? ''}`;
    if (!phones.has(written)) phones.set(written, phone);
  }
  return [...phones.values()];
}

const typeOf = (row: Row): string => row.cell('type').toLowerCase();

function phoneOf({ row, languages, extension: own }: PhoneRow): Phone[] {
  // Spreadsheets keep a leading plus by wrapping the number in quotation marks.
  const number = cleanLine(row.cell('number'))
    .replace(/^["'\s]+|["'\s]+$/g, '')
    .replace(/(?<=\d)- (?=\d)/g, '-');
  if (number === '') return [];
  const extension = own ?? cleanLine(row.cell('extension')).replace(/^(?:extension|ext|x)?[.:\s]*/i, '');
  const repeated = number.toLowerCase().endsWith(`x${extension.toLowerCase()}`);
  const type = typeOf(row);
  const special = plainTypes.includes(type) || Object.hasOwn(types, type) ? '' : cleanLine(row.cell('type'));
  const described = extension === '' ? extensionIn(cleanLine(row.cell('description'))) : undefined;
  return [
    withExtensionApart({
      number,
      ...withoutBlank({
        extension: repeated ? '' : (described?.extension ?? extension),
        type: types[type],
        note: once([
          special,
          cleanLine(row.cell('department')),
          described?.rest ?? cleanLine(row.cell('description')),
        ]).join('; '),
        languages: languageNames([
          ...languagesOf(languages),
          ...row.cell('language').split(/[,;]/).map(cleanLine),
        ]),
      }),
    }),
  ];
}

/** An extension that a source describes, as in "Intake, ext. 255" or "x255 for Spanish", and the description without it. */
function extensionIn(description: string): { extension: string; rest: string } | undefined {
  const found = [
    ...description.matchAll(/(?<![\p{L}\p{N}])(?:extension|ext|x)[.:#\s]{0,3}(\d{1,8})(?![\d-])/giu),
  ];
  const [one] = found;
  if (one === undefined || found.length > 1) return undefined;
  const before = description.slice(0, one.index).replace(/[\s,;:(–-]+$/, '');
  const after = description.slice(one.index + one[0].length).replace(/^[\s,;:)–-]+/, '');
  return { extension: one[1] ?? '', rest: [before, after].filter((part) => part !== '').join(', ') };
}

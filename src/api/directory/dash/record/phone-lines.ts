import { phoneTypes, withExtensionApart, type Phone } from '../../../../events/directory/contact.ts';
import { defined } from '../../../../ground/defined.ts';

/** The lines of a text that say something. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** A phone in one line: "555-0100 ext. 12 (fax)". Its note and languages are not in it. */
export const phoneLine = ({ number, extension, type = 'voice' }: Phone): string =>
  [
    number.trim(),
    ...(extension === undefined ? [] : [`ext. ${extension}`]),
    ...(type === 'voice' ? [] : [`(${type})`]),
  ].join(' ');

/**
 * The phones of lines. A line that stays keeps its phone as it is. A line that is changed where it stands keeps the
 * note and the languages of its phone.
 */
export function phonesFrom(text: string, before: readonly Phone[] = []): Phone[] {
  const lines = linesOf(text);
  const kept = new Map(before.map((phone) => [phoneLine(phone), phone]));
  return lines.map((line, place) => {
    const same = kept.get(line);
    if (same) return same;
    const changed = lines.length === before.length ? before[place] : undefined;
    const { note, languages } = changed ?? {};
    return {
      ...phoneOf(line),
      ...defined({ note, languages }),
    };
  });
}

const written = new RegExp(
  `^(.*?)(?:[,;]?\\s+ext\\.?\\s*([\\w-]{1,20}))?(?:\\s+\\((${phoneTypes.join('|')})\\))?$`,
  'i',
);

function phoneOf(line: string): Phone {
  const [, number = line, extension, type] = written.exec(line) ?? [];
  return withExtensionApart({
    number: number.trim(),
    ...defined({ extension }),
    ...(type === undefined ? {} : { type: type.toLowerCase() as (typeof phoneTypes)[number] }),
  });
}

/** Whether somebody can dial it: 211, 555-0100, 1-800-FLOWERS. */
const canBeDialled = ({ number }: Phone): boolean => number.replace(/\D/g, '').length >= 3;

/** The first number that is none, of those that the record did not have. */
export const noNumber = (phones: readonly Phone[] = [], before: readonly Phone[] = []): string | undefined =>
  phones.find((phone) => !canBeDialled(phone) && !before.some(({ number }) => number === phone.number))
    ?.number;

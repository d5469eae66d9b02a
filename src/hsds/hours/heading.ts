import { defined } from '../../ground/defined.ts';
import type { Token } from './tokens.ts';
import type { Section } from './week.ts';

const isoDate = String.raw`\d{4}-\d\d-\d\d`;
const dates = new RegExp(
  `^(?:(?<note>.*), )?(?:(?<from>${isoDate}) to (?<to>${isoDate})|from (?<since>${isoDate})|until (?<until>${isoDate}))$`,
  'u',
);
const quotedName = /^“(?<quoted>.*)”(?:, (?<dates>[^“”]*))?$/u;

/**
 * Words that take back, or bind to a condition, what the rest of a text says. Where they are in a part that is not
 * understood, the rest is not sure.
 */
export const restricts =
  /\b(?:clos(?:ed|es|ing)|cerrad[oa]s?|only|s[oó]lo|solamente|appointments?|citas?|except|excepto|salvo|vary|varies|var[ií]an?|temporar\w*|temporal\w*|suspend\w*|cancel\w*|not?|until further|subject to|seasonal\w*|by request)(?!\p{L})/iu;

/** Names of parts of the year: what they mean in dates is not written. */
const timeOfYear =
  /\b(?:january|february|march|april|june|july|august|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b|^(?:summer|winter|spring|fall|autumn|holiday|verano|invierno)(?: hours| schedule)?$/iu;

/** A line divided at its first colon that is not in a time. */
export function dividedAtColon(line: string): readonly [string, string] | undefined {
  const quotedEnd = line.startsWith('“') ? line.lastIndexOf('”') : -1;
  const colon = /:(?!\d)/g;
  colon.lastIndex = quotedEnd + 1;
  const at = colon.exec(line)?.index;
  return at === undefined ? undefined : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/**
 * The section that a heading names: `Food Pantry`, `Summer Camp, 2026-06-01 to 2026-08-31`, `from 2026-06-01`, a name
 * in quotation marks. Undefined where it names none: days and times alone, a part of the year without its dates, a
 * condition ("By appointment only").
 */
export function sectionOf(
  heading: string,
  tokensOf: (line: string) => readonly Token[],
): Section | undefined {
  const { quoted, dates: after } = quotedName.exec(heading)?.groups ?? {};
  if (quoted !== undefined) {
    const period = after === undefined ? {} : periodOf(after);
    return period && period.note === undefined && isName(quoted) ? { note: quoted, ...period } : undefined;
  }
  const period = periodOf(heading);
  const note = period ? period.note : heading;
  const named = defined({ note });
  if (note !== undefined && !(isName(note) && isTelling(note, tokensOf(note)))) return undefined;
  return period ? { ...period, ...named } : named;
}

const isName = (note: string): boolean => note.length <= 300 && note.trim() === note && note !== '';

const isTelling = (note: string, tokens: readonly Token[]): boolean =>
  tokens.some(({ kind }) => kind === 'word') &&
  tokens.every(({ kind }) => kind !== 'days' && kind !== 'end') &&
  !restricts.test(note) &&
  !timeOfYear.test(note);

function periodOf(text: string): Section | undefined {
  const found = dates.exec(text)?.groups;
  if (!found) return undefined;
  const [from, to] = [found['from'] ?? found['since'], found['to'] ?? found['until']];
  if (from !== undefined && to !== undefined && from > to) return undefined;
  if ([from, to].some((date) => date !== undefined && !isDate(date))) return undefined;
  return defined({ note: found['note'], valid_from: from, valid_to: to });
}

/** A day that the calendar has. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The heading of a section, as `sectionOf` reads it. */
export function headingOf(section: Section, tokensOf: (line: string) => readonly Token[]): string {
  const { note, valid_from: from, valid_to: to } = section;
  const period =
    from === undefined
      ? to === undefined
        ? undefined
        : `until ${to}`
      : to === undefined
        ? `from ${from}`
        : `${from} to ${to}`;
  const heading = (name: string | undefined): string =>
    [name, period].filter((piece) => piece !== undefined).join(', ');
  if (note === undefined) return heading(undefined);
  const plain = heading(note);
  const read = note.includes(':') || note.startsWith('“') ? undefined : sectionOf(plain, tokensOf);
  return read?.note === note && read.valid_from === from && read.valid_to === to
    ? plain
    : heading(`“${note}”`);
}

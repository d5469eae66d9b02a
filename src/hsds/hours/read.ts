import type { OpeningHours } from '../../events/directory/opening-hours.ts';
import { dividedAtColon, restricts, sectionOf } from './heading.ts';
import { pairOf, statementOf, type Meaning, type Statement } from './statement.ts';
import { plainLine, tokensOf, type Token } from './tokens.ts';
import { openingKey, rowsOf, sectionKey, type Opening, type Section } from './week.ts';
import { writeOpenings } from './write.ts';

/** What a written text says about the hours of the regular week. */
export interface Reading {
  /** `fully`: the rows say all that the text says. Public holidays are outside the regular week. */
  readonly understood: 'fully' | 'partly' | 'not';
  readonly rows: readonly OpeningHours[];
  /** The same, opening by opening. */
  readonly openings: readonly Opening[];
  /** The parts that the rows do not say. */
  readonly unread: readonly string[];
  /** A part that the rows do not say may take back what they say: "By appointment only". */
  readonly restricted: boolean;
}

/** Longer texts are not about hours alone. */
const longest = 4_000;

/**
 * Reads opening hours that people wrote, in English or Spanish: `8:30am-5pm, Mon-Fri`, `Lun-Vie 9am a 5pm`, `24/7`,
 * `Mon-Fri: 9-5, Sat: 10-2`, `closed daily 12-1 for lunch`; see `spanOf` for times without am and pm. A line that ends
 * with a colon, or begins with a name and a colon, begins a section. The section ends at an empty line.
 *
 * Nothing is guessed: a statement with a word that is not known is not read, nor one about days of the month, nor one
 * without an end (`6:00pm, Tue`). Two openings of a section that overlap contradict each other, and are not read either.
 *
 * The text is one that `cleanText` has cleaned.
 */
export function readHours(text: string): Reading {
  if (text.length > longest) {
    return { understood: 'not', rows: [], openings: [], unread: [text], restricted: restricts.test(text) };
  }
  const statements = joined(statementsIn(text));
  const { openings, contradictory } = withoutOverlaps(applied(statements));
  const unread = [
    ...statements.filter((placed) => !isReflectedIn(openings, placed)).map(({ written }) => written),
    ...contradictory,
  ];
  const understood = unread.length === 0 ? 'fully' : openings.length > 0 ? 'partly' : 'not';
  return {
    understood,
    rows: rowsOf(openings),
    openings,
    unread: [...new Set(unread)],
    restricted: unread.some((part) => restricts.test(part)),
  };
}

/** A break, or a day on which it is closed, says nothing about hours that the text does not give. */
const isReflectedIn = (openings: readonly Opening[], { statement }: Placed): boolean =>
  statement.kind === 'whole' &&
  (openings.length > 0 || statement.meanings.every(({ kind }) => kind === 'open'));

interface Placed {
  readonly written: string;
  readonly section: Section;
  statement: Statement;
}

const unread: Statement = { kind: 'unread' };

function statementsIn(text: string): Placed[] {
  const lines = text.split('\n').map((line) => line.trim());
  const tokens = new Map(lines.map((line) => [line, tokensOf(line, text)]));
  const inLine = (line: string): readonly Token[] => tokens.get(line) ?? tokensOf(line, text);

  const found: (Omit<Placed, 'statement'> & { readonly pieces: readonly Token[] | undefined })[] = [];
  /** Undefined: under a heading that is not understood. */
  let section: Section | undefined = {};
  const read = (line: string): void => {
    for (const { written, pieces } of dividedAtEnds(plainLine(line), inLine(line))) {
      if (pieces.length === 0) continue;
      found.push({ written, section: section ?? {}, pieces: section && pieces });
    }
  };
  for (const line of lines) {
    const [heading, rest] = dividedAtColon(line) ?? [];
    if (line === '') section = {};
    else if (heading === undefined || rest === undefined || !hasName(inLine(heading), heading)) read(line);
    else {
      section = sectionOf(heading, inLine);
      if (section === undefined) found.push({ written: heading, section: {}, pieces: undefined });
      read(rest);
    }
  }

  const clocks = found.flatMap(({ pieces = [] }) =>
    pieces.flatMap((token) => (token.kind === 'clock' ? [token.clock] : [])),
  );
  const twentyFour =
    clocks.every(({ half }) => half === undefined) && clocks.some((clock) => clock.twentyFour);
  return found.map(({ pieces, ...placed }) => ({
    ...placed,
    statement: pieces ? statementOf(pieces, twentyFour) : unread,
  }));
}

/** Whether what stands before a colon is more than days and times. */
const hasName = (tokens: readonly Token[], written: string): boolean =>
  written.startsWith('“') || tokens.some(({ kind }) => kind === 'word' || kind === 'closed');

function dividedAtEnds(
  line: string,
  tokens: readonly Token[],
): { readonly written: string; readonly pieces: readonly Token[] }[] {
  const ends = tokens.flatMap((token, index) => (token.kind === 'end' ? [{ at: token.at, index }] : []));
  return [...ends, { at: line.length, index: tokens.length }].map(({ at, index }, nth) => {
    const before = ends[nth - 1];
    return {
      written: line.slice(before ? before.at + 1 : 0, at).trim(),
      pieces: tokens.slice(before ? before.index + 1 : 0, index),
    };
  });
}

/** Days on one line and times on the next are one statement. 24 hours without days are on every day. */
function joined(statements: readonly Placed[]): Placed[] {
  const result: Placed[] = [];
  for (let at = 0; at < statements.length; at += 1) {
    const [one, next] = [statements[at], statements[at + 1]];
    if (!one) break;
    const meaning =
      sectionKey(one.section) === sectionKey(next?.section ?? {}) && pairOf(one.statement, next?.statement);
    if (meaning) {
      const written = `${one.written} ${next?.written ?? ''}`;
      result.push({ ...one, written, statement: { kind: 'whole', meanings: [meaning] } });
      at += 1;
    } else result.push(one);
  }
  const [only] = result;
  if (result.length === 1 && only?.statement.kind === 'times' && only.statement.spans.every(isWholeDay)) {
    const days = { days: new Set([0, 1, 2, 3, 4, 5, 6]), daily: true };
    only.statement = { kind: 'whole', meanings: [{ kind: 'open', days, spans: only.statement.spans }] };
  }
  return result;
}

const isWholeDay = ({ opens, closes }: { opens: number; closes: number }): boolean =>
  opens === 0 && closes === 24 * 60;

type DatedOpening = Opening & { readonly daily: boolean };

/** The openings less the breaks and the days on which it is closed. What cannot be applied becomes unread. */
function applied(statements: readonly Placed[]): Opening[] {
  let openings: DatedOpening[] = statements.flatMap(({ statement, section }) =>
    statement.kind !== 'whole'
      ? []
      : statement.meanings.flatMap((meaning) =>
          meaning.kind === 'open' ? openingsOf(meaning, section) : [],
        ),
  );
  for (const placed of statements) {
    if (placed.statement.kind !== 'whole') continue;
    for (const meaning of placed.statement.meanings) {
      if (meaning.kind === 'open') continue;
      const less = lessened(openings, meaning, placed.section);
      if (less) openings = less;
      else placed.statement = unread;
    }
  }
  return openings.map(({ daily: _, ...opening }) => opening);
}

const openingsOf = ({ days, spans }: Meaning & { kind: 'open' }, section: Section): DatedOpening[] =>
  [...days.days].flatMap((day) => spans.map((span) => ({ ...span, day, section, daily: days.daily })));

/** Undefined when the openings say otherwise: open on a day that is named; a break that is not within the hours. */
function lessened(
  openings: readonly DatedOpening[],
  meaning: Exclude<Meaning, { kind: 'open' }>,
  section: Section,
): DatedOpening[] | undefined {
  const key = sectionKey(section);
  const concerns = (opening: DatedOpening): boolean =>
    (key === '' || sectionKey(opening.section) === key) && (meaning.days?.days.has(opening.day) ?? true);
  if (meaning.kind === 'closed') {
    if (openings.some((opening) => concerns(opening) && !opening.daily)) return undefined;
    return openings.filter((opening) => !concerns(opening));
  }
  let rest = [...openings];
  for (const { opens, closes } of meaning.spans) {
    const overlapping = rest.filter(
      (opening) => concerns(opening) && opening.opens < closes && opens < opening.closes,
    );
    if (overlapping.some((opening) => opening.opens >= opens || opening.closes <= closes)) return undefined;
    const isGap = rest.some((opening) => concerns(opening) && opening.closes === opens);
    if (overlapping.length === 0 && !isGap) return undefined;
    rest = rest.flatMap((opening) =>
      overlapping.includes(opening)
        ? [
            { ...opening, closes: opens },
            { ...opening, opens: closes },
          ]
        : [opening],
    );
  }
  return rest;
}

function withoutOverlaps(openings: readonly Opening[]): {
  readonly openings: Opening[];
  readonly contradictory: readonly string[];
} {
  const once = [...new Map(openings.map((one) => [sectionKey(one.section) + openingKey(one), one])).values()];
  const overlapping = new Set<Opening>();
  for (const group of Map.groupBy(once, ({ section, day }) => `${day}${sectionKey(section)}`).values()) {
    const inOrder = [...group].sort((left, right) => left.opens - right.opens);
    for (const [at, later] of inOrder.entries()) {
      const earlier = inOrder.slice(0, at).filter(({ closes }) => closes > later.opens);
      for (const one of earlier.length > 0 ? [...earlier, later] : []) overlapping.add(one);
    }
  }
  const contradictory = [...Map.groupBy(overlapping, ({ day }) => day).values()].map(
    (those) => `overlapping hours: ${writeOpenings(those)}`,
  );
  return { openings: once.filter((one) => !overlapping.has(one)), contradictory };
}

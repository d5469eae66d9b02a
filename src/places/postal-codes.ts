import type { Circle, Point } from '../ground/earth.ts';
import { atFirstUse, firstLine, GazetteerFile } from './gazetteer-file.ts';
import { linesWithin, pointAt, pointsOf } from './points-near.ts';
import { stateCodes } from './states.ts';

/** A postal code of the United States and its middle. */
export interface PostalCode extends Point {
  /** Five digits. */
  readonly code: string;
  /** Its abbreviation. */
  readonly state: string;
  /** The number of the county in its state. Undefined of the islands. */
  readonly county: string | undefined;
}

const table = atFirstUse(() => {
  const file = new GazetteerFile('postal-codes.tsv');
  const { length } = file;
  return {
    codes: Uint32Array.from({ length }, (_, line) => file.number(line, 0)),
    states: Uint8Array.from({ length }, (_, line) => stateCodes.indexOf(file.text(line, 1))),
    /** 0 where it is unknown: no county has it. */
    counties: Uint16Array.from({ length }, (_, line) => file.number(line, 2)),
    ...pointsOf(file.degrees(3), file.degrees(4)),
  };
});

/** A postal code as people write it, with or without its four further digits. Undefined where there is none. */
export function postalCode(text: string): PostalCode | undefined {
  const [, digits] = /^\s*(\d{5})(?:[-\s]?\d{4})?\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const { codes } = table();
  const number = Number(digits);
  const line = firstLine(codes.length, (at) => (codes[at] as number) < number);
  return codes[line] === number ? codeAt(line) : undefined;
}

/** The codes whose middle lies in the circle, and no nearer than `beyondKm`. */
export const codesWithin = (circle: Circle, beyondKm = 0): PostalCode[] =>
  linesWithin(table(), circle, beyondKm).map(codeAt);

/** How many codes begin with these digits. */
export function codesBeginning(digits: string): number {
  const { codes } = table();
  const before = (number: number): number => firstLine(codes.length, (at) => (codes[at] as number) < number);
  const width = 10 ** (5 - digits.length);
  return before((Number(digits) + 1) * width) - before(Number(digits) * width);
}

function codeAt(line: number): PostalCode {
  const { codes, states, counties } = table();
  const county = counties[line] as number;
  return {
    code: String(codes[line]).padStart(5, '0'),
    state: stateCodes[states[line] as number] as string,
    county: county === 0 ? undefined : String(county).padStart(3, '0'),
    ...pointAt(table(), line),
  };
}

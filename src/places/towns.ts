import type { Circle, Point } from '../ground/earth.ts';
import { atFirstUse, firstLine, GazetteerFile } from './gazetteer-file.ts';
import { placeKey } from './place-key.ts';
import { linesWithin, pointAt, pointsOf } from './points-near.ts';
import { stateCode } from './states.ts';

/** A town of the United States and its middle. */
export interface Town extends Point {
  readonly name: string;
  /** The name as it is compared, see `placeKey`. */
  readonly key: string;
  /** The abbreviation of its state. */
  readonly state: string;
}

const table = atFirstUse(() => {
  const file = new GazetteerFile('towns.tsv');
  return { file, ...pointsOf(file.degrees(2), file.degrees(3)) };
});

/** The towns of a name, the largest first. */
export const townsNamed = (name: string): Town[] => townsOfKey(placeKey(name));

/** The towns whose name has this key, the largest first. */
export function townsOfKey(key: string): Town[] {
  const { file } = table();
  const keyAt = (line: number): string => placeKey(file.text(line, 0));
  const found: Town[] = [];
  for (let line = firstLine(file.length, (at) => keyAt(at) < key); line < file.length; line++) {
    if (keyAt(line) !== key) break;
    found.push(townAt(line));
  }
  return key === '' ? [] : found;
}

/**
 * The town of a name in a state; without a state, the largest of the name. The state may be written out or stand in the
 * name ("Miami, FL"). Undefined where the gazetteer has none, and where the state is none of the United States.
 */
export function town(name: string, region?: string): Town | undefined {
  const [before = '', ...after] = name.split(',');
  const written = region?.trim() ? region : after.length > 0 ? after.join(' ') : undefined;
  const all = townsNamed(before);
  if (written === undefined) return all[0];
  const state = stateCode(written);
  return all.find((each) => each.state === state);
}

/** The towns whose middle lies in the circle, and no nearer than `beyondKm`. */
export const townsWithin = (circle: Circle, beyondKm = 0): Town[] =>
  linesWithin(table(), circle, beyondKm).map(townAt);

function townAt(line: number): Town {
  const { file } = table();
  const name = file.text(line, 0);
  return { name, key: placeKey(name), state: file.text(line, 1), ...pointAt(table(), line) };
}

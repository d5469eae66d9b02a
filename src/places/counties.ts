import type { Point } from '../ground/earth.ts';
import { atFirstUse, GazetteerFile } from './gazetteer-file.ts';
import { placeKey } from './place-key.ts';
import { pointAt } from './points-near.ts';
import { stateCode } from './states.ts';

/** A county of the United States, and the median of its postal codes. */
export interface County extends Point {
  readonly name: string;
  readonly state: string;
  /** Its number in its state, as postal codes name it. */
  readonly number: string;
}

const table = atFirstUse(() => {
  const file = new GazetteerFile('counties.tsv');
  const points = { latitudes: file.degrees(3), longitudes: file.degrees(4) };
  const counties = Array.from({ length: file.length }, (_, line): County & { readonly key: string } => {
    const name = file.text(line, 2);
    return {
      state: file.text(line, 0),
      number: file.text(line, 1),
      name,
      key: placeKey(name),
      ...pointAt(points, line),
    };
  });
  return Map.groupBy(counties, ({ key }) => key);
});

const kind = /\s+(county|parish|borough|census area|municipality|municipio|condado)$/i;

/** Whether a text says of itself that it names a county: "Cook County". */
export const saysCounty = (text: string): boolean => kind.test((text.split(',')[0] ?? '').trim());

/** The counties of a name, with or without the word, and with or without a state: "Cook County, IL", "Miami-Dade". */
export function countiesNamed(text: string, region?: string): County[] {
  const [before = '', ...after] = text.split(',');
  const name = before
    .trim()
    .replace(/^(county|condado) (of|de) /i, '')
    .replace(kind, '');
  const written = region?.trim() ? region : after.length > 0 ? after.join(' ') : undefined;
  const all = table().get(placeKey(name)) ?? [];
  return written === undefined ? all : all.filter(({ state }) => state === stateCode(written));
}

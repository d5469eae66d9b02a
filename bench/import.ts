import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eachOf, type Checkout } from './checkouts.ts';
import type { Row } from './measure.ts';
import { entryOf } from '../test/support/entry.ts';

/** Of a small directory, and of a large one. */
const sizes = { small: 1_000, large: 4_000 } as const;
const scheduleRows = 1_000_000;
/** The peak of a process is kept by the kernel; it is looked up until the process ends. */
const lookEveryMs = 50;

const description = 'Food, clothing and advice for families in need. Call before you come. '.repeat(6);

type Lines = Generator<string>;

/** The tables of a directory with so many services. `schedules`: rows of schedules besides one for each service. */
const tables = (services: number, schedules: number): Readonly<Record<string, () => Lines>> => ({
  'services.csv': function* () {
    yield 'id,organization_id,name,description,url,status,application_process,fees_description';
    for (let at = 0; at < services; at++)
      yield `s${at},o${at % 400},Community Service ${at},"${description}",https://example.org/${at},active,Call,Free`;
  },
  'organizations.csv': function* () {
    yield 'id,name,url';
    for (let at = 0; at < 400; at++) yield `o${at},Organization ${at},https://o${at}.example.org`;
  },
  'service_at_locations.csv': function* () {
    yield 'id,service_id,location_id';
    for (let at = 0; at < services; at++) yield `${at},s${at},l${at}`;
  },
  'addresses.csv': function* () {
    yield 'id,location_id,address_1,city,state_province,postal_code,country,address_type';
    for (let at = 0; at < services; at++)
      yield `${at},l${at},${at} Main Street,Harborview,HV,${10_000 + at},US,physical`;
  },
  'phones.csv': function* () {
    yield 'id,service_id,number,type';
    for (let at = 0; at < 2 * services; at++) yield `${at},s${at % services},555-${1_000_000 + at},voice`;
  },
  'schedules.csv': function* () {
    yield 'id,service_id,freq,byday,opens_at,closes_at';
    for (let at = 0; at < services; at++) yield `${at},s${at},WEEKLY,"MO,TU,WE,TH,FR",09:00,17:0${at % 6}`;
    for (let at = 0; at < schedules; at++)
      yield `x${at},s${at % services},WEEKLY,SA,09:${10 + (at % 50)},12:00`;
  },
});

/** What one run of a command line took. */
interface Run {
  readonly seconds: number;
  /** In MB. */
  readonly peak: number;
}

/** Imports by the command line of a checkout, from an empty data folder on. */
async function measured(
  { root }: Pick<Checkout, 'root'>,
  services: number,
  schedules: number,
  runs: readonly (readonly string[])[],
): Promise<Run[]> {
  const folder = mkdtempSync(join(tmpdir(), 'commonweal-import-'));
  try {
    for (const [name, lines] of Object.entries(tables(services, schedules))) {
      const written = Readable.from(
        (function* () {
          for (const line of lines()) yield `${line}\n`;
        })(),
      );
      await pipeline(written, createWriteStream(join(folder, name)));
    }
    const took: Run[] = [];
    for (const options of runs) took.push(await imported(root, folder, options));
    return took;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function imported(root: string, folder: string, options: readonly string[]): Promise<Run> {
  const began = performance.now();
  const words = [entryOf(root), 'import', folder, '--source', 'bench', '--json', ...options];
  const child = spawn(process.execPath, words, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATA_DIR: join(folder, 'data') },
  });
  let peak = 0;
  const look = setInterval(() => (peak = Math.max(peak, peakOf(child.pid ?? 0))), lookEveryMs);
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(look);
  if (code !== 0) throw new Error(`The import ended with ${code}.`);
  return { seconds: (performance.now() - began) / 1_000, peak };
}

/** In MB. Source: proc_pid_status(5), VmHWM. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    // It has just ended.
    return 0;
  }
}

/** A first import, and the same month compared and imported again. */
async function months(checkout: Checkout, services: number) {
  const runs = [['--approve'], ['--dry-run'], ['--approve']];
  const [first, compared, again] = await measured(checkout, services, 0, runs);
  if (!first || !compared || !again) throw new Error('A run is missing.');
  return { first, compared, again };
}

/** Imports from a start to its end, what they wait for included. */
export async function importRows(checkouts: readonly Checkout[]): Promise<Row[]> {
  const { ours, before } = await eachOf(checkouts, async (checkout) => ({
    small: await months(checkout, sizes.small),
    large: await months(checkout, sizes.large),
    many: (await measured(checkout, sizes.large, scheduleRows, [['--approve']]))[0]?.peak ?? Number.NaN,
  }));
  const row = (what: string, aim: string, valueOf: (of: typeof ours) => number): Row => ({
    what,
    before: before && valueOf(before),
    ours: valueOf(ours),
    aim,
  });
  return [
    ...(['small', 'large'] as const).flatMap((size) => {
      const of = `import of ${sizes[size].toLocaleString('en')} services`;
      return [
        row(`${of}: services/s`, '≥ 1,500', (found) => sizes[size] / found[size].first.seconds),
        row(`${of}: peak memory, MB`, '< 300', (found) => found[size].first.peak),
        row(`${of}, the same month compared: services/s`, '≥ 1,500', (found) => {
          return sizes[size] / found[size].compared.seconds;
        }),
        row(`${of}, the same month compared: its part of the time`, '≤ 0.1', (found) => {
          return found[size].compared.seconds / found[size].first.seconds;
        }),
        row(`${of}, the same month again: its part of the time`, '≤ 0.1', (found) => {
          return found[size].again.seconds / found[size].first.seconds;
        }),
      ];
    }),
    row(
      'import of 4,000 services with a million schedule rows: peak memory, MB',
      '< 300',
      ({ many }) => many,
    ),
  ];
}

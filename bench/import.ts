import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eachOf, type Checkout } from './checkouts.ts';
import type { Row } from './measure.ts';

const services = 4_000;
const scheduleRows = 1_000_000;
/** The peak of a process is kept by the kernel; it is looked up until the process ends. */
const lookEveryMs = 50;

const description = 'Food, clothing and advice for families in need. Call before you come. '.repeat(6);

type Lines = Generator<string>;

/** The tables of a directory. `schedules`: rows of schedules besides one for each service. */
const tables = (schedules: number): Readonly<Record<string, () => Lines>> => ({
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

/** An import by the command line of a checkout, into an empty data folder. */
async function measured({ root }: Pick<Checkout, 'root'>, schedules: number) {
  const folder = mkdtempSync(join(tmpdir(), 'commonweal-import-'));
  try {
    for (const [name, lines] of Object.entries(tables(schedules))) {
      const written = Readable.from(
        (function* () {
          for (const line of lines()) yield `${line}\n`;
        })(),
      );
      await pipeline(written, createWriteStream(join(folder, name)));
    }
    const began = performance.now();
    const child = spawn(process.execPath, ['src/main.ts', 'import', folder, '--approve', '--json'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DATA_DIR: join(folder, 'data') },
    });
    let peak = 0;
    const look = setInterval(() => (peak = Math.max(peak, peakOf(child.pid ?? 0))), lookEveryMs);
    const [code] = (await once(child, 'exit')) as [number];
    clearInterval(look);
    if (code !== 0) throw new Error(`The import ended with ${code}.`);
    return { perSecond: (services / (performance.now() - began)) * 1_000, peak };
  } finally {
    rmSync(folder, { recursive: true });
  }
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

/** An import from a start to its end, what it waits for included. */
export async function importRows(checkouts: readonly Checkout[]): Promise<Row[]> {
  const { ours, before } = await eachOf(checkouts, async (checkout) => ({
    few: await measured(checkout, 0),
    many: await measured(checkout, scheduleRows),
  }));
  return [
    {
      what: 'import of 4,000 services: services/s',
      before: before?.few.perSecond,
      ours: ours.few.perSecond,
      aim: '≥ 1,500',
    },
    {
      what: 'import of 4,000 services: peak memory, MB',
      before: before?.few.peak,
      ours: ours.few.peak,
      aim: '< 300',
    },
    {
      what: 'import of 4,000 services with a million schedule rows: peak memory, MB',
      before: before?.many.peak,
      ours: ours.many.peak,
      aim: '< 300',
    },
  ];
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { counted } from '../../ground/counted.ts';
import { openPeople } from '../../commands/directory/sealed-people.ts';
import { serviceOf, type HsdsService } from '../../hsds/export/service.ts';
import { writePackage } from '../../hsds/export/write-package.ts';
import { zipFolder } from '../../hsds/export/zip-folder.ts';
import {
  countOf,
  eachRecord,
  type Records,
  type ViewedRecord,
} from '../../projections/directory/each-record.ts';
import { organizations } from '../../projections/directory/organizations.ts';
import { resources } from '../../projections/directory/resources.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { UsageError } from '../options.ts';
import { answer } from '../../ground/print.ts';
import { progressBar } from '../progress.ts';
import { fillWhole, printWhole, refuseExisting, whole, writeWhole } from '../target.ts';
import { textFormats, textOf } from '../../actions/directory/text-formats.ts';
import { withOrganizations } from '../../actions/directory/with-organizations.ts';

const formats = ['hsds-csv', 'hsds-json', 'csv', 'geojson'] as const;
type Format = (typeof formats)[number];

interface ExportOptions {
  readonly format: string;
  readonly team?: string;
  readonly public?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

export function exportCommand(line: CommandLine): Command {
  return new Command('export')
    .description('Write the directory to a file: as HSDS 3.1, as a spreadsheet, or as places for a map.')
    .requiredOption('--format <format>', formats.join(', '))
    .option('--team <slug>', 'only the directory of this team')
    .option('--public', 'only what everybody may see: public records, without the fields of team keys')
    .option(
      '--out <path>',
      'where to write: a new file; for hsds-csv a new folder, or a file .zip. Default: standard output',
    )
    .action((options: ExportOptions) =>
      withSystem(line, async (at) => {
        const format = formatOf(options);
        const records: Records = {
          team: await namedTeam(at, options.team),
          ...(options.public
            ? { view: 'developer', listed: true }
            : { view: 'stored', listed: false, open: (sealed) => openPeople(at.personal, sealed) }),
        };
        if (options.out !== undefined) await refuseExisting(options.out);
        const written = await exportRecords(at, format, records, options.out, !options.json);
        if (options.out === undefined) return;
        answer(
          options.json,
          { format, records: written, path: resolve(options.out) },
          `${counted(written, 'record is', 'records are')} in ${options.out}.`,
        );
      }),
    );
}

/** @throws UsageError */
function formatOf({ format, out }: ExportOptions): Format {
  const found = formats.find((name) => name === format);
  if (found === undefined) throw new UsageError(`--format: must be one of ${formats.join(', ')}`);
  if (found === 'hsds-csv' && out === undefined) {
    throw new UsageError('--out: name a folder, or a file .zip; hsds-csv is several files');
  }
  return found;
}

/** Writes these records. Returns how many there were. */
async function exportRecords(
  at: CommandSystem,
  format: Format,
  records: Records,
  out: string | undefined,
  show: boolean,
): Promise<number> {
  await at.waitUntilCurrent(resources, organizations);
  const collection = at.documents.collection(resources.collection);
  const bar = show ? progressBar('export', await countOf(collection, records)) : undefined;
  let written = 0;
  async function* counted(): AsyncGenerator<ViewedRecord> {
    const each = eachRecord(collection, records, (read) => bar?.update(read));
    for await (const record of withOrganizations(at.documents, records, each)) {
      written += 1;
      yield record;
    }
  }
  try {
    if (format === 'hsds-csv') await writeTables(out ?? '', records, counted());
    else {
      const text = textOf(textFormats[format](records.view === 'stored'), counted());
      if (out !== undefined) await writeWhole(out, text);
      else await printWhole(text);
    }
  } finally {
    bar?.stop();
  }
  return written;
}

async function writeTables(
  out: string,
  { team }: Records,
  records: AsyncIterable<ViewedRecord>,
): Promise<void> {
  const name = team ?? 'commonweal';
  const fill = (folder: string) => writePackage(folder, name, servicesOf(records));
  if (!/\.zip$/i.test(out)) return fillWhole(out, fill);
  return whole(out, async (part) => {
    const folder = await mkdtemp(join(tmpdir(), 'commonweal-export-'));
    try {
      await fill(folder);
      await zipFolder(folder, part);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function* servicesOf(records: AsyncIterable<ViewedRecord>): AsyncGenerator<HsdsService> {
  for await (const record of records) yield serviceOf(record);
}

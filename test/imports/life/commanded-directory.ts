import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { upcast } from '../../../src/events/catalogue.ts';
import type { ResourceEvent } from '../../../src/events/directory/resource.ts';
import type { ImportReport } from '../../../src/imports/report.ts';
import type { UndoReport } from '../../../src/imports/undo-records.ts';
import { everyEvent } from '../../faults/log.ts';
import type { Ended } from '../../faults/processes.ts';
import type { Stores } from '../../support/stores.ts';
import type { Counted, ImportChoices } from './directory-model.ts';
import type { Found, LivedDirectory } from './made-up-year.ts';
import { filesOf, type Publication } from './source-life.ts';
import { StoredDirectory } from './stored-directory.ts';

export type RunCommandLine = (words: readonly string[]) => Promise<Ended>;

/** A directory whose source is imported, and whose imports are undone, by command line. People work on its stores. */
export class CommandedDirectory implements LivedDirectory {
  readonly #run: RunCommandLine;
  readonly #stores: Pick<Stores, 'store' | 'personal'>;
  readonly #folder: string;
  readonly #people: StoredDirectory;
  /** The ids of the imports. */
  readonly #imports: string[] = [];

  constructor(run: RunCommandLine, stores: Pick<Stores, 'store' | 'personal'>, folder: string) {
    this.#run = run;
    this.#stores = stores;
    this.#folder = folder;
    this.#people = new StoredDirectory(stores);
  }

  async import(published: Publication, { approve, take = [], removeMissing }: ImportChoices) {
    const path = writeFiles(join(this.#folder, 'published'), filesOf(published));
    const report = (await this.#answer([
      ...['import', path, '--team', 'harbour', '--source', 'County 211'],
      ...(approve ? ['--approve'] : []),
      ...(take.length > 0 ? ['--take', ...(take === 'all' ? [take] : take)] : []),
      ...(removeMissing ? ['--remove-missing', 'any'] : []),
    ])) as ImportReport;
    this.#imports.push(report.import ?? '');
    this.#people.know(await svcIdsIn(this.#stores.store));
    return { of: this.#imports.length, counted: countsOf(report) };
  }

  correct(...given: Parameters<StoredDirectory['correct']>): Promise<void> {
    return this.#people.correct(...given);
  }

  decide(...given: Parameters<StoredDirectory['decide']>): Promise<void> {
    return this.#people.decide(...given);
  }

  erase(id: string): Promise<void> {
    return this.#people.erase(id);
  }

  async undo(of: number): Promise<readonly string[]> {
    const words = ['imports', 'undo', this.#imports[of - 1] ?? '', '--team', 'harbour'];
    const { left_records } = (await this.#answer(words)) as UndoReport;
    const sourceIds = new Map([...(await svcIdsIn(this.#stores.store))].map(([id, svcId]) => [svcId, id]));
    return left_records.map(({ svc_id }) => sourceIds.get(svc_id) ?? svc_id);
  }

  standing(): Promise<Map<string, Found>> {
    return this.#people.standing();
  }

  async #answer(words: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.#run([...words, '--json']);
    expect([code, stderr], words.join(' ')).toEqual([0, '']);
    return JSON.parse(stdout) as unknown;
  }
}

/** Writes a folder anew. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** The svc_ids of all records that came from a source, by its ids. */
export async function svcIdsIn(store: Stores['store']): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (const recorded of await everyEvent(store)) {
    if (recorded.type !== 'ResourceSubmitted') continue;
    const { data } = upcast(recorded) as Extract<ResourceEvent, { type: 'ResourceSubmitted' }>;
    if (data.source) known.set(data.source.id, data.svc_id);
  }
  return known;
}

function countsOf(report: ImportReport): Partial<Counted> {
  const { new: added, revised, approved, deactivated, reactivated, unchanged, conflicts, missing } = report;
  const counts = { new: added, revised, approved, deactivated, reactivated, unchanged, conflicts, missing };
  return { ...counts, left_out_erased: report.erased_left_out };
}

import type { SideStore, SideTable } from '../stores/side/port.ts';
import { workKey, type WorkOfTeam } from './team-jobs.ts';
import type { RecordConflict } from './report.ts';

/** So many records are one entry of the side store: those that a page shows. */
const perEntry = 25;
/** So many entries are read at a time. */
const readAtOnce = 40;

/** Some of the records in which a source and people have changed the same fields, and of how many. */
export interface ConflictPage {
  readonly records: readonly RecordConflict[];
  readonly all: number;
}

/** The conflicts of imports, beside their reports: ten thousand records with three states each are too much for one entry. */
export class KeptConflicts {
  readonly #entries: SideTable<readonly RecordConflict[]>;

  constructor(side: SideStore) {
    this.#entries = side.table('directory-import-conflicts');
  }

  /** Replaces those of an import. */
  async put(of: WorkOfTeam, all: readonly RecordConflict[], until: Date): Promise<void> {
    await this.forget(of);
    for (let from = 0; from < all.length; from += perEntry)
      await this.#entries.put(entryKey(of, from), all.slice(from, from + perEntry), until);
  }

  async forget(of: WorkOfTeam): Promise<void> {
    for await (const { id } of this.#entriesOf(of)) await this.#entries.delete(id);
  }

  /** All of an import, in the order of its file. */
  async *all(of: WorkOfTeam): AsyncGenerator<RecordConflict> {
    for await (const { value } of this.#entriesOf(of)) yield* value;
  }

  /** The records from a place on, of those whose name or number in the source has these words in it. */
  async page(
    of: WorkOfTeam,
    { words, from, count }: { readonly words: string; readonly from: number; readonly count: number },
  ): Promise<ConflictPage> {
    const records: RecordConflict[] = [];
    let all = 0;
    for await (const record of this.all(of)) {
      if (!has(record, words)) continue;
      if (all >= from && records.length < count) records.push(record);
      all += 1;
    }
    return { records, all };
  }

  async *#entriesOf(of: WorkOfTeam): AsyncGenerator<{ id: string; value: readonly RecordConflict[] }> {
    const prefix = `${workKey(of)}/`;
    for (let after = prefix; ;) {
      const entries = await this.#entries.list({ after, limit: readAtOnce });
      const ours = entries.filter(({ id }) => id.startsWith(prefix));
      yield* ours;
      after = ours.at(-1)?.id ?? '';
      if (ours.length < readAtOnce) return;
    }
  }
}

const entryKey = (of: WorkOfTeam, from: number): string => `${workKey(of)}/${String(from).padStart(9, '0')}`;

const has = ({ name, source_id }: RecordConflict, words: string): boolean =>
  words === '' || source_id === words || name.toLowerCase().includes(words.toLowerCase());

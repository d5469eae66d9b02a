import type { SideStore, SideTable } from '../stores/side/port.ts';
import type { SourceDoubt } from './choose-source.ts';
import type { SheetColumns } from './sheet-columns.ts';
import { keptMs, workKey } from './team-jobs.ts';
import { KeptConflicts } from './kept-conflicts.ts';
import type { ImportReport } from './report.ts';
import type { Take } from './take.ts';

/**
 * What an import is at.
 *
 * - receiving: the file arrives
 * - comparing: what would change is found out
 * - asking: its source is not clear, and somebody has to say it before anything is compared
 * - columns: somebody has to say what the columns of a spreadsheet are before anything is compared
 * - compared: somebody has to decide
 * - importing: records are changed
 * - imported, failed, cancelled: it is over, and the file is removed
 * - interrupted: the server stopped or a fault of ours ended it; it can be started again while the file is there
 */
export type ImportPhase =
  | 'receiving'
  | 'comparing'
  | 'asking'
  | 'columns'
  | 'compared'
  | 'importing'
  | 'imported'
  | 'failed'
  | 'cancelled'
  | 'interrupted';

/** One import in the browser. It names people by their ids alone. */
export interface ImportState {
  /** Also the correlation id of all events of the import. */
  readonly id: string;
  readonly team: string;
  /** What the person calls the file. */
  readonly file: string;
  /** How the file is stored. Absent while it arrives. */
  readonly kind?: UploadKind;
  /** The source: as given, by its name or id, then its id as found. */
  readonly source?: string;
  /** What the source is called, as found. */
  readonly source_name?: string;
  /** Somebody has said that the file is of the given source. */
  readonly same_source?: true;
  /** Why the source is not clear. */
  readonly question?: SourceQuestioned;
  /** Of a spreadsheet: what its columns say. */
  readonly sheet?: SheetColumns;
  readonly approve: boolean;
  readonly phase: ImportPhase;
  /** Of an import that failed, was cancelled or was interrupted: what it was at. */
  readonly during?: ImportPhase;
  /** Rows of services that are done, and all. 0 of 0 while the file is read. */
  readonly done: number;
  readonly total: number;
  /** The person who sent the file, and when. ISO 8601 UTC. */
  readonly by: string;
  readonly uploaded_at: string;
  /** When the phase began. */
  readonly began_at: string;
  /** Who had it imported. */
  readonly imported_by?: string;
  /** A sentence: why it failed. */
  readonly problem?: string;
}

/** A question about the source of a file. */
export interface SourceQuestioned {
  readonly doubt: SourceDoubt;
  readonly sentence: string;
  /** The source that it may be. */
  readonly source: string;
  readonly name: string;
}

/** `zip`: also a workbook, which is one. */
export type UploadKind = 'zip' | 'json' | 'csv';

/** What somebody has chosen for an import. Default: what people have changed stays, and nothing is taken out. */
export interface ImportChoices {
  readonly take?: Take;
  readonly removeMissing?: 'few' | 'any';
}

/** What a person wants of an import. The node that has the file does it. */
export interface ImportRequest {
  readonly wanted: 'import' | 'again' | 'compare' | 'cancel';
  /** Of a comparison: the source that somebody has said it is. */
  readonly source?: string;
  readonly same_source?: boolean;
  readonly by: string;
  readonly at: string;
}

/** So many imports of a team are listed. Older ones are forgotten. */
export const keptOfTeam = 20;
/** A file waits so long for a decision. */
export const fileKeptMs = 24 * 60 * 60_000;

/** Phases in which a node works on the import. */
export const isUnderWay = ({ phase }: Pick<ImportState, 'phase'>): boolean =>
  phase === 'receiving' || phase === 'comparing' || phase === 'importing';

/** Phases in which the file is kept although nobody works on it. */
export const keepsFile = ({ phase }: Pick<ImportState, 'phase'>): boolean =>
  phase === 'compared' || phase === 'asking' || phase === 'columns' || phase === 'interrupted';

/** Phases in which somebody has to decide. */
export const waitsForAnswer = ({ phase }: Pick<ImportState, 'phase'>): boolean =>
  phase === 'compared' || phase === 'asking' || phase === 'columns';

/** The imports of all teams, in the side store: every node sees them. */
export class ImportRecords {
  /** The conflicts of their reports, which leave them out. */
  readonly conflicts: KeptConflicts;
  readonly #states: SideTable<ImportState>;
  readonly #reports: SideTable<ImportReport>;
  readonly #requests: SideTable<ImportRequest>;
  readonly #choices: SideTable<ImportChoices>;
  readonly #now: () => Date;

  constructor(side: SideStore, now: () => Date) {
    this.#states = side.table('directory-imports');
    this.#reports = side.table('directory-import-reports');
    this.#requests = side.table('directory-import-requests');
    this.#choices = side.table('directory-import-choices');
    this.conflicts = new KeptConflicts(side);
    this.#now = now;
  }

  get(team: string, id: string): Promise<ImportState | undefined> {
    return this.#states.get(workKey({ team, id }));
  }

  put(state: ImportState): Promise<void> {
    return this.#states.put(workKey(state), state, this.#in(keptMs));
  }

  async forget(state: Pick<ImportState, 'team' | 'id'>): Promise<void> {
    const key = workKey(state);
    await Promise.all([
      this.#states.delete(key),
      this.#reports.delete(key),
      this.#requests.delete(key),
      this.#choices.delete(key),
      this.conflicts.forget(state),
    ]);
  }

  /** The imports of a team, newest first. */
  async ofTeam(team: string): Promise<ImportState[]> {
    const prefix = `${team}/`;
    // Some more than are kept: those that were begun since it was last tidied up.
    const found = await this.#states.list({ after: prefix, limit: 4 * keptOfTeam });
    return found
      .filter(({ id }) => id.startsWith(prefix))
      .map(({ value }) => value)
      .sort((one, other) => (one.uploaded_at < other.uploaded_at ? 1 : -1));
  }

  report({ team, id }: Pick<ImportState, 'team' | 'id'>): Promise<ImportReport | undefined> {
    return this.#reports.get(workKey({ team, id }));
  }

  async putReport(state: ImportState, report: ImportReport): Promise<void> {
    const until = this.#in(keptMs);
    await this.conflicts.put(state, report.conflict_records, until);
    await this.#reports.put(workKey(state), { ...report, conflict_records: [] }, until);
  }

  /** What somebody has chosen for the import, beside its file. */
  async choices({ team, id }: Pick<ImportState, 'team' | 'id'>): Promise<ImportChoices> {
    return (await this.#choices.get(workKey({ team, id }))) ?? {};
  }

  putChoices(state: Pick<ImportState, 'team' | 'id'>, choices: ImportChoices): Promise<void> {
    return this.#choices.put(workKey(state), choices, this.#in(keptMs));
  }

  request({ team, id }: Pick<ImportState, 'team' | 'id'>): Promise<ImportRequest | undefined> {
    return this.#requests.get(workKey({ team, id }));
  }

  putRequest(state: ImportState, request: ImportRequest): Promise<void> {
    return this.#requests.put(workKey(state), request, this.#in(fileKeptMs));
  }

  forgetRequest(state: Pick<ImportState, 'team' | 'id'>): Promise<void> {
    return this.#requests.delete(workKey(state));
  }

  #in(ms: number): Date {
    return new Date(this.#now().getTime() + ms);
  }
}

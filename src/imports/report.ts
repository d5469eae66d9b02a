import type { SourceSummary } from '../hsds/accounting.ts';
import type { HsdsItem, HsdsOrganization } from '../hsds/item.ts';
import type { Mapping } from '../hsds/sheet/mapping.ts';
import type { Change } from '../projections/until-shown.ts';

/** A place in the source, and why something of it was left out. */
export interface Complaint {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** The result of importing a datapackage, or, with `dry_run`, what importing it would change. */
export interface ImportReport extends SourceSummary {
  readonly source: string;
  readonly team: string;
  readonly dry_run: boolean;
  readonly services: number;
  readonly new: number;
  readonly revised: number;
  readonly approved: number;
  readonly deactivated: number;
  readonly reactivated: number;
  readonly unchanged: number;
  /** How many revised records differ in a field, by field. Of a dry run alone. */
  readonly revised_fields?: Readonly<Record<string, number>>;
  /** The first records that would change. Of a dry run alone. */
  readonly changes?: readonly ImportChange[];
  /** How a spreadsheet was read: what its columns say, and null for those that were left out. */
  readonly sheet?: Mapping;
  readonly problems: readonly Complaint[];
  readonly warnings: readonly Complaint[];
  /** How many changes, problems and warnings are not listed, because there are too many. */
  readonly not_listed: { readonly changes: number; readonly problems: number; readonly warnings: number };
}

/** How many changes the records of a report come to. A record that is new and approved counts once. */
export const changesIn = ({
  new: fresh,
  revised,
  approved,
  deactivated,
  reactivated,
}: ImportReport): number => fresh + revised + Math.max(0, approved - fresh) + deactivated + reactivated;

/** How many problems there were: rows, or objects, that could not be used. */
export const leftOutOf = ({ problems, not_listed }: Pick<ImportReport, 'problems' | 'not_listed'>): number =>
  problems.length + not_listed.problems;

/** A record that would change. */
export interface ImportChange {
  readonly file: string;
  readonly line: number;
  readonly svc_id: string;
  readonly source_id: string;
  readonly name: string;
  /** What would happen to it, in this order. */
  readonly events: readonly string[];
  /** The fields that would change. Empty for a new record. */
  readonly fields: readonly string[];
}

/** What importing one item came to. */
export interface ItemOutcome {
  readonly types: readonly string[];
  readonly preview?: Pick<ImportChange, 'svc_id' | 'fields'>;
}

/** So many changes, problems and warnings are listed each: memory must not grow with the source. */
export const mostListed = 10_000;

/** Counts the outcomes of an import while it runs. */
export class ImportTally {
  readonly #mostListed: number;
  readonly #counts = new Map<string, number>();
  readonly #fields = new Map<string, number>();
  readonly #lists = {
    changes: [] as ImportChange[],
    problems: [] as Complaint[],
    warnings: [] as Complaint[],
  };
  readonly #notListed = { changes: 0, problems: 0, warnings: 0 };
  readonly #positions = new Map<string, Change>();
  #unchanged = 0;

  constructor(most = mostListed) {
    this.#mostListed = most;
  }

  add(item: Exclude<HsdsItem, HsdsOrganization>, outcome?: ItemOutcome): void {
    if (item.kind !== 'record') {
      const { file, line, reason } = item;
      this.#list(item.kind === 'problem' ? 'problems' : 'warnings', { file, line, reason });
      return;
    }
    const types = outcome?.types ?? [];
    if (types.length === 0) this.#unchanged += 1;
    for (const type of new Set(types)) increase(this.#counts, type);
    const preview = outcome?.preview;
    if (!preview) return;
    for (const field of preview.fields) increase(this.#fields, field);
    if (types.length === 0) return;
    const { file, line, source_id, fields } = item;
    this.#list('changes', { file, line, ...preview, source_id, name: fields.name, events: types });
  }

  /** Remembers what must be visible in the end: the latest change of each kind. */
  addChange({ types, position }: Change): void {
    const key = types.join();
    const known = this.#positions.get(key);
    if (!known || known.position < position) this.#positions.set(key, { types, position });
  }

  changes(): readonly Change[] {
    return [...this.#positions.values()];
  }

  report(
    of: Pick<ImportReport, 'source' | 'team' | 'services' | 'dry_run' | 'sheet'>,
    summary: SourceSummary,
  ): ImportReport {
    const having = (type: string): number => this.#counts.get(type) ?? 0;
    const previewed = {
      revised_fields: Object.fromEntries([...this.#fields].sort(([, left], [, right]) => right - left)),
      // They are compared side by side, and end in any order.
      changes: this.#lists.changes.toSorted(byPlace),
    };
    return {
      ...of,
      new: having('ResourceSubmitted'),
      revised: having('ResourceRevised'),
      approved: having('ResourceApproved'),
      deactivated: having('ResourceDeactivated'),
      reactivated: having('ResourceReactivated'),
      unchanged: this.#unchanged,
      ...(of.dry_run ? previewed : {}),
      problems: this.#lists.problems,
      warnings: this.#lists.warnings,
      not_listed: this.#notListed,
      ...summary,
    };
  }

  #list(name: 'changes' | 'problems' | 'warnings', entry: ImportChange | Complaint): void {
    const list: unknown[] = this.#lists[name];
    if (list.length < this.#mostListed) list.push(entry);
    else this.#notListed[name] += 1;
  }
}

const byPlace = (one: ImportChange, other: ImportChange): number =>
  one.file < other.file ? -1 : one.file > other.file ? 1 : one.line - other.line;

const increase = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

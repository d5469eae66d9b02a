import type { FieldConflict } from '../commands/directory/three-way.ts';
import type { SourceSummary } from '../hsds/accounting.ts';
import type { HsdsItem, HsdsOrganization, HsdsUnchanged } from '../hsds/item.ts';
import type { Mapping } from '../hsds/sheet/mapping.ts';
import type { Missing, MissingOrganization, MissingRecord } from './missing-records.ts';
import type { ResourceFieldName } from '../events/directory/resource-fields.ts';
import type { Change } from '../projections/until-shown.ts';

/** A place in the source, and why something of it was left out. */
export interface Complaint {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** The result of importing a datapackage, or, with `dry_run`, what importing it would change. */
export interface ImportReport extends SourceSummary {
  /** The id of the source, as it stands in the records. */
  readonly source: string;
  /** What it is called. */
  readonly source_name?: string;
  readonly team: string;
  readonly dry_run: boolean;
  readonly services: number;
  readonly new: number;
  readonly revised: number;
  readonly approved: number;
  readonly deactivated: number;
  readonly reactivated: number;
  readonly unchanged: number;
  /** What became of the organizations. Absent of reports from before they had records. */
  readonly organizations?: OrganizationCounts;
  /** The id of the import, by which it is undone. Not of a dry run. */
  readonly import?: string;
  /** Records in which the source and a person have changed the same field. */
  readonly conflicts: number;
  /** The first of them, with what the source said before, what it says now, and what stands. */
  readonly conflict_records: readonly RecordConflict[];
  /** Records of the source that the file does not have, and of how many. */
  readonly missing: number;
  readonly missing_of: number;
  readonly missing_records: readonly MissingRecord[];
  /** The first organizations that the file does not have. */
  readonly missing_organizations?: readonly MissingOrganization[];
  /** Whether they are, or would be, taken out. */
  readonly missing_removed: boolean;
  /** Contacts that the file has and that stay out, because they were erased. */
  readonly erased_left_out: number;
  /** How many revised records differ in a field, by field. Of a dry run alone. */
  readonly revised_fields?: Readonly<Record<string, number>>;
  /** Of these, how many would say nothing in it any more. Of a dry run alone, and absent where there is none. */
  readonly emptied_fields?: Readonly<Record<string, number>>;
  /** The first records that would change. Of a dry run alone. */
  readonly changes?: readonly ImportChange[];
  /** How a spreadsheet was read: what its columns say, and null for those that were left out. */
  readonly sheet?: Mapping;
  readonly problems: readonly Complaint[];
  readonly warnings: readonly Complaint[];
  /** How many changes, problems and warnings are not listed, because there are too many. */
  readonly not_listed: Readonly<Record<ListName, number>>;
}

/** Numbers of organizations. */
export interface OrganizationCounts {
  readonly new: number;
  readonly revised: number;
  readonly unchanged: number;
  /** Those that the file does not have. Absent of reports from before they were looked for. */
  readonly missing?: number;
  /** So many of these were taken out. The others are named by services that are public, or were not to be taken out. */
  readonly taken_out?: number;
}

/** What a source calls an organization among the records of a report, and of what is taken: a service may have the same id. */
export const organizationKey = (sourceId: string): string => `organization:${sourceId}`;

type ListName = 'changes' | 'problems' | 'warnings' | 'conflicts' | 'missing';

/** A record or an organization in which the source and a person have changed the same fields. */
export interface RecordConflict {
  /** Of an organization: its `org_id`. */
  readonly svc_id: string;
  /** Of an organization: as `organizationKey` says. */
  readonly source_id: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly fields: readonly FieldConflict[];
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
  readonly svc_id: string;
  readonly conflicts: readonly FieldConflict[];
  readonly erased: number;
  /** The fields that would change. Of a dry run. */
  readonly fields?: readonly string[];
}

/** So many changes, problems and warnings are listed each: memory must not grow with the source. */
export const mostListed = 10_000;

/** Counts the outcomes of an import while it runs. */
export class ImportTally {
  readonly #mostListed: number;
  readonly #counts = new Map<string, number>();
  readonly #fields = new Map<string, number>();
  readonly #emptied = new Map<string, number>();
  readonly #lists = {
    changes: [] as ImportChange[],
    problems: [] as Complaint[],
    warnings: [] as Complaint[],
    conflicts: [] as RecordConflict[],
    missing: [] as MissingRecord[],
  };
  readonly #notListed = { changes: 0, problems: 0, warnings: 0, conflicts: 0, missing: 0 };
  readonly #positions = new Map<string, Change>();
  readonly #organizations = { new: 0, revised: 0, unchanged: 0 };
  #unchanged = 0;
  #missingOrganizations: readonly MissingOrganization[] = [];
  #erased = 0;
  #conflicts = 0;
  #missing: Missing = { records: [], of: 0 };

  constructor(most = mostListed) {
    this.#mostListed = most;
  }

  add(item: Exclude<HsdsItem, HsdsOrganization | HsdsUnchanged>, outcome?: ItemOutcome): void {
    if (item.kind !== 'record') {
      const { file, line, reason } = item;
      this.#list(item.kind === 'problem' ? 'problems' : 'warnings', { file, line, reason });
      return;
    }
    const types = outcome?.types ?? [];
    // What the source says was recorded, and the record stays as it is.
    const changing = types.filter((type) => type !== 'ResourceReadFromSource');
    if (changing.length === 0) this.#unchanged += 1;
    // What comes back and is approved at once is put back once.
    const once = new Set(types);
    if (once.has('ResourceReactivated')) once.delete('ResourceResubmitted');
    for (const type of once) increase(this.#counts, type);
    if (!outcome) return;
    const { svc_id, conflicts, erased } = outcome;
    const { file, line, source_id, fields } = item;
    const of = { file, line, svc_id, source_id, name: fields.name };
    this.#erased += erased;
    if (conflicts.length > 0) {
      this.#conflicts += 1;
      this.#list('conflicts', { ...of, fields: conflicts });
    }
    if (!outcome.fields) return;
    for (const field of outcome.fields) {
      increase(this.#fields, field);
      if (fields[field as ResourceFieldName] === undefined) increase(this.#emptied, field);
    }
    if (changing.length > 0) this.#list('changes', { ...of, events: types, fields: outcome.fields });
  }

  /** `conflict`: in which its source and a person have changed the same fields. */
  addOrganization(types: readonly string[], conflict?: RecordConflict): void {
    if (conflict && conflict.fields.length > 0) {
      this.#conflicts += 1;
      this.#list('conflicts', conflict);
    }
    const changing = types.filter((type) => type !== 'OrganizationReadFromSource');
    if (types.includes('OrganizationSubmitted')) this.#organizations.new += 1;
    else this.#organizations[changing.length > 0 ? 'revised' : 'unchanged'] += 1;
  }

  /** The source says of one what it said before. */
  addUnchanged(of: HsdsUnchanged['of']): void {
    if (of === 'service') this.#unchanged += 1;
    else this.#organizations.unchanged += 1;
  }

  addMissing(missing: Missing): void {
    this.#missing = missing;
    for (const record of missing.records) this.#list('missing', record);
  }

  /** `removed`: so many of them were taken out. */
  addMissingOrganizations(missing: readonly MissingOrganization[], removed: number): void {
    Object.assign(this.#organizations, { missing: missing.length, taken_out: removed });
    this.#missingOrganizations = missing.slice(0, this.#mostListed);
  }

  addRemoved(types: readonly string[]): void {
    for (const type of new Set(types)) increase(this.#counts, type);
  }

  /** Remembers what must be visible in the end: the latest change of each kind. */
  addChange({ types, position }: Change): void {
    const key = types.join();
    const existing = this.#positions.get(key);
    if (!existing || existing.position < position) this.#positions.set(key, { types, position });
  }

  changes(): readonly Change[] {
    return [...this.#positions.values()];
  }

  report(
    of: Pick<
      ImportReport,
      'source' | 'source_name' | 'team' | 'services' | 'dry_run' | 'import' | 'missing_removed' | 'sheet'
    >,
    summary: SourceSummary,
  ): ImportReport {
    const having = (type: string): number => this.#counts.get(type) ?? 0;
    const previewed = {
      revised_fields: Object.fromEntries([...this.#fields].sort(([, left], [, right]) => right - left)),
      ...(this.#emptied.size > 0 && { emptied_fields: Object.fromEntries(this.#emptied) }),
      // They are compared side by side, and end in any order.
      changes: this.#lists.changes.toSorted(byPlace),
    };
    return {
      ...of,
      new: having('ResourceSubmitted'),
      revised: having('ResourceRevised'),
      approved: having('ResourceApproved'),
      deactivated: having('ResourceDeactivated') + having('ResourceWithdrawn'),
      reactivated: having('ResourceReactivated') + having('ResourceResubmitted'),
      unchanged: this.#unchanged,
      organizations: { ...this.#organizations },
      conflicts: this.#conflicts,
      conflict_records: this.#lists.conflicts.toSorted(byPlace),
      missing: this.#missing.records.length,
      missing_of: this.#missing.of,
      missing_records: this.#lists.missing,
      missing_organizations: this.#missingOrganizations,
      erased_left_out: this.#erased,
      ...(of.dry_run ? previewed : {}),
      problems: this.#lists.problems,
      warnings: this.#lists.warnings,
      not_listed: this.#notListed,
      ...summary,
    };
  }

  #list(name: ListName, entry: object): void {
    const list: unknown[] = this.#lists[name];
    // Each conflict may be decided about, so more of them are listed.
    const most = name === 'conflicts' ? mostListed : this.#mostListed;
    if (list.length < most) list.push(entry);
    else this.#notListed[name] += 1;
  }
}

const byPlace = (one: Complaint | RecordConflict | ImportChange, other: typeof one): number =>
  one.file < other.file ? -1 : one.file > other.file ? 1 : one.line - other.line;

const increase = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

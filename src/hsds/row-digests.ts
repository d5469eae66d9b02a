import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Accounting } from './accounting.ts';
import { lookUpOrganization, lookUpPhonesAndContacts } from './organization/look-up.ts';
import { organizationRowOf } from './organization/organization-of.ts';
import type { HsdsItem, HsdsUnchanged } from './item.ts';
import { placesOf } from './places.ts';
import { isOnly, isOnlyService, type Source } from './service-rows.ts';
import { linkColumns, type LinkColumn, type TableName } from './source/layout.ts';
import { mostRows, type OwnerColumn, type RelatedRows, type Row } from './source/related-rows.ts';

/** What was read of a source before, and how its digests are made. */
export interface ReadBefore {
  /** Digests are keyed: what rows say of persons cannot be guessed from them. */
  readonly key: Uint8Array;
  /** What a digest depends on beside the rows: by what code and with which choices they are read. */
  readonly readBy: string;
  /** Of rows whose records need not be made again. */
  readonly digests: ReadonlySet<string>;
}

/** Where services are is said by services: an organization looks at it, and carries nothing of it but its offices. */
const ofServices: ReadonlySet<TableName> = new Set([
  'services',
  'servicesAtLocations',
  'locations',
  'addresses',
  'physicalAddresses',
  'postalAddresses',
]);

/** Makes the records of a source, but those whose rows all are as they were read before. */
export class RowDigests {
  readonly #before: ReadBefore;
  readonly #watched: WatchedRows;
  readonly #accounting: Accounting;
  readonly #readBy: string;
  readonly #key: KeyObject;

  constructor(rows: RelatedRows, accounting: Accounting, before: ReadBefore) {
    this.#before = before;
    this.#key = createSecretKey(before.key);
    this.#watched = new WatchedRows(rows);
    this.#accounting = accounting;
    this.#readBy = createHash('sha256')
      .update(`${before.readBy}\0${this.#watched.filled}`)
      .update(sharedDigest(rows))
      .digest('base64url');
  }

  /**
   * What `make` makes of a row with the rows that it is given, or that nothing of it has changed. A record has no digest to
   * remember when something was reported while it was made, or a row was left out: the next report has to say it again.
   */
  itemsOf(
    of: HsdsUnchanged['of'],
    row: Row,
    make: (rows: RelatedRows) => readonly HsdsItem[],
  ): readonly HsdsItem[] {
    const accounting = this.#accounting;
    const found = this.#watched.walk(row, () => {
      if (of === 'service') lookUpService(this.#watched, row);
      else lookUpOrganization(this.#watched, row);
    });
    if (!found) return make(this.#watched);
    const digest = this.#digestOf(of, found);
    const isOthers = ({ table }: Row): boolean =>
      shared.has(table) || (of === 'organization' && ofServices.has(table));
    if (this.#before.digests.has(digest)) {
      // What was carried then is carried now.
      accounting.read(row, ...found.rows.filter((each) => !isOthers(each)));
      return [{ kind: 'unchanged', of, digest }];
    }
    const { reports } = accounting;
    const items = make(this.#watched);
    const isPlain =
      this.#watched.covers &&
      accounting.reports === reports &&
      found.rows.every((each) => each === row || accounting.hasRead(each) !== isOthers(each));
    if (!isPlain) return items;
    return items.map((item) =>
      item.kind === 'record' || item.kind === 'organization' ? { ...item, digest } : item,
    );
  }

  #digestOf(of: HsdsUnchanged['of'], { text }: Found): string {
    return createHmac('sha256', this.#key)
      .update(`${of}\0${this.#readBy}\0${text}`)
      .digest('base64url')
      .slice(0, digestLength);
  }
}

/** 132 bits. */
const digestLength = 22;

/** Tables whose rows any record may use: they are few, and seldom change. `sharedDigest` says what is in them. */
const shared: ReadonlySet<TableName> = new Set(['terms', 'units', 'taxonomies']);

/** What look-ups found, as one text, and the rows that they found. */
interface Found {
  readonly text: string;
  readonly rows: readonly Row[];
}

/**
 * The rows of a source, of which is noted what is looked up. First `walk` makes the look-ups that a record may need, and
 * digests what they find. Then `covers` says whether what was looked up while the record was made was all among them: then
 * the same digest means the same record, because each look-up follows from what those before it have found.
 */
class WatchedRows implements RelatedRows {
  /** The columns of ids that have a value in any row, by table. Elsewhere nothing is ever found. */
  readonly filled: string;
  readonly #rows: RelatedRows;
  readonly #filled = new Map<TableName, Set<string>>();
  readonly #walked = new Set<string>();
  #texts: string[] | undefined;
  #found: Row[] = [];
  #isCovered = true;

  constructor(rows: RelatedRows) {
    this.#rows = rows;
    for (const { table, filled } of rows.files) {
      const columns = this.#filled.get(table) ?? new Set();
      this.#filled.set(table, columns);
      for (const column of linkColumns) if ((filled.get(column) ?? 0) > 0) columns.add(column);
    }
    this.filled = JSON.stringify([...this.#filled].map(([table, columns]) => [table, [...columns].sort()]));
  }

  /** What a row says, and what `lookUp` finds. Undefined when that is more than is looked at. */
  walk(row: Row, lookUp: () => void): Found | undefined {
    this.#walked.clear();
    this.#found = [row];
    this.#isCovered = true;
    this.#texts = [row.content];
    lookUp();
    const text = this.#texts.join('\0');
    this.#texts = undefined;
    return this.covers ? { text, rows: this.#found } : undefined;
  }

  /** Whether everything that was looked up since the last walk was looked up in it. */
  get covers(): boolean {
    return this.#isCovered;
  }

  get files() {
    return this.#rows.files;
  }

  get unknownFiles() {
    return this.#rows.unknownFiles;
  }

  get unusable() {
    return this.#rows.unusable;
  }

  rowsOf(table: TableName, column: LinkColumn, id: string): readonly Row[] {
    const rows = this.#rows.rowsOf(table, column, id);
    return this.#isNoted(table, column, id) ? this.#noted(`${table}.${column}=${id}`, rows) : rows;
  }

  belongingTo(table: TableName, column: OwnerColumn, id: string): readonly Row[] {
    const rows = this.#rows.belongingTo(table, column, id);
    return this.#isNoted(table, column, id) ? this.#noted(`${table}<${column}=${id}`, rows) : rows;
  }

  rowOf(table: TableName, id: string): Row | undefined {
    const row = this.#rows.rowOf(table, id);
    if (this.#isNoted(table, 'id', id)) this.#noted(`${table}#${id}`, row ? [row] : []);
    return row;
  }

  hasRepeatedIds(table: TableName): boolean {
    return this.#rows.hasRepeatedIds(table);
  }

  each(table: TableName): Iterable<Row> {
    this.#isCovered = false;
    return this.#rows.each(table);
  }

  links() {
    return this.#rows.links();
  }

  warnings() {
    return this.#rows.warnings();
  }

  passedOver() {
    return this.#rows.passedOver();
  }

  #isNoted(table: TableName, column: LinkColumn, id: string): boolean {
    return id !== '' && !shared.has(table) && this.#filled.get(table)?.has(column) === true;
  }

  #noted(key: string, rows: readonly Row[]): readonly Row[] {
    if (!this.#texts) {
      if (!this.#walked.has(key)) this.#isCovered = false;
      return rows;
    }
    if (this.#walked.has(key)) return rows;
    this.#walked.add(key);
    if (rows.length >= mostRows) this.#isCovered = false;
    if (rows.length === 0) return rows;
    this.#texts.push(key);
    for (const row of rows) {
      this.#texts.push(row.content);
      this.#found.push(row);
    }
    return rows;
  }
}

/** Tables whose rows belong to services and to what they are offered at or by. */
const belonging: readonly TableName[] = [
  'schedules',
  'contacts',
  'phones',
  'languages',
  'eligibility',
  'serviceAreas',
  'requiredDocuments',
  'costOptions',
  'paymentsAccepted',
  'serviceCapacities',
];

const silent: Pick<Source, 'warn' | 'accounting'> = {
  warn: () => undefined,
  accounting: { read: () => undefined, leave: () => undefined, repair: () => undefined },
};

/**
 * Looks up all rows from which the record of a service may be made. The look-ups are those of `draftOf`; one that is missing
 * here makes it be read each time, and changes no record.
 */
function lookUpService(related: RelatedRows, row: Row): void {
  const id = row.cell('id');
  const source: Source = { related, ...silent };
  const organizationRow = organizationRowOf(row, source);
  const organization = organizationRow?.cell('id') ?? row.cell('organization_id');
  const places = placesOf(source, row, organization);
  related.rowsOf('servicesTaxonomy', 'service_id', id);
  related.rowsOf('attributes', 'service_id', id);
  related.rowsOf('attributes', 'link_id', id);
  related.rowsOf('metadata', 'resource_id', id);
  related.belongingTo('urls', 'service_id', id);
  const persons: Row[] = [];
  const phones: Row[] = [];
  const visit = (column: OwnerColumn, owner: string): void => {
    for (const table of belonging) {
      const rows = related.belongingTo(table, column, owner);
      if (table === 'contacts') persons.push(...rows);
      if (table === 'phones') phones.push(...rows);
      if (rows.length === 0) continue;
      if (column === 'location_id') isOnly(related, 'servicesAtLocations', column, owner);
      if (column === 'organization_id') isOnlyService(related, id, owner);
    }
  };
  visit('service_id', id);
  for (const { serviceAtLocation, location } of places) {
    visit('service_at_location_id', serviceAtLocation);
    visit('location_id', location);
    related.rowsOf('accessibility', 'location_id', location);
    related.rowsOf('attributes', 'link_id', location);
  }
  visit('organization_id', organization);
  lookUpPhonesAndContacts(related, phones, persons);
}

function sharedDigest(rows: RelatedRows): string {
  const hash = createHash('sha256');
  for (const table of shared) {
    hash.update(`\0${table}`);
    for (const row of rows.each(table)) hash.update('\0').update(row.content);
  }
  return hash.digest('base64url');
}

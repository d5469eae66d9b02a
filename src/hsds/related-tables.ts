import type { Vote } from './category/categories.ts';
import { scheduleReader, type ScheduleRow } from './hours/schedule-rows.ts';
import { fileOf, layouts, type TableName } from './source/layout.ts';
import { append, link, noLinkedRows, placeOf, type LinkedRows, type Placed } from './linked-rows.ts';
import type { PackageFiles } from './source/package-files.ts';
import type { HsdsProblem, HsdsWarning } from './item.ts';
import { readTable, type EachRow, type Row } from './source/table.ts';
import { loadVotes } from './category/taxonomy-terms.ts';
import { cleanLine, emailAddress, quoted, webAddress } from './text.ts';

export interface Organization {
  readonly name: string;
  readonly url: string;
  readonly email: string;
}

export interface Phone extends Placed {
  readonly id: string;
  readonly number: string;
  readonly extension: string;
  /** HSDS: voice, cell, text, textphone, fax, … */
  readonly type: string;
}

export interface Address {
  readonly id: string;
  readonly type: 'physical' | 'postal';
  readonly lines: readonly string[];
  readonly city: string;
  readonly region: string;
  readonly postalCode: string;
}

export interface Language extends Placed {
  readonly name: string;
  readonly code: string;
}

export type Schedule = ScheduleRow & Placed;

/** Types of phone that nobody can call to ask for help. */
const notForCalls = /^(fax|pager|video)$/i;

/** The tables beside services, by the ids with which services name them. */
export interface RelatedTables {
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly phones: LinkedRows<Phone>;
  readonly addresses: ReadonlyMap<string, readonly Address[]>;
  /** By service. */
  readonly locations: ReadonlyMap<string, readonly { readonly id: string; readonly location: string }[]>;
  readonly schedules: LinkedRows<Schedule>;
  readonly languages: LinkedRows<Language>;
  /** By service. */
  readonly eligibility: ReadonlyMap<string, readonly string[]>;
  /** By service: what its taxonomy terms say about its category. */
  readonly votes: ReadonlyMap<string, readonly Vote[]>;
  /** Rows that could not be used. */
  readonly problems: readonly (HsdsProblem | HsdsWarning)[];
}

/** Reads every table but services into memory. Throws `DatapackageError` as `readTable` does. */
export async function loadRelatedTables(files: PackageFiles): Promise<RelatedTables> {
  const problems: (HsdsProblem | HsdsWarning)[] = [];

  const each = async (table: TableName, use: (row: Row) => void): Promise<void> => {
    const file = fileOf(files, table);
    if (file === undefined) return;
    for await (const item of readTable(files, file, layouts[table].required, true)) {
      if (item.kind === 'row') use(item);
      else problems.push(item);
    }
  };

  const warn: Warn = (table, { line }, reason) => {
    problems.push({ kind: 'warning', file: fileOf(files, table) ?? table, line, reason });
  };

  const phones = noLinkedRows<Phone>();
  await each('phones', (row) => {
    const phone = {
      id: row.cell('id'),
      number: row.cell('number'),
      extension: row.cell('extension'),
      type: row.cell('type'),
    };
    if (phone.number === '' || notForCalls.test(phone.type)) return;
    link(phones, row, { ...phone, ...placeOf(row) });
  });

  const schedules = noLinkedRows<Schedule>();
  const scheduleOf = scheduleReader(fileOf(files, 'schedules') ?? 'schedules');
  await each('schedules', (row) => {
    link(schedules, row, { ...placeOf(row), ...scheduleOf(row) });
  });

  const languages = noLinkedRows<Language>();
  const same = interning();
  await each('languages', (row) => {
    const language = { name: same(row.cell('name') || row.cell('language')), code: same(row.cell('code')) };
    link(languages, row, { ...language, ...placeOf(row) });
  });

  const locations = new Map<string, { id: string; location: string }[]>();
  await each('servicesAtLocations', (row) => {
    append(locations, row.cell('service_id'), { id: row.cell('id'), location: row.cell('location_id') });
  });

  const eligibility = new Map<string, string[]>();
  await each('eligibility', (row) => append(eligibility, row.cell('service_id'), row.cell('eligibility')));

  return {
    organizations: await loadOrganizations(each, warn),
    phones,
    schedules,
    languages,
    locations,
    eligibility,
    addresses: await loadAddresses(each),
    votes: await loadVotes(each),
    problems,
  };
}

type Warn = (table: TableName, row: Row, reason: string) => void;

async function loadOrganizations(each: EachRow, warn: Warn): Promise<Map<string, Organization>> {
  const organizations = new Map<string, Organization>();
  await each('organizations', (row) => {
    const id = row.cell('id');
    const site = row.cell('url') || row.cell('website');
    const mail = row.cell('email');
    const url = webAddress(site);
    const email = emailAddress(mail);
    if (organizations.has(id)) {
      warn('organizations', row, `organization ${id} is there already; this row is left out`);
      return;
    }
    const wrong = (field: string, value: string, kind: string): void =>
      warn(
        'organizations',
        row,
        `organization ${id}: the ${field} ${quoted(value)} is not ${kind} address; left out`,
      );
    if (url === undefined && site !== '') wrong('url', site, 'a web');
    if (email === undefined && mail !== '') wrong('email', mail, 'an email');
    organizations.set(id, { name: cleanLine(row.cell('name')), url: url ?? '', email: email ?? '' });
  });
  return organizations;
}

async function loadAddresses(each: EachRow): Promise<Map<string, Address[]>> {
  const addresses = new Map<string, Address[]>();
  const add = (type: Address['type']) => (row: Row) =>
    append(addresses, row.cell('location_id'), {
      id: row.cell('id'),
      type,
      lines: [row.cell('address_1'), row.cell('address_2')],
      city: row.cell('city'),
      region: row.cell('state_province') || row.cell('region'),
      postalCode: row.cell('postal_code'),
    });
  await each('physicalAddresses', add('physical'));
  await each('postalAddresses', add('postal'));
  await each('addresses', (row) => {
    const type = row.cell('address_type').toLowerCase();
    if (type !== 'virtual') add(type === 'postal' ? 'postal' : 'physical')(row);
  });
  return addresses;
}

/** Returns one string for equal strings: a large directory repeats the names of a few languages many times. */
function interning(): (text: string) => string {
  const pool = new Map<string, string>();
  return (text) => {
    const known = pool.get(text);
    if (known !== undefined) return known;
    pool.set(text, text);
    return text;
  };
}

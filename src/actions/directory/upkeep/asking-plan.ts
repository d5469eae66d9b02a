import { offsetAt, weekdayOf } from '../../../events/directory/local-time.ts';
import { mostInAsk } from '../../../events/directory/upkeep/agency-contact.ts';
import { svcIdOf } from '../../../events/ids.ts';
import { recordLookup, type RecordLookupDocument } from '../../../projections/directory/record-lookup.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import { agencyCalls } from '../../../projections/directory/upkeep/agency-asking.ts';
import {
  agencyContacts,
  type AgencyContactDocument,
} from '../../../projections/directory/upkeep/agency-contacts.ts';
import { teams } from '../../../projections/teams.ts';
import { languageCodes } from '../../../tables/language-codes.ts';
import type { ActionParts } from '../../action.ts';
import {
  dueRecordsOf,
  isTurn,
  reachOf,
  spreadDayOf,
  spreadDays,
  type AgencyAddress,
  type CallReason,
  type DueRecord,
  type Reach,
} from './agency-reach.ts';

const dayMs = 86_400_000;
/** Records that are read at a time. */
const pageSize = 500;

/** What asking needs to know of the installation. */
export interface AskingConfig {
  readonly smtpUrl?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly staleAfterDays: Readonly<Record<'record' | 'hours' | 'phones' | 'places', number>>;
}

export type AskingParts = Pick<ActionParts, 'store' | 'documents' | 'personal' | 'side' | 'masterKey'> & {
  readonly config: AskingConfig;
};

/** After so many days without a confirmation the first part of a record is stale. */
export const usualDays = ({ staleAfterDays }: AskingConfig): number =>
  Math.min(...Object.values(staleAfterDays));

/** A day of a time zone: its number since 1970, its hour, and whether agencies read mails on it. */
export interface LocalDay {
  readonly day: number;
  readonly hour: number;
  readonly isWorkday: boolean;
}

export function localDay(zone: string, now: Date): LocalDay {
  const shown = now.getTime() + offsetAt(zone, now.getTime());
  const day = Math.floor(shown / dayMs);
  const weekday = weekdayOf(day);
  return {
    day,
    hour: Math.floor((shown - day * dayMs) / 3_600_000),
    isWorkday: weekday !== 'sat' && weekday !== 'sun',
  };
}

/** In which time zone a team works. */
export async function zoneOfTeam(
  { documents, config }: Pick<AskingParts, 'documents' | 'config'>,
  team: string,
): Promise<string> {
  const doc = await documents.collection(teams.collection).get(team);
  return doc?.time_zone ?? config.timeZone ?? 'UTC';
}

/** A record that is due, and what asking can do for it. */
export interface ReachedRecord {
  readonly record: DueRecord;
  readonly reach: Reach;
}

/** Where a list of records that are due goes on. */
export type DuePlace = readonly [verified: string, number: number];

/** The day before which a record must have been confirmed last to be due. */
export const dueBefore = (afterDays: number, now: Date): string =>
  new Date(now.getTime() - afterDays * dayMs).toISOString().slice(0, 10);

/** Public records of a team that are due, those that were confirmed first first, some at a time. Reads an index alone to find them. */
export async function* dueRecords(
  parts: Pick<AskingParts, 'documents' | 'personal'>,
  { team, before, after, atOnce = pageSize }: DueQuery,
  now: Date,
): AsyncGenerator<{ readonly records: readonly ReachedRecord[]; readonly end: DuePlace | undefined }> {
  const { documents } = parts;
  const lookup = documents.collection(recordLookup.collection);
  for (let place = after; ;) {
    const found: Pick<RecordLookupDocument, 'verified' | 'number'>[] = await lookup.select(
      {
        where: { team },
        also: [{ field: 'status', oneOf: ['approved'] }],
        orderBy: ['verified', 'number'],
        upTo: [before, 0],
        limit: atOnce,
        ...(place && { after: place }),
      },
      ['verified', 'number'],
    );
    const last = found.at(-1);
    place = last && ([last.verified, last.number] as const);
    const isLast = !last || found.length < atOnce;
    yield { records: await reached(parts, found, now), end: isLast ? undefined : place };
    if (isLast) return;
  }
}

export interface DueQuery {
  readonly team: string;
  readonly before: string;
  readonly after?: DuePlace | undefined;
  readonly atOnce?: number;
}

async function reached(
  parts: Pick<AskingParts, 'documents' | 'personal'>,
  found: readonly Pick<RecordLookupDocument, 'verified' | 'number'>[],
  now: Date,
): Promise<ReachedRecord[]> {
  const { documents } = parts;
  const docs: ReadonlyMap<string, ResourceDocument> = await documents
    .collection(resources.collection)
    .getMany(found.map(({ number }) => svcIdOf(number)));
  const listed = found.flatMap(({ verified, number }) => {
    const doc = docs.get(svcIdOf(number));
    return doc?.listed === 1 ? [{ ...doc, confirmedOn: verified }] : [];
  });
  const records = await dueRecordsOf(parts, listed);
  const ids = [...new Set(records.flatMap(({ addresses }) => addresses.map(({ contact }) => contact)))];
  const contacts = await contactsWith(parts, ids);
  return records.map((record) => ({ record, reach: reachOf(record, contacts, now) }));
}

export const contactsWith = async (
  { documents }: Pick<AskingParts, 'documents'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AgencyContactDocument>> =>
  ids.length === 0 ? new Map() : documents.collection(agencyContacts.collection).getMany(ids);

/** Of records, those that nobody was reached about lately. */
export async function withoutCalled<Row extends ReachedRecord>(
  { documents }: Pick<AskingParts, 'documents'>,
  rows: readonly Row[],
  today: string,
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const calls = await documents
    .collection(agencyCalls.collection)
    .getMany(rows.map(({ record }) => record.svcId));
  return rows.filter(({ record }) => (calls.get(record.svcId)?.again_on ?? '') <= today);
}

/** One mail that is to be sent. */
export interface PlannedAsk extends AgencyAddress {
  readonly svcIds: readonly string[];
  readonly language: string;
  /** Of the first record. */
  readonly organization: string | undefined;
}

/** How many records are due, by what asking can do for them. */
export interface AskingCounts {
  readonly due: number;
  /** Records that are asked about when the turn of their contact comes, and how many contacts these are. */
  readonly ask: number;
  readonly contacts: number;
  readonly waits: number;
  readonly answered: number;
  readonly call: Readonly<Partial<Record<CallReason, number>>>;
  /** New contacts by day: the first number is of the first day asked for. */
  readonly days: readonly number[];
}

export interface AskingPlan {
  readonly asks: readonly PlannedAsk[];
  readonly counts: AskingCounts;
  /** There are more records that are due than were looked at. */
  readonly isPart: boolean;
}

interface Gathered {
  readonly to: AgencyAddress;
  readonly svcIds: string[];
  readonly first: DueRecord;
  /** Of the first record that tells one of ours. */
  language: string | undefined;
}

/**
 * Looks through the records of a team that are due, and gathers them by contact. `days`: whose turn it is, by the numbers of
 * days since 1970; all: every contact that may be asked. `mostRecords`: it stops after so many.
 */
export async function planAsking(
  parts: Pick<AskingParts, 'documents' | 'personal'>,
  {
    team,
    before,
    days,
    today,
    mostRecords = Infinity,
  }: {
    readonly team: string;
    readonly before: string;
    readonly days: readonly number[] | 'all';
    readonly today: number;
    readonly mostRecords?: number;
  },
  now: Date,
): Promise<AskingPlan> {
  const turns = new Set(days === 'all' ? [] : days.map((day) => day % spreadDays));
  const asks = new Map<string, Gathered>();
  const counts = { due: 0, ask: 0, waits: 0, answered: 0 };
  const call: Partial<Record<CallReason, number>> = {};
  /** The first 48 bits of the ids of all contacts: there may be very many. */
  const seen = new Set<number>();
  const byDay = new Array<number>(spreadDays).fill(0);
  let isPart = false;
  for await (const { records, end } of dueRecords(parts, { team, before }, now)) {
    const ids = records.flatMap(({ reach }) => (reach.kind === 'ask' ? [reach.to.contact] : []));
    const contacts = await contactsWith(parts, days === 'all' ? [] : [...new Set(ids)]);
    for (const { record, reach } of records) {
      counts.due++;
      if (reach.kind === 'call') call[reach.reason] = (call[reach.reason] ?? 0) + 1;
      else counts[reach.kind]++;
      if (reach.kind !== 'ask') continue;
      const { contact } = reach.to;
      const short = Number.parseInt(contact.slice(0, 12), 16);
      if (!seen.has(short)) {
        seen.add(short);
        const place = spreadDayOf(contact);
        byDay[place] = (byDay[place] ?? 0) + 1;
      }
      if (days !== 'all' && !isTurn(contact, contacts.get(contact), turns, now)) continue;
      const gathered = asks.get(contact) ?? { to: reach.to, svcIds: [], first: record, language: undefined };
      gathered.language ??= languageFor(record);
      if (gathered.svcIds.length < mostInAsk) gathered.svcIds.push(record.svcId);
      asks.set(contact, gathered);
    }
    isPart = counts.due >= mostRecords && end !== undefined;
    if (isPart) break;
  }
  return {
    asks: [...asks.values()].map(({ to, svcIds, first, language = usualLanguage }) => ({
      ...to,
      svcIds,
      language,
      organization: first.fields.organization?.name,
    })),
    counts: {
      ...counts,
      contacts: seen.size,
      call,
      days: Array.from({ length: spreadDays }, (_, ahead) => byDay[(today + ahead) % spreadDays] ?? 0),
    },
    isPart,
  };
}

/** Our languages by the names that records use. */
const namesOfLanguages: Readonly<Record<string, readonly string[]>> = {
  en: ['english', 'inglés', 'ingles', 'anglais'],
  es: ['spanish', 'español', 'espanol'],
  ht: ['haitian creole', 'haitian', 'creole', 'kreyòl', 'kreyòl ayisyen'],
};

/**
 * The language of a mail about a record, as the languages of the record tell it: that of the installation where it is among them,
 * else the first of ours. Undefined: they tell none of ours.
 */
function languageFor({ fields }: Pick<DueRecord, 'fields'>): string | undefined {
  const spoken = (fields.languages ?? []).flatMap((name) => codeOf(name.toLowerCase()));
  return spoken.find((code) => code === usualLanguage) ?? spoken[0];
}

const [usualLanguage = 'en'] = languageCodes;

const codeOf = (name: string): string[] =>
  languageCodes.filter((code) => code === name || (namesOfLanguages[code] ?? []).includes(name)).slice(0, 1);

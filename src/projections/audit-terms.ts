import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { subjectsOf, type Subject } from '../events/audit-subjects.ts';
import type { Actor } from '../events/metadata.ts';
import { isPartOfOperation } from '../events/operations.ts';
import { entries } from '../ground/capacity.ts';
import type { ProjectedEvent } from './engine/read-model.ts';

/**
 * The terms by which the audit log is searched. Each begins with a letter that says what it is about. Ids are shortened:
 * whoever searches compares the found events with the filter, so two ids with one term only cost time.
 */
export const typeTerm = (type: string): string => `t${type.toLowerCase()}`;
export const eventTerm = (id: string): string => `e${short(id)}`;
export const correlationTerm = (id: string): string => `c${short(id)}`;
export const teamTerm = (team: string): string => `g${short(team)}`;
/**
 * The term of events that are not part of an operation, in one team or in all. A list without the parts of operations
 * need not pass over them: an import may have 8,178.
 */
export const lineTerm = (team: string | undefined): string => `l${team === undefined ? 'ine' : short(team)}`;
export const subjectTerm = ({ kind, id }: Subject): string => `s${kind.slice(0, 3)}${short(id)}`;
/** `actor`: kind and id, as in `user:{id}`. */
export const actorTerm = (actor: string): string => `a${short(actor.slice(actor.indexOf(':') + 1))}`;

/** The actors that an event has: who did it, for whom, and who an operator claimed to be. */
export const actorsOf = ({ kind, id, on_behalf_of, claims_to_be }: Actor): readonly string[] => {
  const persons = [on_behalf_of, claims_to_be].filter((person) => person !== undefined);
  return [`${kind}:${id}`, ...[...new Set(persons)].map((person) => `user:${person}`)];
};

/** All terms of an event, separated by spaces. */
export function termsOf(event: ProjectedEvent, team: string | undefined): string {
  const { actor, at, correlation_id: correlation } = event.metadata;
  return [
    typeTerm(event.type),
    eventTerm(event.id),
    correlationTerm(correlation),
    ...(team === undefined ? [] : [teamTerm(team)]),
    ...(isPartOfOperation(event) ? [] : [...new Set([lineTerm(undefined), lineTerm(team)])]),
    ...actorsOf(actor).map(actorTerm),
    ...subjectsOf(event).map(subjectTerm),
    ...timeTerms(at),
  ].join(' ');
}

/** The month, the day, the hour and the minute of a time (ISO 8601 UTC). */
const timeTerms = (at: string): string[] => {
  const digits = `${at.slice(0, 4)}${at.slice(5, 7)}${at.slice(8, 10)}${at.slice(11, 13)}${at.slice(14, 16)}`;
  return [6, 8, 10, 12].map((length) => `d${digits.slice(0, length)}`);
};

/** The lengths of the periods, the longest first: month, day, hour, minute. */
const periods = [
  { digits: 6, next: (at: Date) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1) },
  { digits: 8, next: (at: Date) => at.getTime() + 86_400_000 },
  { digits: 10, next: (at: Date) => at.getTime() + 3_600_000 },
  { digits: 12, next: (at: Date) => at.getTime() + 60_000 },
] as const;

/**
 * Terms of which every event between two times has one: the fewest whole months, days, hours and minutes that cover the
 * time. An event in the minute of either end may lie outside.
 */
export function periodTerms(from: Date, to: Date): string[] {
  const terms: string[] = [];
  for (let at = Math.floor(from.getTime() / 60_000) * 60_000; at <= to.getTime();) {
    const start = new Date(at);
    const digits = start.toISOString().replaceAll(/\D/g, '').slice(0, 12);
    const period =
      periods.find(
        ({ digits: length, next }) => isStart(digits, length) && next(start) - 60_000 <= to.getTime(),
      ) ?? periods[3];
    terms.push(`d${digits.slice(0, period.digits)}`);
    at = period.next(start);
  }
  return terms;
}

/** Whether a minute (12 digits) is the first of the period with so many digits. */
const isStart = (minute: string, length: number): boolean =>
  `${minute.slice(0, length)}${'01010000'.slice(length - 4)}` === minute;

/** 64 bits of an id. UUIDs consist of random digits, from which some are taken. */
function short(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)
    ? id.slice(0, 8) + id.slice(28)
    : hashed(id);
}

/** Of ids that are no UUIDs, such as those of teams and records: the same come again with every event. */
const hashes = new LRUCache<string, string>(entries(5_000));

function hashed(id: string): string {
  const cached = hashes.get(id);
  if (cached !== undefined) return cached;
  const made = hash('sha1', id).slice(0, 16);
  hashes.set(id, made);
  return made;
}

import { likenesses, type Likeness } from '../../events/directory/merges.ts';
import {
  duplicateDecisions,
  duplicateTraces,
  keyOf,
  type Traces,
} from '../../projections/directory/duplicates.ts';
import { quarter, throttle } from '../../ground/throttle.ts';
import { pages } from '../../projections/engine/paginate.ts';
import { svcIdOf } from '../../events/ids.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { duplicateIn } from './likeness.ts';
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

// Over 300 lines: keys, pairs, groups and how long they are kept are one way through a whole directory.

/** Records of a team that are probably the same, and what at least two of them have in common. */
export interface DuplicateGroup {
  /** In the order of their numbers. */
  readonly records: readonly string[];
  readonly inCommon: readonly Likeness[];
  /** The name of the first without what does not tell names apart, by which the groups are ordered. */
  readonly nameKey: string;
}

type Groups = readonly DuplicateGroup[];

/** A whole directory is read for its groups, so they are kept until a record or a decision changes, and read once for all who ask. */
const kept = new WeakMap<Documents, LRUCache<string, TeamGroups>>();
const mostTeams = 50;
/** Reading a large directory takes at most a tenth of the time, however often it changes and is looked at. */
const restsPerReading = 10;
const shortReadingMs = 1_000;
/**
 * So long after a reading began, those who look wait for it. A large directory takes longer: from then on they see at once
 * the groups from before, without what was decided since, or that there are none yet.
 */
const mostWaitMs = 250;

/** The groups of a team, in the order of the names. The same directory has the same groups. */
export const duplicateGroups = (documents: Documents, team: string): Promise<Groups> =>
  groupsOf(documents, team, (ofTeam, stamp) => ofTeam.read(stamp));

/** The same, for a page: undefined while a large directory is compared for the first time. */
export const duplicateGroupsSoon = (documents: Documents, team: string): Promise<Groups | undefined> =>
  groupsOf(documents, team, (ofTeam, stamp) => ofTeam.soon(stamp, () => Promise.resolve(undefined)));

/** `first`: what is answered while there are no earlier groups that could be shown. */
async function groupsOf<First>(
  documents: Documents,
  team: string,
  first: (ofTeam: TeamGroups, stamp: string) => Promise<Groups | First>,
): Promise<Groups | First> {
  const stamps = await Promise.all(
    [duplicateTraces, duplicateDecisions].map(({ collection }) =>
      documents.collection(collection as never).stamp(),
    ),
  );
  if (stamps.includes(undefined)) return foundGroups(documents, team);
  const teams = kept.get(documents) ?? new LRUCache({ max: mostTeams });
  kept.set(documents, teams);
  const ofTeam = teams.get(team) ?? new TeamGroups(() => foundGroups(documents, team));
  teams.set(team, ofTeam);
  const { last } = ofTeam;
  const stamp = stamps.join(' ');
  if (!last) return first(ofTeam, stamp);
  const meanwhile = () => withoutDecided(documents, team, last.groups);
  return ofTeam.isRestedFor(stamp) ? ofTeam.soon(stamp, meanwhile) : meanwhile();
}

/** The groups of a team as they were read last, and the reading under way. */
export class TeamGroups {
  /** Those that were found last, when, and how long that took. */
  last: { readonly groups: Groups; readonly at: number; readonly tookMs: number } | undefined;
  readonly #find: () => Promise<Groups>;
  #stamp = '';
  #groups: Promise<Groups> | undefined;
  #requestedAt = 0;
  #isWaiting = false;

  constructor(find: () => Promise<Groups>) {
    this.#find = find;
  }

  /** Whether what has this stamp was read, or may be read again: a long reading is followed by a longer rest. */
  isRestedFor(stamp: string): boolean {
    if (stamp === this.#stamp || !this.last || this.last.tookMs < shortReadingMs) return true;
    return performance.now() - this.last.at > restsPerReading * this.last.tookMs;
  }

  /** One reading after the other: the directory may have changed while it was read. One that has not begun sees that. */
  read(stamp: string): Promise<Groups> {
    if (this.#groups && (stamp === this.#stamp || this.#isWaiting)) {
      this.#stamp = stamp;
      return this.#groups;
    }
    const groups = this.#after(this.#groups);
    this.#stamp = stamp;
    this.#groups = groups;
    this.#requestedAt = performance.now();
    groups.catch(() => {
      if (this.#groups === groups) this.#groups = undefined;
    });
    return groups;
  }

  /** The groups if they are found soon, else what there is meanwhile. */
  soon<Meanwhile>(stamp: string, meanwhile: () => Promise<Meanwhile>): Promise<Groups | Meanwhile> {
    const groups = this.read(stamp);
    const found = new AbortController();
    const waitMs = Math.max(0, this.#requestedAt + mostWaitMs - performance.now());
    const late = setTimeout(waitMs, undefined, { signal: found.signal });
    return Promise.race([groups.finally(() => found.abort()), late.then(meanwhile).catch(() => groups)]);
  }

  async #after(before: Promise<Groups> | undefined): Promise<Groups> {
    this.#isWaiting = true;
    await before?.catch(() => undefined);
    this.#isWaiting = false;
    const began = performance.now();
    const groups = await this.#find();
    const at = performance.now();
    this.last = { groups, at, tookMs: at - began };
    return groups;
  }
}

/** Groups as they were found, without records that were merged since, and without pairs that were dismissed. */
async function withoutDecided(documents: Documents, team: string, groups: Groups): Promise<Groups> {
  const { dismissed, merged } = await decided(documents, team);
  return groups
    .map((group) => ({ ...group, records: group.records.filter((id) => !merged.has(id)) }))
    .filter(({ records: [one = '', other = ''], inCommon }) => {
      const before = dismissed.get(pairKey(one, other));
      return other !== '' && !(before && inCommon.every((each) => before.has(each)));
    });
}

/** The group in which a record is. */
export const groupOf = async (
  documents: Documents,
  team: string,
  svcId: string,
): Promise<DuplicateGroup | undefined> =>
  (await duplicateGroups(documents, team)).find(({ records }) => records.includes(svcId));

/** A pair by its ids, in the order of the alphabet. */
const pairKey = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);

async function foundGroups(documents: Documents, team: string): Promise<Groups> {
  const { dismissed } = await decided(documents, team);
  const groups = new Map<number, Group>();
  const names = new Map<number, readonly string[]>();
  const traces = tracesBy(documents);
  const rest = throttle(quarter);
  for await (const pairs of candidatePairs(documents, team)) {
    const of = await traces(pairs.flat());
    for (const [one, other] of pairs) {
      const common = duplicateIn(of(one), of(other));
      if (common) {
        const before = dismissed.get(pairKey(svcIdOf(one), svcIdOf(other)));
        if (!(before && common.every((each) => before.has(each)))) {
          join(groups, one, other, common);
          for (const number of [one, other]) names.set(number, of(number).name);
        }
      }
      await rest();
    }
  }
  const found: DuplicateGroup[] = [];
  for (const { records, inCommon } of new Set(groups.values())) {
    const numbers = [...records].toSorted((one, other) => one - other);
    found.push({
      records: numbers.map(svcIdOf),
      inCommon: likenesses.filter((each) => inCommon.has(each)),
      nameKey: keyOf(names.get(numbers[0] ?? 0) ?? []),
    });
    await rest();
  }
  return found.sort(byName);
}

const byName = (one: DuplicateGroup, other: DuplicateGroup): number => {
  const [name, otherName] = [one.nameKey, other.nameKey];
  if (name !== otherName) return name < otherName ? -1 : 1;
  return (one.records[0] ?? '') < (other.records[0] ?? '') ? -1 : 1;
};

/** Most records are compared with several others, one soon after the other. */
const mostTraces = 5_000;
const none: Traces = { name: [], initials: [], organization: '', phones: [], places: [] };

/** The traces of records by their numbers. A record that is gone meanwhile has none, and is like no other. */
function tracesBy(documents: Documents) {
  const collection = documents.collection(duplicateTraces.collection);
  const cached = new LRUCache<number, Traces>({ max: mostTraces });
  return async (numbers: readonly number[]): Promise<(number: number) => Traces> => {
    const now = new Map<number, Traces>();
    const missing = [...new Set(numbers)].filter((number) => {
      const traces = cached.get(number);
      if (traces) now.set(number, traces);
      return !traces;
    });
    for (const doc of (await collection.getMany(missing.map(svcIdOf))).values()) {
      const traces = JSON.parse(doc.traces) as Traces;
      now.set(doc.number, traces);
      cached.set(doc.number, traces);
    }
    return (number) => now.get(number) ?? none;
  };
}

interface Group {
  readonly records: Set<number>;
  readonly inCommon: Set<Likeness>;
}

/** Puts two records into one group, with all that are in the group of either. */
function join(groups: Map<number, Group>, one: number, other: number, common: readonly Likeness[]): void {
  const group: Group = groups.get(one) ?? { records: new Set([one]), inCommon: new Set() };
  const met = groups.get(other) ?? { records: new Set([other]), inCommon: new Set() };
  for (const each of [...common, ...met.inCommon]) group.inCommon.add(each);
  for (const number of [one, ...met.records]) {
    group.records.add(number);
    groups.set(number, group);
  }
}

/** Records that share a key beyond these are compared with these alone: a phone of a whole state with one name. */
const mostOfKey = 30;

/** Keys are sorted in so many parts, so that none holds the thread for long. */
const parts = 64;
const perRead = 50;

/** Pairs of records that share a key, each once, those that are linked together. The keys are read from an index alone. */
async function* candidatePairs(
  documents: Documents,
  team: string,
): AsyncGenerator<readonly (readonly [number, number])[]> {
  const collection = documents.collection(duplicateTraces.collection);
  const perPage = 1_000;
  const rest = throttle(quarter);
  const numbers: number[] = [];
  const entries: number[][] = Array.from({ length: parts }, () => []);
  for (let after: readonly number[] = [0]; ;) {
    const page = await collection.select(
      { where: { team, open: 1 }, orderBy: ['number'], after, limit: perPage },
      ['number', 'keys'],
    );
    for (const { number, keys } of page) {
      for (const text of keys.split(' ')) {
        const key = parseInt(text, 36);
        // A key of 32 bits beside the place of its record is a whole number still.
        entries[key % parts]?.push(key * mostRecords + numbers.length);
      }
      numbers.push(number);
      await rest();
    }
    const last = page.at(-1);
    if (!last || page.length < perPage || numbers.length >= mostRecords - perPage) break;
    after = [last.number];
  }
  const pairs = new Set<number>();
  const chains = new Chains(numbers.length);
  for (const some of entries) {
    const sorted = Float64Array.from(some).sort();
    some.length = 0;
    let [key, block]: [number, number[]] = [-1, []];
    for (const entry of sorted) {
      const place = entry % mostRecords;
      if ((entry - place) / mostRecords !== key) [key, block] = [(entry - place) / mostRecords, []];
      if (block.length === mostOfKey) continue;
      for (const one of block) pairs.add(one * mostRecords + place);
      chains.link(block[0] ?? place, place);
      block.push(place);
    }
    await rest();
  }
  const placeOf = (pair: number): number => Math.floor(pair / mostRecords);
  const numbered = (pair: number) => [numbers[placeOf(pair)] ?? 0, numbers[pair % mostRecords] ?? 0] as const;
  const linked: [chain: number, pair: number][][] = Array.from({ length: parts }, () => []);
  for (const pair of pairs) {
    const chain = chains.of(placeOf(pair));
    linked[chain % parts]?.push([chain, pair]);
    await rest();
  }
  pairs.clear();
  for (const some of linked) {
    const ordered = some.sort(([one], [other]) => one - other);
    for (let at = 0; at < ordered.length; at += perRead)
      yield ordered.slice(at, at + perRead).map(([, pair]) => numbered(pair));
    await rest();
  }
}

/** Which records are linked by pairs, over however many others: each is read once if those are compared together. */
class Chains {
  readonly #next: Int32Array;

  constructor(size: number) {
    this.#next = Int32Array.from({ length: size }, (_, place) => place);
  }

  of(place: number): number {
    let at = place;
    for (let next = this.#next[at] ?? at; next !== at; next = this.#next[at] ?? at) {
      this.#next[at] = this.#next[next] ?? next;
      at = next;
    }
    return at;
  }

  link(one: number, other: number): void {
    this.#next[this.of(one)] = this.of(other);
  }
}

/** The most records of a team that are compared. The number of a record shares the 53 bits of an integer with a key. */
const mostRecords = 2 ** 20;

/** The likenesses of each pair that were dismissed (a further one shows it again), and the records that were merged. */
async function decided(documents: Documents, team: string) {
  const dismissed = new Map<string, ReadonlySet<Likeness>>();
  const merged = new Set<string>();
  const collection = documents.collection(duplicateDecisions.collection);
  for (const kind of ['dismissal', 'merge'] as const)
    for await (const page of pages(collection, { where: { team, kind }, orderBy: ['at', 'id'] }))
      for (const { records, in_common, undone_at } of page) {
        if (kind === 'merge' && undone_at === undefined) merged.add(records[0] ?? '');
        if (kind === 'merge') continue;
        for (const [at, one] of records.entries())
          for (const other of records.slice(at + 1)) {
            const key = pairKey(one, other);
            dismissed.set(
              key,
              new Set([...(dismissed.get(key) ?? []), ...(in_common as readonly Likeness[])]),
            );
          }
      }
  return { dismissed, merged };
}

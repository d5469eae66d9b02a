import { likenesses, type Likeness } from '../../events/directory/merges.ts';
import {
  duplicateDecisions,
  duplicateTraces,
  keyOf,
  type Traces,
} from '../../projections/directory/duplicates.ts';
import { throttle } from '../../ground/throttle.ts';
import { pages } from '../../projections/engine/paginate.ts';
import { svcIdOf } from '../../events/ids.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { duplicateIn } from './likeness.ts';
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Records of a team that are probably the same, and what at least two of them have in common. */
export interface DuplicateGroup {
  /** In the order of their numbers. */
  readonly records: readonly string[];
  readonly inCommon: readonly Likeness[];
  /** The name of the first without what does not tell names apart, by which the groups are ordered. */
  readonly nameKey: string;
}

/** Records that share a key beyond these are compared with these alone: a phone of a whole state with one name. */
const mostOfKey = 30;

/** A whole directory is read for its groups, so they are kept until a record or a decision changes, and read once for all who ask. */
const kept = new WeakMap<Documents, LRUCache<string, Kept>>();
interface Kept {
  readonly stamp: string;
  readonly groups: Promise<Groups>;
  /** Those that were found last. */
  last: Groups | undefined;
}
type Groups = readonly DuplicateGroup[];
const mostTeams = 50;
/** A large directory takes longer. Until it is read again, the groups from before are shown, without what was decided since. */
const mostWaitMs = 250;

/** The groups of a team, in the order of the names. The same directory has the same groups. */
export async function duplicateGroups(documents: Documents, team: string): Promise<Groups> {
  const stamps = await Promise.all(
    [duplicateTraces, duplicateDecisions].map(({ collection }) =>
      documents.collection(collection as never).stamp(),
    ),
  );
  if (stamps.includes(undefined)) return foundGroups(documents, team);
  const stamp = stamps.join(' ');
  const cache = kept.get(documents) ?? new LRUCache({ max: mostTeams });
  kept.set(documents, cache);
  const existing = cache.get(team);
  const groups = existing?.stamp === stamp ? existing.groups : reading(documents, team, existing?.groups);
  const last = existing?.last;
  if (existing?.stamp !== stamp) {
    const now: Kept = { stamp, groups, last };
    cache.set(team, now);
    groups.then(
      (found) => (now.last = found),
      () => cache.delete(team),
    );
  }
  if (!last) return groups;
  const found = new AbortController();
  const late = setTimeout(mostWaitMs, undefined, { signal: found.signal });
  return Promise.race([
    groups.finally(() => found.abort()),
    late.then(() => withoutDecided(documents, team, last)).catch(() => groups),
  ]);
}

/** One reading after the other: the directory may have changed while it was read. */
async function reading(
  documents: Documents,
  team: string,
  before: Promise<Groups> | undefined,
): Promise<Groups> {
  await before?.catch(() => undefined);
  return foundGroups(documents, team);
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
  const traces = tracesBy(documents);
  const rest = throttle();
  for await (const pairs of candidatePairs(documents, team)) {
    const of = await traces(pairs.flat());
    for (const [one, other] of pairs) {
      const common = duplicateIn(of(one), of(other));
      if (common) {
        const before = dismissed.get(pairKey(svcIdOf(one), svcIdOf(other)));
        if (!(before && common.every((each) => before.has(each)))) join(groups, one, other, common);
      }
      await rest();
    }
  }
  const found = [...new Set(groups.values())].map(async ({ records, inCommon }) => {
    const numbers = [...records].toSorted((one, other) => one - other);
    const [first = 0] = numbers;
    return {
      records: numbers.map(svcIdOf),
      inCommon: likenesses.filter((each) => inCommon.has(each)),
      nameKey: keyOf((await traces([first]))(first).name),
    };
  });
  return (await Promise.all(found)).toSorted(byName);
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
  const known = new LRUCache<number, Traces>({ max: mostTraces });
  return async (numbers: readonly number[]): Promise<(number: number) => Traces> => {
    const now = new Map<number, Traces>();
    const missing = [...new Set(numbers)].filter((number) => {
      const traces = known.get(number);
      if (traces) now.set(number, traces);
      return !traces;
    });
    for (const doc of (await collection.getMany(missing.map(svcIdOf))).values()) {
      const traces = JSON.parse(doc.traces) as Traces;
      now.set(doc.number, traces);
      known.set(doc.number, traces);
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

/** Keys are sorted in so many parts, so that none holds the thread for long. */
const parts = 64;
const perRead = 500;

/** Pairs of records that share a key, each once, those that are linked together. The keys are read from an index alone. */
async function* candidatePairs(
  documents: Documents,
  team: string,
): AsyncGenerator<readonly (readonly [number, number])[]> {
  const collection = documents.collection(duplicateTraces.collection);
  const perPage = 1_000;
  const rest = throttle();
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
  const ordered = [...pairs]
    .map((pair) => [chains.of(placeOf(pair)), pair] as const)
    .sort(([one], [other]) => one - other);
  await rest();
  for (let at = 0; at < ordered.length; at += perRead)
    yield ordered
      .slice(at, at + perRead)
      .map(([, pair]) => [numbers[placeOf(pair)] ?? 0, numbers[pair % mostRecords] ?? 0] as const);
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

/** Of so many of a team the doubles are looked for: about as many as 53 bits hold beside a key. */
const mostRecords = 2 ** 20;

/** What was dismissed of each pair, which counts again when the two have more in common, and which records were merged. */
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

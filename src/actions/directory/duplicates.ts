import { likenesses, type Likeness } from '../../events/directory/merges.ts';
import {
  duplicateIn,
  duplicateTraces,
  type Traces,
  duplicateDecisions,
} from '../../projections/directory/duplicates.ts';
import { pages } from '../../projections/engine/paginate.ts';
import { svcIdOf } from '../../events/ids.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { LRUCache } from 'lru-cache';

/** Records of a team that are probably the same, and what at least two of them have in common. */
export interface DuplicateGroup {
  /** In the order of their numbers. */
  readonly records: readonly string[];
  readonly inCommon: readonly Likeness[];
  /** Their name without what does not tell names apart, by which the groups are ordered. */
  readonly nameKey: string;
}

/** Records of one name beyond these are not compared with each other: "Food pantry" of a whole state. */
const mostOfName = 500;

/** A whole directory is read for its groups, so they are kept until a record or a decision changes. */
const kept = new WeakMap<Documents, LRUCache<string, { readonly stamp: string; readonly groups: Groups }>>();
type Groups = readonly DuplicateGroup[];
const mostTeams = 50;

/** The groups of a team, in the order of the names. The same directory has the same groups. */
export async function duplicateGroups(documents: Documents, team: string): Promise<Groups> {
  const stamps = await Promise.all(
    [duplicateTraces, duplicateDecisions].map(({ collection }) =>
      documents.collection(collection as never).stamp(),
    ),
  );
  const stamp = stamps.includes(undefined) ? undefined : stamps.join(' ');
  const cache = kept.get(documents) ?? new LRUCache({ max: mostTeams });
  kept.set(documents, cache);
  const existing = cache.get(team);
  if (existing && existing.stamp === stamp) return existing.groups;
  const groups = await foundGroups(documents, team);
  if (stamp !== undefined) cache.set(team, { stamp, groups });
  return groups;
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
  const dismissed = await dismissedPairs(documents, team);
  const groups: DuplicateGroup[] = [];
  for await (const { nameKey, ids } of sameNames(documents, team)) {
    const among = await groupsAmong(documents, ids, dismissed);
    groups.push(...among.map((group) => ({ ...group, nameKey })));
  }
  return groups;
}

/** Records that share a name, name by name: read from an index alone. */
async function* sameNames(documents: Documents, team: string) {
  const collection = documents.collection(duplicateTraces.collection);
  const perPage = 5_000;
  let [name, ids]: [string, string[]] = ['', []];
  for (let after: readonly [string, number] = ['', 0]; ;) {
    const page = await collection.select(
      { where: { team, open: 1 }, orderBy: ['name_key', 'number'], after, limit: perPage },
      ['name_key', 'number'],
    );
    for (const { name_key, number } of page) {
      if (name_key !== name) {
        if (ids.length > 1) yield { nameKey: name, ids };
        [name, ids] = [name_key, []];
      }
      if (name_key !== '' && ids.length < mostOfName) ids.push(svcIdOf(number));
    }
    const last = page.at(-1);
    if (!last || page.length < perPage) break;
    after = [last.name_key, last.number];
  }
  if (ids.length > 1) yield { nameKey: name, ids };
}

async function groupsAmong(
  documents: Documents,
  ids: readonly string[],
  dismissed: ReadonlyMap<string, ReadonlySet<Likeness>>,
): Promise<Omit<DuplicateGroup, 'nameKey'>[]> {
  const docs = await documents.collection(duplicateTraces.collection).getMany(ids);
  const records = ids.flatMap((id) => {
    const doc = docs.get(id);
    return doc ? [{ id, traces: JSON.parse(doc.traces) as Traces }] : [];
  });
  const groups: { records: Set<string>; inCommon: Set<Likeness> }[] = [];
  records.forEach((one, at) => {
    for (const other of records.slice(at + 1)) {
      const common = duplicateIn(one.traces, other.traces);
      const before = dismissed.get(pairKey(one.id, other.id));
      if (!common || (before && common.every((each) => before.has(each)))) continue;
      const met = groups.filter((group) => group.records.has(one.id) || group.records.has(other.id));
      const group = met[0] ?? { records: new Set<string>(), inCommon: new Set<Likeness>() };
      for (const each of met.slice(1)) {
        for (const id of each.records) group.records.add(id);
        for (const likeness of each.inCommon) group.inCommon.add(likeness);
        groups.splice(groups.indexOf(each), 1);
      }
      if (met.length === 0) groups.push(group);
      group.records.add(one.id).add(other.id);
      for (const likeness of common) group.inCommon.add(likeness);
    }
  });
  return groups.map(({ records: found, inCommon }) => ({
    records: ids.filter((id) => found.has(id)),
    inCommon: likenesses.filter((each) => inCommon.has(each)),
  }));
}

/** What was dismissed of each pair: it counts again when the two have more in common. */
async function dismissedPairs(
  documents: Documents,
  team: string,
): Promise<ReadonlyMap<string, ReadonlySet<Likeness>>> {
  const found = new Map<string, ReadonlySet<Likeness>>();
  const query = { where: { team, kind: 'dismissal' }, orderBy: ['at', 'id'] } as const;
  for await (const page of pages(documents.collection(duplicateDecisions.collection), query))
    for (const { records, in_common } of page)
      for (const [at, one] of records.entries())
        for (const other of records.slice(at + 1)) {
          const key = pairKey(one, other);
          found.set(key, new Set([...(found.get(key) ?? []), ...(in_common as readonly Likeness[])]));
        }
  return found;
}

import {
  personalRows,
  resourceFieldRows,
  type ResourceFieldName,
  type ResourceFields,
} from '../../../events/directory/resource-fields.ts';
import type { ResourceEvent } from '../../../events/directory/resource.ts';
import { defined } from '../../../ground/defined.ts';
import { resourceKind } from '../resource-decider.ts';
import { areSame, groupsOf } from '../three-way.ts';

/** Who says something of a record: the source with this id, or the agency itself. Neither: people of the directory. */
interface Voice {
  readonly source?: string | undefined;
  readonly agency?: true | undefined;
}

/** An event of a record, and whose word it records. `of`: the record. */
export interface WordEvent extends Voice {
  readonly of: string;
  readonly event: ResourceEvent;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly revision: number;
}

/** What somebody said last of some fields that are said together, such as opening hours and their words. */
export interface Word extends Voice {
  readonly fields: readonly ResourceFieldName[];
  /** The values by field. A field of which nothing was said is absent. */
  readonly values: Partial<ResourceFields>;
  /** ISO 8601 UTC: when it was read, or written. */
  readonly at: string;
  /** The record in whose stream it is, and the revision of its event there. */
  readonly of: string;
  readonly revision: number;
}

/** Fields of which two say otherwise, and the word that stands. */
export interface OtherWords {
  readonly stands: Word | undefined;
  readonly others: readonly Word[];
}

/** What is about persons is not compared, and dates are of the word themselves. */
const uncompared: readonly string[] = [
  'last_verified',
  'last_modified',
  ...personalRows.map(({ name }) => name),
];

const groups = groupsOf(
  resourceFieldRows.map(({ name }) => name).filter((name) => !uncompared.includes(name)),
  resourceKind.together ?? [],
);

/** The last words of each voice, by the first field of each group. */
export type Words = ReadonlyMap<string, readonly Word[]>;

/** Everybody's last words about the fields of a record, from the events of its stream in their order. */
export function wordsIn(events: readonly WordEvent[]): Words {
  const words = new Map<string, Word[]>();
  let before: ResourceFields | undefined;
  for (const { event, at, of, revision, source, agency } of events) {
    if (!hasFields(event)) continue;
    const { fields } = event.data;
    const isOnlyRead = event.type === 'ResourceReadFromSource';
    // It has all that the source says. Other revisions say what they change.
    const isWhole = isOnlyRead || (event.type === 'ResourceRevised' && event.data.from_source === true);
    for (const group of groups) {
      const [key = ''] = group;
      const all = words.get(key) ?? [];
      const own = all.find((word) => word.source === source && word.agency === agency);
      const former = isWhole ? own?.values : before;
      if (former && !differs(group, former, fields)) continue;
      const by = defined({ source, agency });
      const word = { fields: group, values: valuesOf(group, fields), ...by, at, of, revision };
      words.set(key, [...all.filter((each) => each !== own), word]);
    }
    if (!isOnlyRead) before = fields;
  }
  return words;
}

/** The fields of which somebody said otherwise last than what stands. `all`: of the record, and of its duplicates. */
export function otherWords(fields: ResourceFields, all: readonly Words[]): OtherWords[] {
  return groups.flatMap((group) => {
    const [key = ''] = group;
    const words = all
      .flatMap((each) => each.get(key) ?? [])
      .toSorted((one, other) => (one.at < other.at ? -1 : 1));
    const others = words.filter((word) => differs(group, word.values, fields) && says(word));
    const stands = words.findLast((word) => !differs(group, word.values, fields));
    return others.length === 0 ? [] : [{ stands, others }];
  });
}

type WithFields = Extract<
  ResourceEvent,
  { type: 'ResourceSubmitted' | 'ResourceRevised' | 'ResourceReadFromSource' }
>;
const withFields = ['ResourceSubmitted', 'ResourceRevised', 'ResourceReadFromSource'];
export const hasFields = (event: ResourceEvent): event is WithFields => withFields.includes(event.type);

/** The fields that are said together with this one. Undefined: nobody's words of it are compared. */
export const fieldsTogether = (field: string): readonly ResourceFieldName[] | undefined =>
  groups.find((group) => (group as readonly string[]).includes(field));

const differs = (
  group: readonly ResourceFieldName[],
  one: Partial<ResourceFields>,
  other: Partial<ResourceFields>,
): boolean => group.some((name) => !areSame(one[name], other[name]));

const valuesOf = (group: readonly ResourceFieldName[], fields: ResourceFields): Partial<ResourceFields> =>
  Object.fromEntries(group.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));

/** One who has no word for a field says nothing against others. */
const says = ({ values }: Word): boolean => Object.keys(values).length > 0;

import { upcast } from '../../events/catalogue.ts';
import { streamName } from '../../events/define.ts';
import { mergesStream, type Likeness } from '../../events/directory/merges.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import type { ResourceFieldName, ResourceFields } from '../../events/directory/resource-fields.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { eventIdOf } from '../../events/new-event.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { EventStore, Position, RecordedEvent } from '../../stores/event-store/port.ts';
import { execute, load } from '../command-handler.ts';
import { changedBy, type SealedChange } from './field-changes.ts';
import { refuseClosed } from '../teams/team.ts';
import { alreadyMerged, causeOfMerge, commandMerges, mergeOf } from '../directory-merges.ts';
import {
  requireResource,
  resource,
  resourceKind,
  type ExistingResource,
  type ResourceCommand,
} from './resource-decider.ts';
import type { ResourceOutcome, ResourceParts } from './resource.ts';
import type { ByTeam } from './reviewed-state.ts';
import { areSame, fieldsIn, groupsOf, mergeThreeWay } from './three-way.ts';
import { markedEvents, undoingOf } from './undoing.ts';

type Store = Pick<ResourceParts, 'store'>;

/** Two records, and what is to become of them. */
export interface MergeOfRecords extends ByTeam {
  /** The record that goes. */
  readonly duplicate: string;
  /** The record that stays. */
  readonly survivor: string;
  /** The fields that the record that stays takes from the other. */
  readonly take: readonly ResourceFieldName[];
  /** What whoever merges them has seen: see `seenOf`. */
  readonly seen?: string | undefined;
}

/** What a merge, or the undoing of one, came to. */
export interface MergeOutcome {
  readonly duplicate: ResourceOutcome;
  readonly survivor: ResourceOutcome;
  /** When it was undone: the fields of the record that stays which were changed since, and stay so. */
  readonly left: readonly string[];
}

/** A record as it was read. */
type Current = Awaited<ReturnType<typeof read>>;

/** Names the newest events of two records. */
export const seenOf = (...positions: readonly Position[]): string => positions.join('-');

/** Both records. @throws CommandRefused not_found */
export async function readBoth(
  store: EventStore,
  { duplicate, survivor, ...by }: Pick<MergeOfRecords, 'duplicate' | 'survivor' | 'asTeam'>,
): Promise<{ readonly goes: Current; readonly stays: Current }> {
  const [goes, stays] = await Promise.all([read(store, duplicate, by), read(store, survivor, by)]);
  return { goes, stays };
}

async function read(store: EventStore, svcId: string, by: ByTeam) {
  const { state, position } = await load(store, resource, svcId);
  return { state: requireResource(by, state), position };
}

/** The fields that are taken together with these, such as opening hours with their words. */
export const takenTogether = (fields: readonly ResourceFieldName[]): readonly ResourceFieldName[] => [
  ...new Set(
    fields.flatMap((field) => resourceKind.together?.find((group) => group.includes(field)) ?? [field]),
  ),
];

/**
 * Merges a record into another one of its team. The decision stands in the stream of the team's merges first, where others that cross it
 * are refused; then the record that stays takes its fields, and the other goes. A merge that was cut off is finished by repeating it.
 *
 * @throws CommandRefused
 */
export async function mergeRecords(
  { store }: Store,
  { duplicate, survivor, take, seen, ...by }: MergeOfRecords,
  context: CommandContext,
): Promise<MergeOutcome> {
  const { goes, stays } = await readBoth(store, { duplicate, survivor, ...by });
  const { team } = goes.state;
  await refuseClosed(store, team);
  if (stays.state.team !== team)
    throw new CommandRefused('invalid', 'Only records of the same team can be merged.');
  const begun = await mergeOf(store, team, duplicate);
  if (!begun) requireMergeable(goes, stays, seen);
  const began = await commandMerges(
    store,
    { kind: 'begin', team, merge: context.commandId, duplicate, survivor },
    context,
  );
  const merge = began.state.merged.get(duplicate)?.merge ?? context.commandId;
  const cause = { ...context, correlationId: merge, causationId: causeOfMerge(team, merge) };
  const absorbing: ResourceCommand = {
    kind: 'absorb',
    merge,
    duplicate,
    change: changeTo(goes.state.fields, takenTogether(take)),
  };
  const ofSurvivor = await execute(store, resource, survivor, absorbing, cause);
  const ofDuplicate = await execute(store, resource, duplicate, { kind: 'merge', merge, survivor }, cause);
  return { survivor: ofSurvivor, duplicate: ofDuplicate, left: [] };
}

function requireMergeable(goes: Current, stays: Current, seen: string | undefined): void {
  const { status, mergedInto } = goes.state;
  if (goes.state.svc_id === stays.state.svc_id)
    throw new CommandRefused('invalid', 'A record cannot be merged into itself. Choose another one.');
  if (mergedInto) throw alreadyMerged(mergedInto.survivor);
  if (stays.state.mergedInto) throw alreadyMerged(stays.state.mergedInto.survivor);
  if (!['approved', 'submitted'].includes(status))
    throw new CommandRefused(
      'conflict',
      'The record that is to go is taken out or rejected already, so nobody sees it.',
    );
  if (stays.state.status !== 'approved' && !(stays.state.status === 'submitted' && status === 'submitted'))
    throw new CommandRefused(
      'conflict',
      'The record that is to stay is not public. Choose the other one, or approve this one first.',
    );
  if (seen !== undefined && seen !== seenOf(goes.position, stays.position))
    throw new CommandRefused(
      'conflict',
      'Somebody else has changed one of the two records meanwhile. Look at both once more.',
    );
}

/** What is about persons goes along as it is sealed: it is under the data key of its person, and not of a record. */
const changeTo = (fields: ResourceFields, take: readonly ResourceFieldName[]): SealedChange =>
  Object.fromEntries(take.map((name) => [name, fields[name] ?? null]));

/**
 * Undoes the merge of a record: it stands for itself again, as it stood before, with what its source has said of it since. The other one gives
 * back what it took, where nobody has changed it since.
 *
 * @throws CommandRefused
 */
export async function undoMerge(
  { store }: Store,
  { duplicate, ...by }: { readonly duplicate: string } & ByTeam,
  context: CommandContext,
): Promise<MergeOutcome> {
  const { state: goes } = await read(store, duplicate, by);
  const { team } = goes;
  await refuseClosed(store, team);
  const merged = (await mergeOf(store, team, duplicate)) ?? undone(goes);
  if (!merged) throw new CommandRefused('conflict', 'This record is not merged into another one.');
  const { merge, survivor } = merged;
  await commandMerges(store, { kind: 'undo', team, duplicate }, context);
  const cause = {
    ...context,
    correlationId: merge,
    causationId: eventIdOf(streamName(mergesStream, team), 0, context),
  };
  let left: readonly string[] = [];
  const releasing = async (): Promise<ResourceCommand> => {
    const history = await store.readStream(streamName(resourceStream, survivor));
    const ofMerge = { correlationId: merge, causationId: causeOfMerge(team, merge) };
    const undoing = undoingOf(resource, markedEvents<ResourceEvent>(history, ofMerge), resourceKind.together);
    left = undoing.left;
    return { kind: 'release', merge, fields: undoing.fields };
  };
  const ofSurvivor = await execute(store, resource, survivor, releasing, cause);
  const unmerging = async (state: ExistingResource | undefined): Promise<ResourceCommand> =>
    unmergeOf(
      requireResource(by, state),
      merge,
      await store.readStream(streamName(resourceStream, duplicate)),
    );
  const ofDuplicate = await execute(store, resource, duplicate, unmerging, cause);
  return { survivor: ofSurvivor, duplicate: ofDuplicate, left };
}

/** The undoing was cut off after it stood in the stream of the merges. */
const undone = ({ mergedInto }: ExistingResource) =>
  mergedInto && { merge: mergedInto.merge, survivor: mergedInto.survivor };

/** As the record stood before the merge, with what its source has said of it since. */
function unmergeOf(now: ExistingResource, merge: string, history: readonly RecordedEvent[]): ResourceCommand {
  const events = history.map((recorded) => upcast(recorded) as ResourceEvent);
  const at = events.findLastIndex((event) => event.type === 'ResourceMerged' && event.data.merge === merge);
  const before = events.slice(0, Math.max(at, 0)).reduce(resource.evolve, resource.initial) ?? now;
  const ways = { base: before.base ?? now.fields, theirs: now.base ?? now.fields, mine: now.fields };
  const { fields } = mergeThreeWay(ways, () => 'keep', resourceKind.together);
  return { kind: 'unmerge', merge, status: before.status, fields };
}

/** Says that records are no duplicates of each other. @throws CommandRefused not_found */
export async function dismissDuplicates(
  { store }: Store,
  {
    records,
    inCommon,
    ...by
  }: { readonly records: readonly string[]; readonly inCommon: readonly Likeness[] } & ByTeam,
  context: CommandContext,
) {
  const found = await Promise.all(records.map((svcId) => read(store, svcId, by)));
  const [team = '', ...others] = new Set(found.map(({ state }) => state.team));
  if (others.length > 0 || found.length < 2)
    throw new CommandRefused('invalid', 'Name two records or more, of the same team.');
  return commandMerges(store, { kind: 'dismiss', team, records, inCommon }, context);
}

/** Fields that are chosen together, and whether those of the record that goes are the better ones. */
export interface MergeChoice {
  readonly fields: readonly ResourceFieldName[];
  readonly suggested: boolean;
}

/** In which fields two records differ, in which the one that goes says something. */
export function mergeChoices(stays: ResourceFields, goes: ResourceFields): readonly MergeChoice[] {
  const differing = fieldsIn(stays, goes).filter((name) => !areSame(stays[name], goes[name]));
  const isNewer = (goes.last_verified ?? '') > (stays.last_verified ?? '');
  return groupsOf(differing, resourceKind.together ?? [])
    .filter((fields) => fields.some((name) => isThere(goes[name])))
    .map((fields) => ({
      fields,
      suggested:
        fields.every((name) => !isThere(stays[name])) ||
        (isNewer && fields.every((name) => isThere(goes[name]))) ||
        fields.every((name) => saysMore(goes[name], stays[name])),
    }));
}

const isThere = (value: unknown): boolean => value !== undefined && !areSame(value, []);

/** Whether a list has all that another has, and more. */
const saysMore = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) &&
  Array.isArray(other) &&
  one.length > other.length &&
  other.every((each) => one.some((mine) => areSame(mine, each)));

/** What the record that stays says after it has taken these fields from the other. */
export const mergedFields = (
  stays: ResourceFields,
  goes: ResourceFields,
  take: readonly ResourceFieldName[],
): ResourceFields => changedBy(stays, changeTo(goes, takenTogether(take)));

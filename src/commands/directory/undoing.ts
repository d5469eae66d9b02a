import { upcast, type DomainEvent } from '../../events/catalogue.ts';
import { withoutPerson, type SealedPeople } from '../../events/directory/people.ts';
import type { RecordedEvent } from '../../stores/event-store/port.ts';
import type { NamedPerson, ReviewedState } from './reviewed-state.ts';
import { areSame, fieldsIn, groupsOf, mergeThreeWay } from './three-way.ts';

/** What is to be done with a record or an organization so that it stands as if an operation, such as an import, had not been. */
export interface Undo<Fields> {
  /**
   * `out`: the import brought it back, or made it and others have approved it. `withdrawn`: the import made or brought it
   * back and approved it, so it waits for review if it comes back. `waiting`: the operation approved or rejected what
   * waited, so it waits again. `back`: the operation took it out.
   */
  readonly status?: 'out' | 'withdrawn' | 'waiting' | 'back';
  /** The fields, with what the import changed and nobody since as it was before. */
  readonly fields?: Fields;
  /** What the source said before the import. */
  readonly base?: Fields;
}

/** What undoing an import comes to for a record. */
export interface Undoing<Fields> extends Undo<Fields> {
  /**
   * What stays because it was changed since: the names of fields; `record`, when the import made the record and it was
   * changed since; `status`, when others have taken it out or put it back since.
   */
  readonly left: readonly string[];
}

/** What undoing an import has come to for a record, also when it was cut off and gone on with. */
export interface Undone {
  /** The types of the events of the undoing. */
  readonly undone: readonly string[];
  /** What stays because it was changed since. */
  readonly left: readonly string[];
}

/** An event of a record, and whether it belongs to the operation or to its undoing. */
export interface MarkedEvent<Event extends { readonly type: string }> {
  readonly event: Event;
  readonly of: 'operation' | 'undoing' | 'others';
}

/** An operation on many records that can be undone: an import or a bulk action. */
export interface Operation {
  readonly correlationId: string;
  /** The event that began it. */
  readonly causationId: string;
  /** What the history of a record says why something is taken back. */
  readonly reason: string;
}

/** The history of a record, in which its stream is read. */
export const markedEvents = <Event extends DomainEvent>(
  history: readonly RecordedEvent[],
  { correlationId, causationId }: Omit<Operation, 'reason'>,
): MarkedEvent<Event>[] =>
  history.map((recorded) => {
    const event = upcast(recorded) as Event;
    if (recorded.metadata['correlation_id'] !== correlationId) return { event, of: 'others' };
    return { event, of: recorded.metadata['causation_id'] === causationId ? 'operation' : 'undoing' };
  });

export const typesOfUndoing = (history: readonly MarkedEvent<DomainEvent>[]): string[] =>
  history.filter(({ of }) => of === 'undoing').map(({ event }) => event.type);

/** What undoing needs to know of the state of a record. */
type UndoState<Fields> = Pick<ReviewedState<Fields>, 'status' | 'withdrawn' | 'fields' | 'base' | 'people'>;

/** How the events of a record make its state. */
interface Evolving<Fields, State extends UndoState<Fields>, Event> {
  readonly initial: State | undefined;
  evolve(state: State | undefined, event: Event): State | undefined;
}

/**
 * What undoing an import comes to for the record with this history. `together`: fields that are merged as one go back as
 * one.
 */
export function undoingOf<
  Fields extends SealedPeople,
  State extends UndoState<Fields>,
  Event extends { readonly type: string },
>(
  decider: Evolving<Fields, State, Event>,
  history: readonly MarkedEvent<Event>[],
  together: Together = [],
): Undoing<State['fields']> {
  const course = followed(decider, history, together);
  const { now } = course;
  if (!now) return { left: [] };
  if (history[0]?.of === 'operation') {
    const made = withoutErased(course.made ?? now.fields, now);
    const revised = fieldsIn(made, now.fields).some((field) => !areSame(made[field], now.fields[field]));
    const approved = history.some(({ of, event }) => of === 'operation' && stepOf(event) === 'Approved');
    return revised || isInMerge(history)
      ? { left: ['record'] }
      : { status: approved ? 'withdrawn' : 'out', left: [] };
  }
  const isOthers = decidedSince(history);
  const status = isOthers ? undefined : statusBefore(course);
  const fields = backIn(now.fields, course.fields, together);
  const base = backIn(now.base ?? now.fields, course.base, together);
  return {
    ...(status ? { status } : {}),
    ...(fields.value ? { fields: withoutErased(fields.value, now) } : {}),
    ...(base.value ? { base: withoutErased(base.value, now) } : {}),
    left: [...fields.left, ...(isOthers ? ['status'] : [])],
  };
}

type Together = readonly (readonly string[])[];

/**
 * Of each field that the import changed, and of those that are merged with it: its value before the first change, and
 * after the last.
 */
type Changes = Map<string, { readonly from: unknown; readonly to: unknown }>;

interface Course<Fields, State> {
  readonly now: State | undefined;
  /** What stood after the last event of the import. */
  readonly made: Fields | undefined;
  /** The states before the import first decided whether it is public, and after it did so last. */
  readonly decided: { readonly from: State; readonly to: State } | undefined;
  readonly fields: Changes;
  /** The same of what the source said. */
  readonly base: Changes;
}

function followed<
  Fields extends object,
  State extends UndoState<Fields>,
  Event extends { readonly type: string },
>(
  decider: Evolving<Fields, State, Event>,
  history: readonly MarkedEvent<Event>[],
  together: Together,
): Course<Fields, State> {
  const fields: Changes = new Map();
  const base: Changes = new Map();
  let decided: Course<Fields, State>['decided'];
  let made: Fields | undefined;
  let now = decider.initial;
  for (const { event, of } of history) {
    const before = now;
    now = decider.evolve(before, event);
    if (of === 'operation') made = now?.fields;
    if (of !== 'operation' || !before || !now) continue;
    if (isDecision(event)) decided = { from: decided?.from ?? before, to: now };
    follow(fields, before.fields, now.fields, together);
    // Of a record that its source had not named yet, what stood counts as what it had said.
    follow(base, before.base ?? before.fields, now.base ?? now.fields, together);
  }
  return { now, made, decided, fields, base };
}

function follow<Fields extends object>(
  changes: Changes,
  before: Fields,
  after: Fields,
  together: Together,
): void {
  for (const group of groupsOf(
    fieldsIn(before, after),
    together as readonly (readonly (keyof Fields & string)[])[],
  ))
    if (group.some((field) => !areSame(before[field], after[field])))
      for (const field of group) {
        const changed = changes.get(field);
        changes.set(field, { from: changed ? changed.from : before[field], to: after[field] });
      }
}

/** What the import changed and is as it left it becomes what it was. What was changed since stays. */
function backIn<Fields extends object>(
  now: Fields,
  changes: Changes,
  together: Together,
): { value: Fields | undefined; left: readonly string[] } {
  const stood = (when: 'from' | 'to'): Fields => ({
    ...now,
    ...Object.fromEntries([...changes].map(([field, values]) => [field, values[when]])),
  });
  const { fields, conflicts } = mergeThreeWay<Fields>(
    { base: stood('to'), theirs: stood('from'), mine: now },
    () => 'keep',
    together as readonly (readonly (keyof Fields & string)[])[],
  );
  const differs = fieldsIn(now, fields).some((field) => !areSame(now[field], fields[field]));
  return { value: differs ? fields : undefined, left: conflicts.map(({ field }) => field) };
}

/** Where the record goes back to. Undefined: the import did not decide whether it is public. */
function statusBefore({
  decided,
}: Pick<Course<unknown, UndoState<unknown>>, 'decided'>): Undo<unknown>['status'] {
  if (!decided || decided.from.status === decided.to.status) return undefined;
  const { from, to } = decided;
  if (to.status === 'inactive') return 'back';
  // What was rejected before it was approved is looked at once more: nobody is told of a rejection twice.
  if (from.status === 'submitted' || from.status === 'rejected') return 'waiting';
  return from.withdrawn ? 'withdrawn' : 'out';
}

/** Whether others have taken it out or put it back since the import decided about it. */
function decidedSince(history: readonly MarkedEvent<{ readonly type: string }>[]): boolean {
  const decisions = history.filter(({ event }) => isDecision(event));
  const last = decisions.findLastIndex(({ of }) => of === 'operation');
  return last !== -1 && decisions.slice(last + 1).some(({ of }) => of === 'others');
}

/** Whether the record was merged, or another one into it, and that was not undone: then it is more than what the import made. */
const isInMerge = (history: readonly MarkedEvent<{ readonly type: string }>[]): boolean =>
  history.reduce((open, { event }) => open + (mergeSteps[stepOf(event)] ?? 0), 0) > 0;
const mergeSteps: Readonly<Record<string, number>> = { Merged: 1, Absorbed: 1, Unmerged: -1, Released: -1 };

/** What has happened, of whatever kind of record: `Approved` for `ResourceApproved`. */
const stepOf = ({ type }: { readonly type: string }): string => type.replace(/^[A-Z][a-z]+/, '');

/** Whether an event decides whether a record is public. */
const isDecision = (event: { readonly type: string }): boolean =>
  ['Approved', 'Rejected', 'Reactivated', 'Resubmitted', 'Deactivated', 'Withdrawn', 'Merged'].includes(
    stepOf(event),
  );

const withoutErased = <Fields extends SealedPeople>(
  fields: Fields,
  { people }: { readonly people: readonly NamedPerson[] },
): Fields =>
  people
    .filter(({ standing }) => standing === 'erased')
    .reduce((left, { person }) => withoutPerson(left, person), fields);

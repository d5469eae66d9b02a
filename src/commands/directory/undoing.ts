import { withoutPerson } from '../../events/directory/people.ts';
import type { ResourceFields } from '../../events/directory/resource-fields.ts';
import type { ResourceEvent } from '../../events/directory/resource.ts';
import { resource } from './resource-decider.ts';
import type { Known, ResourceState, Undo } from './resource-state.ts';
import { areSame, fieldsIn } from './three-way.ts';

/** What undoing an import comes to for a record. */
export interface Undoing extends Undo {
  /**
   * What stays because it was changed since: the names of fields; `record`, when the import made the record and it was
   * changed since; `status`, when others have taken it out or put it back since.
   */
  readonly left: readonly string[];
}

/** An event of a record, and whether it belongs to the import or to its undoing. */
export interface MarkedEvent {
  readonly event: ResourceEvent;
  readonly of: 'import' | 'undoing' | 'others';
}

/** What undoing an import comes to for the record with this history. */
export function undoingOf(history: readonly MarkedEvent[]): Undoing {
  const course = followed(history);
  const { now } = course;
  if (!now) return { left: [] };
  const status = statusOf(history);
  if (history[0]?.of === 'import') {
    const revised = history.some(({ of, event }) => of === 'others' && event.type === 'ResourceRevised');
    return revised ? { left: ['record'] } : { status: 'out', left: [] };
  }
  const fields = fieldsOf(course, now.fields);
  const unchangedBase = course.base && areSame(course.base.to, now.base) ? course.base.from : undefined;
  return {
    ...(status.target === undefined || status.isOthers ? {} : { status: status.target }),
    ...(areSame(fields.value, now.fields) ? {} : { fields: withoutErased(fields.value, now) }),
    ...(unchangedBase ? { base: withoutErased(unchangedBase, now) } : {}),
    left: [...fields.left, ...(status.isOthers ? ['status'] : [])],
  };
}

/** A value before the import changed it first, and after it changed it last. */
interface Changed<Value> {
  readonly from: Value;
  readonly to: Value;
}

interface Course {
  readonly now: ResourceState;
  readonly fields: ReadonlyMap<keyof ResourceFields, Changed<unknown>>;
  readonly base: Changed<ResourceFields | undefined> | undefined;
}

function followed(history: readonly MarkedEvent[]): Course {
  const fields = new Map<keyof ResourceFields, Changed<unknown>>();
  let base: Changed<ResourceFields | undefined> | undefined;
  let now: ResourceState;
  for (const { event, of } of history) {
    const before = now;
    now = resource.evolve(before, event);
    if (of !== 'import' || !before || !now) continue;
    for (const field of fieldsIn(before.fields, now.fields)) {
      const [from, to] = [before.fields[field], now.fields[field]];
      if (!areSame(from, to))
        fields.set(field, { from: fields.has(field) ? fields.get(field)?.from : from, to });
    }
    if (!areSame(before.base, now.base)) base = { from: base ? base.from : before.base, to: now.base };
  }
  return { now, fields, base };
}

/** What the import changed and stands as it left it becomes what it was. What was changed since stays. */
function fieldsOf({ fields }: Course, now: ResourceFields): { value: ResourceFields; left: string[] } {
  const value: Record<string, unknown> = { ...now };
  const left: string[] = [];
  for (const [field, { from, to }] of fields) {
    if (areSame(now[field], to)) {
      if (from === undefined) Reflect.deleteProperty(value, field);
      else value[field] = from;
    } else if (!areSame(now[field], from)) left.push(field);
  }
  return { value: value as ResourceFields, left };
}

/** Where the record goes back to. `isOthers`: somebody else has taken it out or put it back since. */
function statusOf(history: readonly MarkedEvent[]): { target: Undoing['status']; isOthers: boolean } {
  const last = history.findLastIndex(({ of, event }) => of === 'import' && targets[event.type] !== undefined);
  const event = history[last]?.event;
  const since = history.slice(last + 1).filter(({ event: { type } }) => targets[type] !== undefined);
  return {
    target: event && targets[event.type],
    isOthers: event !== undefined && since.some(({ of }) => of === 'others'),
  };
}

/** What undoes an event that says whether a record is public. */
const targets: Partial<Readonly<Record<ResourceEvent['type'], Undoing['status']>>> = {
  ResourceApproved: 'out',
  ResourceReactivated: 'out',
  ResourceResubmitted: 'out',
  ResourceDeactivated: 'back',
  ResourceWithdrawn: 'back',
};

const withoutErased = (fields: ResourceFields, { people }: Known): ResourceFields =>
  people
    .filter(({ standing }) => standing === 'erased')
    .reduce((left, { person }) => withoutPerson(left, person), fields);

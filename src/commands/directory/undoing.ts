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
  const fields = backIn(now.fields, course.fields);
  const base = backIn(now.base ?? now.fields, course.base);
  return {
    ...(status.target === undefined || status.isOthers ? {} : { status: status.target }),
    ...(fields.value ? { fields: withoutErased(fields.value, now) } : {}),
    ...(base.value ? { base: withoutErased(base.value, now) } : {}),
    left: [...fields.left, ...(status.isOthers ? ['status'] : [])],
  };
}

/** Of each field that the import changed: its value before the first change, and after the last. */
type Changes = Map<keyof ResourceFields, { readonly from: unknown; readonly to: unknown }>;

interface Course {
  readonly now: ResourceState;
  readonly fields: Changes;
  /** The same of what the source said. */
  readonly base: Changes;
}

function followed(history: readonly MarkedEvent[]): Course {
  const fields: Changes = new Map();
  const base: Changes = new Map();
  let now: ResourceState;
  for (const { event, of } of history) {
    const before = now;
    now = resource.evolve(before, event);
    if (of !== 'import' || !before || !now) continue;
    follow(fields, before.fields, now.fields);
    // Of a record that its source had not named yet, what stood counts as what it had said.
    follow(base, before.base ?? before.fields, now.base ?? now.fields);
  }
  return { now, fields, base };
}

function follow(changes: Changes, before: ResourceFields, after: ResourceFields): void {
  for (const field of fieldsIn(before, after)) {
    const [from, to] = [before[field], after[field]];
    const changed = changes.get(field);
    if (!areSame(from, to)) changes.set(field, { from: changed ? changed.from : from, to });
  }
}

/** What the import changed and is as it left it becomes what it was. What was changed since stays. */
function backIn(
  now: ResourceFields,
  changes: Changes,
): { value: ResourceFields | undefined; left: readonly string[] } {
  const back: Record<string, unknown> = { ...now };
  const left: string[] = [];
  let differs = false;
  for (const [field, { from, to }] of changes) {
    if (areSame(now[field], from)) continue;
    if (!areSame(now[field], to)) left.push(field);
    else {
      differs = true;
      if (from === undefined) Reflect.deleteProperty(back, field);
      else back[field] = from;
    }
  }
  return { value: differs ? (back as ResourceFields) : undefined, left };
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

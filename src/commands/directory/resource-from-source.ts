import type { ResourceFields } from '../../events/directory/resource-fields.ts';
import type { ResourceEvent } from '../../events/directory/resource.ts';
import { defined } from '../../ground/defined.ts';
import { differ } from './field-changes.ts';
import { announced, approved, revision, submitted, type Import, type Known } from './resource-state.ts';
import { mergeThreeWay, type Merged } from './three-way.ts';
import type { Undo } from './undoing.ts';

/** The events of a record that a source brings first. */
export function imported(command: Import): ResourceEvent[] {
  const submission = submitted(command);
  if (!command.approve || !command.active) return [submission];
  return [submission, ...approved({ ...command, status: 'submitted', people: [] }, undefined)];
}

/** The events of a record that a source brings again. */
export function refreshed(command: Import, state: Known): ResourceEvent[] {
  const { fields } = mergedImport(command, state);
  const now = { ...state, fields };
  const events = sourceRead(command.fields, fields, state);
  if (!command.active && state.status === 'approved')
    events.push(...takenOut(now, 'No longer active at its source.'));
  if (command.active && state.status === 'inactive' && state.inactiveAtSource) events.push(...back(now));
  // A reviewer's rejection stays, however often the source offers the record again.
  const waits = state.status === 'submitted' || events.at(-1)?.type === 'ResourceResubmitted';
  if (command.active && command.approve && waits)
    events.push(...approved({ ...now, status: 'submitted' }, undefined));
  return events;
}

/** Fields that are merged as one. */
const together = [
  ['category', 'categories'],
  ['hours', 'opening_hours', 'time_zone'],
] as const;

/** What an import of a record comes to. A record that its source has not named yet becomes what the source says. */
export function mergedImport(command: Import, state: Known): Merged<ResourceFields> {
  const { base = state.fields, fields: mine } = state;
  const { take } = command;
  const takes = (field: string) => take === 'all' || take?.includes(field) === true;
  const onConflict = (field: string) => (takes(field) ? 'take' : 'keep');
  return mergeThreeWay({ base, theirs: command.fields, mine }, onConflict, together);
}

/** What the source says is recorded, also what is not taken of it. */
function sourceRead(theirs: ResourceFields, fields: ResourceFields, state: Known): ResourceEvent[] {
  const isRevised = differ(state.fields, fields);
  if (!differ(theirs, fields)) {
    if (isRevised) return [revision(state, fields, true)];
    return differ(state.base ?? state.fields, theirs) ? [readFromSource(theirs)] : [];
  }
  const isNew = state.base === undefined || differ(state.base, theirs);
  return [...(isNew ? [readFromSource(theirs)] : []), ...(isRevised ? [revision(state, fields)] : [])];
}

const readFromSource = (fields: ResourceFields): ResourceEvent => ({
  type: 'ResourceReadFromSource',
  data: { fields },
});

/** Takes out what nobody but its source, or the undoing of an import, has taken out. */
export function takenOut(state: Known, reason: string): ResourceEvent[] {
  switch (state.status) {
    case 'approved':
      return [
        { type: 'ResourceDeactivated', data: { reason, at_source: true, announced: announced(state) } },
      ];
    case 'submitted':
      return [{ type: 'ResourceWithdrawn', data: { reason } }];
    case 'rejected':
    case 'inactive':
      return [];
  }
}

/** Nobody is told twice that a record was approved: one that was public comes back by itself. */
export const back = (state: Known): ResourceEvent[] =>
  state.withdrawn
    ? [{ type: 'ResourceResubmitted', data: {} }]
    : [{ type: 'ResourceReactivated', data: { announced: announced(state) } }];

/** Takes back what an import did to a record. */
export function undone(state: Known, { status, fields, base }: Undo<ResourceFields>): ResourceEvent[] {
  const now = { ...state, ...defined({ fields }) };
  const events: ResourceEvent[] = [];
  if (base && (state.base === undefined || differ(state.base, base))) events.push(readFromSource(base));
  if (fields && differ(state.fields, fields)) events.push(revision(state, fields));
  if (status === 'out') events.push(...takenOut(now, 'The import was undone.'));
  if (status === 'back' && state.status === 'inactive' && state.inactiveAtSource) events.push(...back(now));
  return events;
}

import type { ResourceSource } from '../../events/directory/resource.ts';
import { defined } from '../../ground/defined.ts';
import type { ReviewedKind, ReviewedState, Step } from './reviewed-state.ts';
import { mergeThreeWay, type Merged } from './three-way.ts';
import type { Undo } from './undoing.ts';

/** What a source brings: a record or an organization. */
export interface FromSource<Fields> {
  readonly team: string;
  readonly source: ResourceSource;
  /** What the source says. What it says of persons is sealed as in `fields` or `base` where it says the same. */
  readonly fields: Fields;
  /** Absent: it is. */
  readonly active?: boolean;
  readonly approve: boolean;
  /** The fields of which what the source says is taken although a person has changed them. Default: none. */
  readonly take?: 'all' | readonly string[] | undefined;
}

type Kind<Fields> = Omit<ReviewedKind<Fields, never>, 'changed'>;

/** What happens when a source brings it again. */
export function refreshed<Fields extends object>(
  kind: Kind<Fields>,
  command: FromSource<Fields>,
  state: ReviewedState<Fields>,
): Step<Fields>[] {
  const { active = true, approve } = command;
  const steps = sourceRead(kind, command.fields, mergedImport(kind, command, state).fields, state);
  if (!active && state.status === 'approved')
    steps.push(...takenOut(state, 'No longer active at its source.'));
  if (active && isOutAtSource(state)) steps.push(back(state));
  // A reviewer's rejection stays, however often the source offers it again.
  const waits = state.status === 'submitted' || steps.at(-1)?.type === 'Resubmitted';
  if (active && approve && waits) steps.push(approval(state));
  return steps;
}

/** What an import comes to. What its source has not named yet becomes what the source says. */
export function mergedImport<Fields extends object>(
  { together }: Pick<Kind<Fields>, 'together'>,
  { fields: theirs, take }: Pick<FromSource<Fields>, 'fields' | 'take'>,
  { fields: mine, base = mine }: ReviewedState<Fields>,
): Merged<Fields> {
  const takes = (field: string): boolean => take === 'all' || take?.includes(field) === true;
  return mergeThreeWay({ base, theirs, mine }, (field) => (takes(field) ? 'take' : 'keep'), together);
}

/** What the source says is recorded, also what is not taken of it. */
function sourceRead<Fields>(
  { differ }: Kind<Fields>,
  theirs: Fields,
  fields: Fields,
  state: ReviewedState<Fields>,
): Step<Fields>[] {
  const isRevised = differ(state.fields, fields);
  if (!differ(theirs, fields)) {
    if (isRevised) return [{ type: 'Revised', data: { fields, from_source: true } }];
    return differ(state.base ?? state.fields, theirs) ? [readFromSource(theirs)] : [];
  }
  const isNew = state.base === undefined || differ(state.base, theirs);
  return [
    ...(isNew ? [readFromSource(theirs)] : []),
    ...(isRevised ? [{ type: 'Revised', data: { fields } } as const] : []),
  ];
}

/** Takes back what an import or a bulk action did. */
export function undone<Fields>(
  { differ }: Kind<Fields>,
  { status, fields, base, reason }: Undo<Fields> & { readonly reason: string },
  state: ReviewedState<Fields>,
): Step<Fields>[] {
  const steps: Step<Fields>[] = [];
  if (base && (state.base === undefined || differ(state.base, base))) steps.push(readFromSource(base));
  if (fields && differ(state.fields, fields)) steps.push({ type: 'Revised', data: { fields } });
  if (status) steps.push(...statusUndone(status, state, reason));
  return steps;
}

function statusUndone(
  status: NonNullable<Undo<unknown>['status']>,
  state: ReviewedState<unknown>,
  reason: string,
): Step<never>[] {
  const out = takenOut(state, reason);
  switch (status) {
    case 'out':
      return out;
    case 'withdrawn': {
      const isOut = out.length > 0 || isOutAtSource(state);
      const waits = state.status === 'submitted' || state.withdrawn === true;
      return isOut && !waits ? [...out, { type: 'Withdrawn', data: { reason } }] : out;
    }
    case 'waiting':
      return state.status === 'approved' || state.status === 'rejected'
        ? [...out, { type: 'Resubmitted', data: {} }]
        : [];
    case 'back':
      return state.status === 'inactive' ? [back(state)] : [];
  }
}

export const readFromSource = <Fields>(fields: Fields): Step<Fields> => ({
  type: 'ReadFromSource',
  data: { fields },
});

/** Takes out what nobody but its source, or the undoing of an import, has taken out. */
export function takenOut({ status }: Pick<ReviewedState<unknown>, 'status'>, reason: string): Step<never>[] {
  if (status === 'approved') return [{ type: 'Deactivated', data: { reason, at_source: true } }];
  return status === 'submitted' ? [{ type: 'Withdrawn', data: { reason } }] : [];
}

/** Nobody is told twice that a record was approved: what was public before is public again. */
export const approval = (
  { announced }: Pick<ReviewedState<unknown>, 'announced'>,
  note?: string,
): Step<never> => ({ type: announced ? 'Reactivated' : 'Approved', data: defined({ note }) });

/** What was public comes back by itself. What was withdrawn waits for review again. */
export const back = ({ withdrawn }: { readonly withdrawn?: boolean }): Step<never> => ({
  type: withdrawn ? 'Resubmitted' : 'Reactivated',
  data: {},
});

const isOutAtSource = ({ status, inactiveAtSource }: ReviewedState<unknown>): boolean =>
  status === 'inactive' && inactiveAtSource === true;

/** Whether it is what a source calls so. */
export const isOfSource = (
  { team, source }: Pick<ReviewedState<unknown>, 'team' | 'source'>,
  of: Pick<FromSource<unknown>, 'team' | 'source'>,
): boolean => team === of.team && source?.system === of.source.system && source.id === of.source.id;

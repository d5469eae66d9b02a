import { defined } from '../../ground/defined.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { approval, back, takenOut, undone } from './reviewed-from-source.ts';
import type { ByTeam, ReviewedKind, ReviewedState, ReviewStatus, Step } from './reviewed-state.ts';
import type { Undo } from './undoing.ts';

/** A command on a record or an organization that exists. */
export type ReviewCommand<Fields, Change> = (
  | { readonly kind: 'approve'; readonly note?: string }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'revise'; readonly change: Change }
  | { readonly kind: 'erase-person'; readonly person: string }
  | { readonly kind: 'deactivate'; readonly reason?: string }
  | { readonly kind: 'reactivate' }
  /** Its source no longer has it. */
  | { readonly kind: 'remove-missing' }
  | ({ readonly kind: 'undo'; readonly reason: string } & Undo<Fields>)
) &
  ByTeam;

/** What a command on something that exists comes to. @throws CommandRefused */
export function decided<Fields extends object, Change>(
  kind: ReviewedKind<Fields, Change>,
  command: ReviewCommand<Fields, Change>,
  state: ReviewedState<Fields>,
): Step<Fields>[] {
  switch (command.kind) {
    case 'approve':
      return changesStatus(command.kind, state.status, kind.noun) ? [approval(state, command.note)] : [];
    case 'reject':
      return changesStatus(command.kind, state.status, kind.noun)
        ? [{ type: 'Rejected', data: { reason: command.reason } }]
        : [];
    case 'deactivate':
      return changesStatus(command.kind, state.status, kind.noun)
        ? [{ type: 'Deactivated', data: defined({ reason: command.reason }) }]
        : [];
    case 'reactivate':
      return changesStatus(command.kind, state.status, kind.noun) ? [back(state)] : [];
    case 'remove-missing':
      return takenOut(state, 'No longer in its source.');
    case 'undo':
      return undone(kind, command, state);
    case 'revise': {
      const fields = kind.changed(state.fields, command.change);
      return kind.differ(state.fields, fields) ? [{ type: 'Revised', data: { fields } }] : [];
    }
    case 'erase-person': {
      const { person } = command;
      const named = state.people.find((each) => each.person === person);
      if (!named) throw new CommandRefused('not_found', `The ${kind.noun} has never named this person.`);
      return named.standing === 'erased' ? [] : [{ type: 'PersonErased', data: { person } }];
    }
  }
}

type ReviewDecision = 'approve' | 'reject' | 'deactivate' | 'reactivate';

/** The statuses in which a decision changes something, in which it was made before, and what to do instead in others. */
const decisions: Readonly<
  Record<
    ReviewDecision,
    {
      readonly changes: readonly ReviewStatus[];
      readonly isMadeIn: ReviewStatus;
      readonly instead: (status: ReviewStatus) => string;
    }
  >
> = {
  approve: {
    changes: ['submitted', 'rejected'],
    isMadeIn: 'approved',
    instead: () => 'was approved and then deactivated; reactivate it instead.',
  },
  reject: {
    changes: ['submitted'],
    isMadeIn: 'rejected',
    instead: () => 'was approved before; deactivate it instead.',
  },
  deactivate: {
    changes: ['approved'],
    isMadeIn: 'inactive',
    instead: (status) => `is ${status}; only an approved one can be deactivated.`,
  },
  reactivate: {
    changes: ['inactive'],
    isMadeIn: 'approved',
    instead: (status) => `is ${status}; only a deactivated one can be reactivated.`,
  },
};

/** Whether a decision changes something: one that was made before changes nothing. @throws CommandRefused conflict */
function changesStatus(decision: ReviewDecision, status: ReviewStatus, noun: string): boolean {
  const { changes, isMadeIn, instead } = decisions[decision];
  if (status === isMadeIn) return false;
  if (changes.includes(status)) return true;
  throw new CommandRefused('conflict', `This ${noun} ${instead(status)}`);
}

import { CommandRefused } from '../../ground/refusals.ts';

/** How far something that a reviewer decides about has come. */
export type ReviewStatus = 'submitted' | 'approved' | 'rejected' | 'inactive';

export type ReviewDecision = 'approve' | 'reject' | 'deactivate' | 'reactivate';

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

/**
 * Whether a decision changes something: one that was made before changes nothing. `what`: what it is about, such as
 * "organization".
 * @throws CommandRefused conflict
 */
export function changesStatus(decision: ReviewDecision, status: ReviewStatus, what: string): boolean {
  const { changes, isMadeIn, instead } = decisions[decision];
  if (status === isMadeIn) return false;
  if (changes.includes(status)) return true;
  throw new CommandRefused('conflict', `This ${what} ${instead(status)}`);
}

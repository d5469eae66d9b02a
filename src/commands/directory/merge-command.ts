import type { ResourceFields } from '../../events/directory/resource-fields.ts';
import type { SealedChange } from './field-changes.ts';
import type { ByTeam, ReviewStatus } from './reviewed-state.ts';

/** What a merge does to its two records, and an import to the one that stays. */
export type MergeCommand = (
  | { readonly kind: 'merge'; readonly merge: string; readonly survivor: string }
  | {
      readonly kind: 'absorb';
      readonly merge: string;
      readonly duplicate: string;
      readonly change: SealedChange;
    }
  /** `fields`: with what the source has said of it since. */
  | {
      readonly kind: 'unmerge';
      readonly merge: string;
      readonly status: ReviewStatus;
      readonly fields: ResourceFields;
    }
  /** `fields`: as they were before the merge, where nobody has changed them since. */
  | { readonly kind: 'release'; readonly merge: string; readonly fields?: ResourceFields | undefined }
  /** What the source of a duplicate says now is taken over. */
  | { readonly kind: 'take-over'; readonly fields: ResourceFields }
) &
  ByTeam;

const kinds = ['merge', 'absorb', 'unmerge', 'release', 'take-over'];
export const isOfMerge = (command: { readonly kind: string }): command is MergeCommand =>
  kinds.includes(command.kind);

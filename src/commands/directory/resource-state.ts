import type { ResourceFields } from '../../events/directory/resource-fields.ts';
import type { SealedChange } from './field-changes.ts';
import type { ReviewCommand } from './review-decisions.ts';
import type { FromSource } from './reviewed-from-source.ts';
import type { ReviewedState } from './reviewed-state.ts';

/** A resource that there is. */
export interface Known extends ReviewedState<ResourceFields> {
  readonly svc_id: string;
  readonly id: number;
}

export type ResourceState = Known | undefined;

/** A record that a source brings. */
export interface Import extends FromSource<ResourceFields> {
  readonly kind: 'import';
  readonly svc_id: string;
  readonly id: number;
  readonly active: boolean;
  /** It is in an export of this directory, and came from no source: it is revised, never made. */
  readonly own?: true;
}

export type ResourceCommand =
  | {
      readonly kind: 'submit';
      readonly svc_id: string;
      readonly id: number;
      readonly team: string;
      readonly fields: ResourceFields;
    }
  | Import
  | ReviewCommand<ResourceFields, SealedChange>;

import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import { cleanLine } from '../text.ts';

/** Whether a service is offered, and whether its record is public. */
export interface Availability {
  /** `inactive`: the record is not public. */
  readonly state: 'active' | 'inactive';
  readonly availability?: UnsealedFields['availability'];
  /** The status is none of HSDS. */
  readonly unknown?: true;
}

/**
 * What the status of a service says (HSDS: active, inactive, defunct, temporarily closed). A service that is closed for a
 * time stays public: who looks for it must learn that it is closed, and that it will open again. One that is gone for good
 * is not public. A status that HSDS does not have counts as inactive, so that nothing is shown that its publisher may have
 * withdrawn.
 */
export function availabilityOf(status: string): Availability {
  const word = cleanLine(status).toLowerCase().replace(/[_-]/g, ' ');
  if (word === '' || word === 'active') return { state: 'active' };
  if (word === 'inactive') return { state: 'inactive' };
  if (word === 'defunct') return { state: 'inactive', availability: 'defunct' };
  if (word === 'temporarily closed') return { state: 'active', availability: 'temporarily_closed' };
  return { state: 'inactive', unknown: true };
}

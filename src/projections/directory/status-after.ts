import type { ResourceEvent } from '../../events/directory/resource.ts';
import type { ResourceDocument } from './resources.ts';

/** What an event makes of a record. Undefined: its status is as before. Public is what is approved. */
export function statusAfter(event: ResourceEvent): ResourceDocument['status'] | undefined {
  switch (event.type) {
    case 'ResourceSubmitted':
    case 'ResourceResubmitted':
      return 'submitted';
    case 'ResourceApproved':
    case 'ResourceReactivated':
      return 'approved';
    case 'ResourceRejected':
      return 'rejected';
    case 'ResourceDeactivated':
    case 'ResourceWithdrawn':
    case 'ResourceMerged':
      return 'inactive';
    case 'ResourceUnmerged':
      return event.data.status;
    case 'ResourceRevised':
    case 'ResourceConfirmed':
    case 'ResourceConfirmationLapsed':
    case 'ResourceReadFromSource':
    case 'ResourcePersonErased':
    case 'ResourceAbsorbed':
    case 'ResourceReleased':
      return undefined;
  }
}

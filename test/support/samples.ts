import type { AgingPart } from '../../src/events/directory/upkeep/confirmation.ts';
import { svcIdOf } from '../../src/events/ids.ts';
import type { ImpersonalFields } from '../../src/events/directory/resource-fields.ts';
import type { ResourceEvent, ResourceFields } from '../../src/events/directory/resource.ts';
import type { SubscriptionEvent } from '../../src/events/webhooks/webhook.ts';

type DataOf<
  Event extends { readonly type: string; readonly data: unknown },
  Type extends Event['type'],
> = Extract<Event, { type: Type }>['data'];

export const pantryFields: ImpersonalFields = {
  name: 'Harbour Pantry',
  category: 'food',
  locations: [{ city: 'Miami' }],
};

/** A resource's identity, and the events that can befall it. */
export function aResource(id = 7, team = 'harbour', fields: ResourceFields = pantryFields) {
  const svc_id = svcIdOf(id);
  const announced = { svc_id, id, team, name: fields.name, category: fields.category };
  return {
    svc_id,
    id,
    team,
    announced,
    submitted: (rest: Partial<DataOf<ResourceEvent, 'ResourceSubmitted'>> = {}): ResourceEvent => ({
      type: 'ResourceSubmitted',
      data: { svc_id, id, team, fields, ...rest },
    }),
    approved: (rest: Partial<DataOf<ResourceEvent, 'ResourceApproved'>> = {}): ResourceEvent => ({
      type: 'ResourceApproved',
      data: { ...announced, ...rest },
    }),
    rejected: (
      reason: string,
      rest: Partial<DataOf<ResourceEvent, 'ResourceRejected'>> = {},
    ): ResourceEvent => ({
      type: 'ResourceRejected',
      data: { ...announced, reason, ...rest },
    }),
    /** Of a record that is not public. */
    /** `confirmed`: the parts that the person who revised it changed. */
    revised: (to: ResourceFields, confirmed?: AgingPart[]): ResourceEvent => ({
      type: 'ResourceRevised',
      data: { fields: to, ...(confirmed && { confirmed }) },
    }),
    revisedInPublic: (to: ResourceFields, confirmed?: AgingPart[]): ResourceEvent => ({
      type: 'ResourceRevised',
      data: {
        fields: to,
        announced: { ...announced, name: to.name, category: to.category },
        ...(confirmed && { confirmed }),
      },
    }),
    /** Revised by what its source says. */
    taken: (to: ResourceFields, isPublic = true): ResourceEvent => ({
      type: 'ResourceRevised',
      data: {
        fields: to,
        from_source: true,
        ...(isPublic ? { announced: { ...announced, name: to.name, category: to.category } } : {}),
      },
    }),
    readFromSource: (said: ResourceFields): ResourceEvent => ({
      type: 'ResourceReadFromSource',
      data: { fields: said },
    }),
    deactivated: (reason?: string): ResourceEvent => ({
      type: 'ResourceDeactivated',
      data: { ...(reason === undefined ? {} : { reason }), announced },
    }),
    reactivated: (): ResourceEvent => ({ type: 'ResourceReactivated', data: { announced } }),
  };
}

/** Where a subscription stands; every one of its events repeats all of this. */
export function aStanding(
  rest: Partial<DataOf<SubscriptionEvent, 'SubscriptionCreated'>> = {},
): DataOf<SubscriptionEvent, 'SubscriptionCreated'> {
  return {
    subscription: '5f0c1a52-6d3f-5c55-9a8e-3c8f2f0c7a11',
    team: 'harbour',
    status: 'active',
    origin: 'https://example.org',
    url_sealed: 'c2VhbGVk',
    events: ['resource.approved'],
    secret_version: 1,
    secret_id: '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01',
    ...rest,
  };
}

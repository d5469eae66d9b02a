import { streamId } from '../events/define.ts';
import type { Actor } from '../events/metadata.ts';
import {
  listedMemberStream,
  paymentStream,
  type ListedMemberEvent,
  type PaymentEvent,
} from '../events/payments.ts';
import { projection } from './engine/read-model.ts';

/** A payment that was recorded against a member of a team. */
export interface PaymentDocument {
  readonly payment: string;
  readonly team: string;
  readonly member: string;
  readonly amount_minor: number;
  readonly currency: string;
  /** Sealed under the data key of the member. */
  readonly memo?: string;
  readonly occurred_at: string;
  readonly status: 'recorded' | 'reversed';
  readonly recorded_at: string;
  readonly recorded_by: Actor;
  readonly reversed_at?: string;
  readonly reversed_by?: Actor;
  /** Why it was reversed. Sealed like the memo. */
  readonly reason?: string;
}

export const payments = projection<PaymentDocument, PaymentEvent>({
  version: 2,
  events: ['PaymentRecorded', 'PaymentReversed', 'PaymentReassigned'],
  collection: {
    name: 'payments',
    fields: ['payment', 'team', 'member', 'recorded_at'],
    indexes: [
      ['team', 'recorded_at', 'payment'],
      ['team', 'member', 'recorded_at', 'payment'],
    ],
  },
  idOf: (event) => streamId(event, paymentStream),
  fold(doc, event) {
    const { at, actor } = event.metadata;
    if (event.type === 'PaymentRecorded')
      return { ...event.data, status: 'recorded', recorded_at: at, recorded_by: actor } as PaymentDocument;
    if (event.type === 'PaymentReassigned') {
      if (!doc) return undefined;
      const { memo: _, reason: __, ...rest } = doc;
      return { ...rest, ...event.data } as PaymentDocument;
    }
    const { reason } = event.data;
    const why = reason === undefined ? {} : { reason };
    return doc && { ...doc, status: 'reversed', reversed_at: at, reversed_by: actor, ...why };
  },
});

/** The fields of the order of lists, together unique. Lists are read descending: the newest first. */
export const paymentOrder = ['recorded_at', 'payment'] as const;

/** Somebody who belongs to a team without an account. */
export interface ListedMemberDocument {
  readonly member: string;
  readonly team: string;
  readonly status: 'listed' | 'erased' | 'joined';
  /** Name, address, phone and note, sealed under the data key of the member. Absent once they are erased or have joined. */
  readonly details?: string;
  /** Keyed hash of the address. */
  readonly email?: string;
  /** The last day that is paid for. */
  readonly paid_until?: string;
  readonly added_at: string;
  /** The account that they have by now. */
  readonly user?: string;
}

export const listedMembers = projection<ListedMemberDocument, ListedMemberEvent>({
  version: 2,
  events: ['ListedMemberAdded', 'ListedMemberChanged', 'ListedMemberErased', 'ListedMemberJoined'],
  collection: {
    name: 'listed-members',
    fields: ['member', 'team', 'user', 'status', 'added_at', 'paid_until'],
    indexes: [
      ['team', 'status', 'added_at', 'member'],
      ['team', 'status', 'paid_until', 'member'],
      ['team', 'user', 'member'],
    ],
  },
  idOf: (event) => streamId(event, listedMemberStream),
  fold(doc, event) {
    if (event.type === 'ListedMemberAdded')
      return { ...event.data, status: 'listed', added_at: event.metadata.at } as ListedMemberDocument;
    if (!doc) return undefined;
    if (event.type === 'ListedMemberChanged') {
      const { email: _, paid_until: __, ...rest } = doc;
      return { ...rest, ...event.data } as ListedMemberDocument;
    }
    const { details: _, email: __, ...rest } = doc;
    return event.type === 'ListedMemberErased'
      ? { ...rest, status: 'erased' }
      : { ...rest, status: 'joined', user: event.data.user };
  },
});

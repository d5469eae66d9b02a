import { streamId } from '../events/define.ts';
import type { Actor } from '../events/metadata.ts';
import { paymentStream, type PaymentEvent } from '../events/payments.ts';
import { projection } from './engine/define.ts';

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
  version: 1,
  events: ['PaymentRecorded', 'PaymentReversed'],
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
    const { reason } = event.data;
    const why = reason === undefined ? {} : { reason };
    return doc && { ...doc, status: 'reversed', reversed_at: at, reversed_by: actor, ...why };
  },
});

/** The fields of the order of lists, together unique. Lists are read descending: the newest first. */
export const paymentOrder = ['recorded_at', 'payment'] as const;

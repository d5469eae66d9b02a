import type { AnsweredWords } from '../events/forms/answer-words.ts';
import type { Answers } from '../events/forms/answers.ts';
import type { MemberDetails } from '../commands/teams/member.ts';
import type { ResourceEvent } from '../events/directory/resource.ts';
import type { FormSubmissionEvent } from '../events/forms/submission.ts';
import type { PaymentEvent } from '../events/payments.ts';
import type { TeamEvent } from '../events/teams.ts';
import { exampleData, exampleDataOf1 } from '../events/webhooks/payload.ts';
import { choosableEvents, type WebhookEvent } from '../events/webhooks/webhook-events.ts';
import { formSubmissionOf, personOf, type Holder, type SealedValue } from '../personal/personal-data.ts';

/** The version that new deliveries are scheduled with. */
export const currentPayloadVersion = 2;

/** The version of new test deliveries: it says that they are tests. */
export const testPayloadVersion = 3;

/** The events that a payload can report. Each has the team whose subscribers are notified. */
export type PayloadSource = Extract<
  ResourceEvent | TeamEvent | FormSubmissionEvent | PaymentEvent,
  {
    type:
      | 'MemberJoined'
      | 'MemberLeft'
      | 'FormSubmitted'
      | 'ResourceApproved'
      | 'ResourceRejected'
      | 'ResourceRevised'
      | 'ResourceDeactivated'
      | 'ResourceReactivated'
      | 'ResourceMerged'
      | 'ResourceUnmerged'
      | 'ResourceConfirmed'
      | 'ResourceConfirmationLapsed'
      | 'PaymentRecorded'
      | 'PaymentReversed';
  }
>;

export type ReversedPayment = Extract<PaymentEvent, { type: 'PaymentRecorded' }>['data'];

/** Everything that determines the bytes of a body. */
export interface Payload {
  readonly event: WebhookEvent;
  readonly deliveryId: string;
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
  /** What the payload reports. Absent in a test delivery, which reports an example. */
  readonly source?: PayloadSource;
  /** Of a reversal: the payment that was reversed. */
  readonly payment?: ReversedPayment | undefined;
  /** The part of the source that is sealed in the log, opened. */
  readonly personal?: unknown;
  /** From version 2: the words to which the answers of a form were given, by the keys of the fields. */
  readonly words?: Readonly<Record<string, AnsweredWords>>;
}

/** Which recorded events each webhook event reports. */
const reported: Readonly<Record<WebhookEvent, readonly PayloadSource['type'][]>> = {
  'member.joined': ['MemberJoined'],
  'member.left': ['MemberLeft'],
  'form.submitted': ['FormSubmitted'],
  'resource.approved': ['ResourceApproved'],
  'resource.rejected': ['ResourceRejected'],
  'resource.changed': [
    'ResourceRevised',
    'ResourceDeactivated',
    'ResourceReactivated',
    'ResourceMerged',
    'ResourceUnmerged',
  ],
  'record.confirmed': ['ResourceConfirmed'],
  'record.stale': ['ResourceConfirmationLapsed'],
  'payment.received': ['PaymentRecorded'],
  'payment.reversed': ['PaymentReversed'],
};

const webhookEventByType: ReadonlyMap<string, WebhookEvent> = new Map(
  choosableEvents.flatMap((name) => reported[name].map((type) => [type, name] as const)),
);

/**
 * The team whose subscribers are notified. Undefined: nobody is, because a record was changed that is not public, or they were told
 * before that it was rejected.
 */
export function announcedTeam({ data }: PayloadSource): string | undefined {
  if ('rejected_before' in data && data.rejected_before) return undefined;
  return 'team' in data ? data.team : 'announced' in data ? data.announced?.team : undefined;
}

/** Whom a source event is about. */
export function holderOf(source: PayloadSource, payment: ReversedPayment | undefined): Holder | undefined {
  switch (source.type) {
    case 'MemberJoined':
    case 'MemberLeft':
      return personOf(source.data.user);
    case 'FormSubmitted':
      return formSubmissionOf(source.data.submission);
    case 'PaymentRecorded':
      return personOf(source.data.member);
    case 'PaymentReversed':
      return payment && personOf(payment.member);
    case 'ResourceApproved':
    case 'ResourceRejected':
    case 'ResourceRevised':
    case 'ResourceDeactivated':
    case 'ResourceReactivated':
    case 'ResourceMerged':
    case 'ResourceUnmerged':
    case 'ResourceConfirmed':
    case 'ResourceConfirmationLapsed':
      return undefined;
  }
}

/** The personal data of a source event. Absent too in a payment without a memo, and a reversal without a reason. */
export function sealedPartOf(source: PayloadSource): SealedValue['sealed'] | undefined {
  switch (source.type) {
    case 'MemberJoined':
      return source.data.person;
    case 'FormSubmitted':
      return source.data.answers_sealed;
    case 'PaymentRecorded':
      return source.data.memo;
    case 'PaymentReversed':
      return source.data.reason;
    case 'MemberLeft':
    case 'ResourceApproved':
    case 'ResourceRejected':
    case 'ResourceRevised':
    case 'ResourceDeactivated':
    case 'ResourceReactivated':
    case 'ResourceMerged':
    case 'ResourceUnmerged':
    case 'ResourceConfirmed':
    case 'ResourceConfirmationLapsed':
      return undefined;
  }
}

/** The types of the events that subscribers are notified of. */
export const announcedTypes: readonly string[] = [...webhookEventByType.keys()];

/** The webhook event for a recorded event. Null when subscribers are not notified of it. */
export const webhookEventOf = (eventType: string): WebhookEvent | null =>
  webhookEventByType.get(eventType) ?? null;

/**
 * The exact text of a delivery's body (interface section 2.8).
 *
 * Every attempt, even years later, must send the bytes whose digest was recorded. So a version is a pure function
 * that is never changed once deliveries have its number: a change of the body is a new version. Only new source
 * events may be added to a version.
 *
 * Throws a RangeError for an unknown version.
 */
export function renderPayload(version: number, payload: Payload): string {
  const render = versions.get(version);
  if (render === undefined) {
    throw new RangeError(`No payload version ${version}: known are ${[...versions.keys()].join(', ')}.`);
  }
  return render(payload);
}

const versions: ReadonlyMap<number, (payload: Payload) => string> = new Map([
  [1, version1],
  [2, version2],
  [3, version3],
]);

function version1(payload: Payload): string {
  const { event, deliveryId, occurredAt, source } = payload;
  const data = source ? data1(source, payload) : exampleDataOf1[event];
  return JSON.stringify({ event, delivery_id: deliveryId, occurred_at: occurredAt, data });
}

function data1(source: PayloadSource, { personal, payment: reversed }: Payload): object {
  switch (source.type) {
    case 'MemberJoined': {
      const { name, email } = personal as MemberDetails;
      return { id: source.data.user, name, email, role: source.data.role };
    }
    case 'FormSubmitted': {
      const { submission, form, submitted_at } = source.data;
      return { id: submission, form, submitted_at, answers: personal as Answers };
    }
    case 'ResourceApproved': {
      const { id, name, category, svc_id } = source.data;
      return { id, name, category, svc_id };
    }
    case 'ResourceRejected': {
      const { id, name, category, svc_id, reason } = source.data;
      return { id, name, category, svc_id, reason };
    }
    case 'PaymentRecorded': {
      const { payment, member, amount_minor, currency } = source.data;
      const memo = (personal as string | undefined) ?? null;
      return { id: payment, member_id: member, amount_minor, currency, memo };
    }
    case 'PaymentReversed': {
      const { member: member_id, amount_minor, currency } = reversed as ReversedPayment;
      const reason = (personal as string | undefined) ?? null;
      return { id: source.data.payment, member_id, amount_minor, currency, reason };
    }
    case 'MemberLeft':
      return { id: source.data.user };
    case 'ResourceConfirmed': {
      const { announced, by, parts = null } = source.data;
      const { id, name, category, svc_id } = announced as NonNullable<typeof announced>;
      return { id, name, category, svc_id, by, parts };
    }
    case 'ResourceConfirmationLapsed': {
      const { announced, confirmed } = source.data;
      const { id, name, category, svc_id } = announced as NonNullable<typeof announced>;
      return { id, name, category, svc_id, confirmed };
    }
    case 'ResourceRevised':
    case 'ResourceDeactivated':
    case 'ResourceReactivated':
    case 'ResourceMerged':
    case 'ResourceUnmerged': {
      const { id, name, category, svc_id } = source.data.announced as NonNullable<
        typeof source.data.announced
      >;
      return { id, name, category, svc_id, change: changeOf[source.type] };
    }
  }
}

const changeOf = {
  ResourceRevised: 'revised',
  ResourceDeactivated: 'deactivated',
  ResourceReactivated: 'reactivated',
  ResourceMerged: 'deactivated',
  ResourceUnmerged: 'reactivated',
} as const;

/** Adds to the answers of a form which version was filled in, and its words. */
function version2(payload: Payload): string {
  const { event, deliveryId, occurredAt, source } = payload;
  const data = source ? data2(source, payload) : exampleData[event];
  return JSON.stringify({ event, delivery_id: deliveryId, occurred_at: occurredAt, data });
}

/** As version 2, and a test delivery says that it is one. */
function version3(payload: Payload): string {
  const { event, deliveryId, occurredAt, source } = payload;
  if (source) return version2(payload);
  const data = exampleData[event];
  return JSON.stringify({ event, delivery_id: deliveryId, occurred_at: occurredAt, test: true, data });
}

function data2(source: PayloadSource, payload: Payload): object {
  const data = data1(source, payload);
  const { words = {} } = payload;
  return source.type === 'FormSubmitted' ? { ...data, form_version: source.data.form_version, words } : data;
}

import { createHash } from 'node:crypto';
import { wordsOf } from '../events/forms/answer-words.ts';
import type { Answers } from '../events/forms/answers.ts';
import { formVersions } from '../commands/forms-versions.ts';
import { upcast } from '../events/catalogue.ts';
import type { PaymentEvent } from '../events/payments.ts';
import type { WebhookEvent } from '../events/webhooks/webhook-events.ts';
import type { Holder } from '../personal/personal-data.ts';
import type { RecordedEvent } from '../stores/event-store/port.ts';
import type { DispatchContext } from './context.ts';
import {
  announcedTeam,
  holderOf,
  renderPayload,
  sealedPartOf,
  webhookEventOf,
  type Payload,
  type PayloadSource,
  type ReversedPayment,
} from './payload-of-event.ts';

/** What a body is rendered from. */
export interface BodyInput {
  readonly event: WebhookEvent;
  readonly deliveryId: string;
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
  readonly payloadVersion: number;
  /** The event that the delivery reports. A test delivery has none. */
  readonly source?: RecordedEvent;
  /** A test delivery: its body is the published example of its event. */
  readonly test?: true;
}

/** The digest of a body as DeliveryScheduled records it. */
export type BodyDigest = { readonly body_sha256: string } | { readonly body_hmac: string };

export type Body =
  | {
      readonly kind: 'rendered';
      readonly body: string;
      readonly digest: BodyDigest;
      /** The person whom it is about: what a receiver answers may tell of them, whatever the body says. */
      readonly holder?: Holder;
    }
  /** The data key of the person whom the event is about is deleted, so the body can never be rendered again. */
  | { readonly kind: 'erased' };

/**
 * The body of a delivery and its digest, the same bytes each time. Personal data of the source event is opened. The
 * digest of a body with personal data is keyed with the person's data key: a plain hash of a body that can be guessed
 * would tell the data after its erasure.
 *
 * @throws RangeError for an unknown payload version, Error for a source that is not of that webhook event
 */
export async function renderBody(
  { store, personal }: Pick<DispatchContext, 'store' | 'personal'>,
  { event, deliveryId, occurredAt, payloadVersion, source: recorded, test }: BodyInput,
): Promise<Body> {
  const envelope = { event, deliveryId, occurredAt };
  if (test) return plain(renderPayload(payloadVersion, envelope));
  if (!recorded || webhookEventOf(recorded.type) !== event)
    throw new Error(`Delivery ${deliveryId} of ${event} has ${recorded?.type ?? 'no event'} as its source.`);
  const source = upcast(recorded) as PayloadSource;
  if (announcedTeam(source) === undefined)
    throw new Error(`Delivery ${deliveryId} reports a change of a record that was not public.`);
  const payment = source.type === 'PaymentReversed' ? await paymentIn(store, recorded) : undefined;
  const about = { ...envelope, source, payment };
  const holder = holderOf(source, payment);
  const sealed = sealedPartOf(source);
  if (!holder || sealed === undefined)
    return { ...plain(renderPayload(payloadVersion, about)), ...(holder && { holder }) };
  const opened = await personal.open<unknown>(holder, sealed);
  if (opened === undefined) return { kind: 'erased' };
  const words = await wordsIn(store, source, opened);
  const body = renderPayload(payloadVersion, { ...about, personal: opened, ...words });
  const body_hmac = await personal.keyedDigest(holder, 'webhook-body', body);
  if (body_hmac === undefined) return { kind: 'erased' };
  return { kind: 'rendered', body, digest: { body_hmac }, holder };
}

const plain = (body: string): Extract<Body, { kind: 'rendered' }> => ({
  kind: 'rendered',
  body,
  digest: { body_sha256: createHash('sha256').update(body).digest('hex') },
});

/** The words of the version of a form that was filled in. Versions never change, so neither do the bytes. */
async function wordsIn(
  store: DispatchContext['store'],
  source: PayloadSource,
  opened: unknown,
): Promise<Pick<Payload, 'words'>> {
  if (source.type !== 'FormSubmitted') return {};
  const { form, form_version } = source.data;
  const definition = (await formVersions(store, form)).get(form_version);
  return definition ? { words: wordsOf(definition, opened as Answers) } : {};
}

/**
 * The payment of a reversal: what the first event of its stream says, and whose it was when it was reversed. What came
 * afterwards changes no body that was sent.
 */
async function paymentIn(
  store: DispatchContext['store'],
  { stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>,
): Promise<ReversedPayment> {
  const before = (await store.readStream(stream)).filter((each) => each.revision < revision);
  const [first, ...others] = before.map((each) => upcast(each) as PaymentEvent);
  if (first?.type !== 'PaymentRecorded')
    throw new Error(`The stream ${stream} does not begin with a payment.`);
  const last = others.findLast((each) => each.type === 'PaymentReassigned');
  return last ? { ...first.data, member: last.data.member } : first.data;
}

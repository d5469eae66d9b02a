import type { ScheduledDelivery } from '../../commands/webhooks/delivery.ts';
import { inSpan, traceparent } from '../../traces/spans.ts';
import type { Because } from '../context.ts';
import { isSuccess, type SendOutcome } from './sender.ts';

/**
 * Sends as a span of the trace to which the delivered event belongs. `send` gets the header that names the span to the receiver
 * (W3C Trace Context); none while there are no traces. It is not signed: whoever passes it on may replace it. The address of the
 * receiver is no attribute: it is its team's, and sealed.
 */
export function inDeliverySpan<Sent extends { readonly sent: SendOutcome }>(
  { delivery, event }: Pick<ScheduledDelivery, 'delivery' | 'event'>,
  attempt: number,
  { correlationId, causationId }: Because,
  send: (headers: Readonly<Record<string, string>>) => Promise<Sent>,
): Promise<Sent> {
  return inSpan(
    () => ({
      name: `deliver ${event}`,
      kind: 'client',
      correlationId: correlationId ?? delivery,
      causedBy: causationId,
      attributes: {
        'http.request.method': 'POST',
        'commonweal.webhook.event': event,
        'commonweal.webhook.delivery': delivery,
        'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
      },
    }),
    () => {
      const header = traceparent();
      return send(header === undefined ? {} : { traceparent: header });
    },
    (settled) => (settled.status === 'fulfilled' ? endingOf(settled.value.sent) : { failure: 'error' }),
  );
}

function endingOf(sent: SendOutcome) {
  if (sent.kind === 'failed') return { failure: sent.reason };
  const { status } = sent;
  return {
    attributes: { 'http.response.status_code': status },
    failure: isSuccess(status) ? undefined : String(status),
  };
}

import { deliveries, type DeliveryDocument } from '../../projections/webhooks/deliveries.ts';
import type { Documents, Scalar } from '../../stores/documents/port.ts';

/** Deliveries that are read and changed at a time: their appends share the writes of the log. */
const batchSize = 100;

type Status = DeliveryDocument['status'];

/** Which deliveries of one subscription. */
export interface DeliverySelection {
  readonly subscription: string;
  readonly status: Status;
  /** Those whose newest attempt was due at or after this time (ISO 8601 UTC). */
  readonly since?: string | undefined;
}

const orderBy = ['next_attempt_at', 'delivery'] as const;

/** The deliveries of a selection, oldest first, in batches. A delivery that changes meanwhile may be left out. */
export async function* batchesOf(
  documents: Documents,
  { subscription, status, since }: DeliverySelection,
): AsyncGenerator<readonly DeliveryDocument[]> {
  const found = documents.collection(deliveries.collection);
  for (let after: readonly Scalar[] | undefined; ;) {
    const place = after ? { after } : since === undefined ? {} : { from: since };
    const batch = await found.page({ where: { subscription, status }, orderBy, limit: batchSize, ...place });
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) return;
    after = [last.next_attempt_at, last.delivery];
  }
}

/** How many deliveries a selection has. */
export async function countOf(documents: Documents, selection: DeliverySelection): Promise<number> {
  const { subscription, status, since } = selection;
  const found = documents.collection(deliveries.collection);
  if (since === undefined) return found.count({ where: { subscription, status } });
  let count = 0;
  for (let after: readonly Scalar[] | undefined; ;) {
    const page = await found.select(
      { where: { subscription, status }, orderBy, limit: 1_000, ...(after ? { after } : { from: since }) },
      ['next_attempt_at', 'delivery'],
    );
    count += page.length;
    const last = page.at(-1);
    if (!last || page.length < 1_000) return count;
    after = [last.next_attempt_at, last.delivery];
  }
}

/** Called after each batch with the number of deliveries done so far. */
export type OnProgress = (done: number) => void;

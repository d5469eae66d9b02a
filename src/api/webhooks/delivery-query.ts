import { z } from 'zod';
import type { MasterKey } from '../../ground/master-key.ts';
import { deliveryStatuses } from '../../events/webhooks/webhook.ts';
import { webhookEvent } from '../../events/webhooks/webhook-events.ts';
import type { DeliveryPlace } from '../../projections/webhooks/delivery-list.ts';
import { ListCursors, otherList } from '../http/list-cursors.ts';
import { readParameters, wrongParameter } from '../http/read-parameters.ts';
import { pageQuery } from '../http/team-pages.ts';

/** A time as the read model has it. */
const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T17:00:00Z' })
  .transform((text) => new Date(text).toISOString());

/** The query of the list of deliveries, checked and documented by one schema. */
export const deliveryQuery = pageQuery.extend({
  subscription: z.uuid({ error: 'must be the id of a webhook' }).optional(),
  status: z
    .enum(deliveryStatuses, { error: `must be one of ${deliveryStatuses.join(', ')}` })
    .optional()
    .describe('Deliveries of one status, in the order in which their newest attempts were due.'),
  event: webhookEvent.optional(),
  words: z
    .string()
    .max(200)
    .optional()
    .describe(
      'All of them stand in the body, the id, the event or the newest answer. A body counts where the key may read it. The newest 500 are looked through for a page; the next page goes on.',
    ),
  since: time.optional().describe('Nothing before this time.'),
  until: time.optional().describe('Nothing after this time.'),
});

type Filters = Omit<z.output<typeof deliveryQuery>, 'limit' | 'cursor'>;

export interface DeliveriesRequest extends Filters {
  readonly limit: number;
  readonly after?: DeliveryPlace;
}

/** Reads the queries of the list of deliveries, and makes its cursors. They carry the filters and no authority. */
export class DeliveryQueries {
  readonly #cursors: ListCursors<readonly [Filters, DeliveryPlace]>;

  constructor(masterKey: MasterKey) {
    this.#cursors = new ListCursors(masterKey, 'webhook-deliveries');
  }

  /** @throws Problem, BadQuery naming the parameter */
  requestOf(target: string, team: string, now: Date): DeliveriesRequest {
    const { limit, cursor, ...filters } = readParameters(target, deliveryQuery);
    refuseWrongTimes(filters, now);
    const before = this.#cursors.open(cursor, team);
    if (!before) return { ...filters, limit };
    const [ofCursor, after] = before;
    if (!agree(filters, ofCursor)) throw otherList();
    return { ...ofCursor, limit, after };
  }

  cursor(team: string, { limit: _, after: __, ...filters }: DeliveriesRequest, place: DeliveryPlace): string {
    return this.#cursors.seal(team, [filters, place]);
  }
}

function refuseWrongTimes({ since, until }: Filters, now: Date): void {
  if (since !== undefined && new Date(since) > now) throw wrongParameter('since', 'is in the future');
  if (since !== undefined && until !== undefined && until < since)
    throw wrongParameter('until', 'is before since');
}

/** Filters beside a cursor may be left out, or are those of its list. */
const agree = (filters: Filters, ofCursor: Filters): boolean =>
  (Object.keys(filters) as (keyof Filters)[]).every((name) => filters[name] === ofCursor[name]);

import { z } from 'zod';
import type { MasterKey } from '../../stores/vault/seal.ts';
import { deliveryStatuses } from '../../commands/webhooks/delivery.ts';
import type { DeliveryPlace } from '../../projections/webhooks/delivery-list.ts';
import { resourceProblem } from '../http/api-errors.ts';
import { AuthenticatedValue } from '../http/paging/authenticated-value.ts';
import { pageQuery } from '../http/paging/team-pages.ts';
import { queryOf, readQuery } from '../http/query-string.ts';

const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T17:00:00Z' });

/** The query of the list of deliveries, checked and documented by one schema. */
export const deliveryQuery = pageQuery.extend({
  subscription: z.uuid({ error: 'must be the id of a subscription' }).optional(),
  status: z
    .enum(deliveryStatuses, { error: `must be one of ${deliveryStatuses.join(', ')}` })
    .optional()
    .describe('Deliveries of one status, in the order in which their newest attempts were due.'),
  since: time.optional().describe('Nothing before this time.'),
  until: time.optional().describe('Nothing after this time.'),
});

type Filters = Pick<z.output<typeof deliveryQuery>, 'subscription' | 'status' | 'since' | 'until'>;

interface Cursor {
  readonly team: string;
  readonly filters: Filters;
  readonly place: DeliveryPlace;
}

export interface AskedDeliveries extends Filters {
  readonly limit: number;
  readonly after?: DeliveryPlace;
}

const names = ['limit', 'cursor', 'subscription', 'status', 'since', 'until'] as const;

/** Reads the queries of the list of deliveries, and makes its cursors. They carry the filters and no authority. */
export class DeliveryQueries {
  readonly #cursors: AuthenticatedValue<Cursor, readonly [string, Filters, DeliveryPlace]>;

  constructor(masterKey: MasterKey) {
    this.#cursors = new AuthenticatedValue(masterKey, 'deliveries-cursor', {
      write: ({ team, filters, place }) => [team, filters, place] as const,
      read: ([team, filters, place]) => ({ team, filters, place }),
    });
  }

  /** @throws Problem, BadQuery naming the parameter */
  asked(target: string, team: string, now: Date): AskedDeliveries {
    const { limit: size, ...texts } = readQuery(queryOf(target), names);
    const read = deliveryQuery.safeParse({
      ...texts,
      ...(size === undefined ? {} : { limit: /^\d{1,9}$/.test(size) ? Number(size) : size }),
    });
    if (!read.success) {
      const [issue] = read.error.issues;
      throw invalid(`${String(issue?.path[0])} ${issue?.message ?? 'is not valid'}.`);
    }
    const { limit, cursor: sealed, ...given } = read.data;
    const filters = inUtc(given);
    refuseWrongTimes(filters, now);
    if (sealed === undefined) return { ...filters, limit };
    const cursor = this.#cursors.open(sealed);
    if (cursor?.team !== team || !agree(filters, cursor.filters)) {
      throw resourceProblem(
        'invalid_cursor',
        'The cursor was not given out by this list with these filters, or was changed.',
      );
    }
    return { ...cursor.filters, limit, after: cursor.place };
  }

  cursor(team: string, { limit: _, after: __, ...filters }: AskedDeliveries, place: DeliveryPlace): string {
    return this.#cursors.seal({ team, filters, place });
  }
}

const invalid = (sentence: string) => resourceProblem('invalid_parameter', sentence);

/** Times as the read model has them. */
function inUtc({ since, until, ...filters }: Filters): Filters {
  return {
    ...filters,
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
  };
}

function refuseWrongTimes({ since, until }: Filters, now: Date): void {
  if (since !== undefined && new Date(since) > now) throw invalid('since is in the future.');
  if (since !== undefined && until !== undefined && until < since) throw invalid('until is before since.');
}

/** Filters beside a cursor may be left out, or are those of its list. */
const agree = (given: Filters, ofCursor: Filters): boolean =>
  (Object.keys(given) as (keyof Filters)[]).every((name) => given[name] === ofCursor[name]);

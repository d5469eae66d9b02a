import { z } from 'zod';
import { deliveryStatuses } from '../../../commands/webhooks/delivery.ts';
import { hostOf } from '../../../commands/webhooks/subscription-address.ts';
import type { DeliveryDocument } from '../../../projections/webhooks/deliveries.ts';
import { listDeliveries, placeOf, subscriptionsOfTeam } from '../../../projections/webhooks/delivery-list.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { field, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, TeamPageContext } from '../../pages/page-context.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { badge } from '../../pages/parts/badge.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { empty, filterBar, pager } from '../../pages/parts/list-controls.ts';
import { doneNotice } from '../../pages/parts/notices.ts';
import { table } from '../../pages/parts/table.ts';
import { addressOf, pathOf, webhookPaths } from './addresses.ts';
import { subscriptionIn } from './of-team.ts';
import { parkedCard } from './parked.ts';
import { sendAgainCards, sentAgain } from './send-again.ts';
import { webhookTabs } from './tabs.ts';
import { en } from './texts.ts';

/** Deliveries of one page. */
const listed = 50;

/** The deliveries of one webhook, and how to send some of them again. */
export function webhookDeliveries(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.deliveries,
    async get(pageContext) {
      const doc = await subscriptionIn(dependencies, pageContext);
      const list = await deliveryList(dependencies, pageContext, {
        path: pathOf(doc.subscription, 'deliveries'),
        of: [doc.subscription],
      });
      return {
        title: hostOf(doc),
        content: html`${doneNotice(pageContext, sentAgain(pageContext))}
        ${webhookTabs(pageContext.team.team, doc.subscription, 'deliveries')}${list}
        ${doc.status === 'deleted' ? '' : sendAgainCards(pageContext, doc.subscription)}`,
      };
    },
  };
}

/** The deliveries of all webhooks of a team. */
export function allDeliveries(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.allDeliveries,
    async get(pageContext) {
      const { team } = pageContext.team;
      const all = await subscriptionsOfTeam(dependencies.documents, team);
      const list = await deliveryList(dependencies, pageContext, {
        path: webhookPaths.allDeliveries,
        of: all.map(({ subscription }) => subscription),
        hosts: new Map(all.map((each) => [each.subscription, hostOf(each)] as const)),
      });
      return {
        title: en.deliveries.all,
        content: html`${doneNotice(pageContext, sentAgain(pageContext))}
          <p><a href="${ofTeam(paths.webhooks, team)}">${en.back}</a></p>
          ${list}${await parkedCard(dependencies, pageContext, all)}`,
      };
    },
  };
}

const filters = z.object({
  status: z.enum(deliveryStatuses).optional().catch(undefined),
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
  after: z
    .string()
    .transform((text) => text.split('/'))
    .pipe(z.tuple([z.iso.datetime(), z.uuid()]))
    .optional()
    .catch(undefined),
});

interface Listed {
  readonly path: string;
  /** The subscriptions. */
  readonly of: readonly string[];
  /** Where each of them sends, when there are several. */
  readonly hosts?: ReadonlyMap<string, string>;
}

async function deliveryList(
  { documents }: PageDependencies,
  { query, team: { team } }: TeamPageContext,
  { path, of, hosts }: Listed,
): Promise<Html> {
  const { status, from, to, after } = filters.parse(Object.fromEntries(query));
  const read = await listDeliveries(documents, {
    subscriptions: of,
    status,
    ...(from === undefined ? {} : { since: `${from}T00:00:00.000Z` }),
    ...(to === undefined ? {} : { until: `${to}T23:59:59.999Z` }),
    after,
    limit: listed + 1,
  });
  const shown = read.slice(0, listed);
  const last = read.length > listed ? shown.at(-1) : undefined;
  const chosen = { ...(status && { status }), ...(from && { from }), ...(to && { to }) };
  return html`${filterBar({
    action: path,
    team,
    label: en.deliveries.filter,
    fields: html`${selectField({
      name: 'status',
      label: en.deliveries.status,
      value: status,
      options: [
        { value: '', label: en.deliveries.any },
        ...deliveryStatuses.map((each) => ({ value: each, label: en.delivery[each] })),
      ],
    })}
    ${field({ name: 'from', label: en.deliveries.from, type: 'date', value: from, optional: true })}
    ${field({ name: 'to', label: en.deliveries.to, type: 'date', value: to, optional: true })}`,
  })}
  ${
    shown.length === 0
      ? empty(Object.keys(chosen).length === 0 ? en.deliveries.none : en.deliveries.noneSuch)
      : html`<section class="card">
          ${table({
            caption: en.deliveries.heading,
            columns: [
              { label: en.deliveries.event },
              { label: en.deliveries.scheduled },
              { label: en.deliveries.status },
              { label: en.deliveries.attempts, numbers: true },
              { label: en.deliveries.answer },
            ],
            rows: shown.map((doc) => rowOf(team, doc, hosts?.get(doc.subscription))),
          })}
        </section>`
  }
  ${pager({
    first: after === undefined ? undefined : ofTeam(path, team, chosen),
    next: last && ofTeam(path, team, { ...chosen, after: placeOf(last, status).join('/') }),
  })}`;
}

const rowOf = (team: string, doc: DeliveryDocument, host: string | undefined): (Html | string | number)[] => [
  html`<a href="${addressOf(team, doc.subscription, ['deliveries', doc.delivery])}">${doc.event}</a>
    ${doc.test === true ? badge(en.deliveries.test) : ''}
    ${host === undefined ? '' : html`<span class="hint">${host}</span>`}`,
  time(doc.scheduled_at, 'minute'),
  deliveryBadge(doc.status),
  doc.attempts,
  doc.last_error ?? (doc.last_status === undefined ? '–' : String(doc.last_status)),
];

/** What became of a delivery, in two words at most. */
export const deliveryBadge = (status: DeliveryDocument['status']): Html =>
  badge(
    en.delivery[status],
    status === 'delivered' ? 'good' : status === 'failed' || status === 'parked' ? 'bad' : 'plain',
  );

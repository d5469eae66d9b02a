import { z } from 'zod';
import {
  decideParked,
  replayEvents,
  resendFailed,
  searchDeliveries,
} from '../../actions/webhooks-deliveries.ts';
import { deliveryStatuses, webhookTitle } from '../../events/webhooks/webhook.ts';
import { choosableEvents, webhookEvent } from '../../events/webhooks/webhook-events.ts';
import { untilDecisionsShown } from '../../dispatch/operations/parked-deliveries.ts';
import type { DeliveryDocument } from '../../projections/webhooks/deliveries.ts';
import { subscriptionsOfTeam } from '../../projections/webhooks/delivery-list.ts';
import { defined } from '../../ground/defined.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { teamForm, teamView, type Again } from '../pages/action-form.ts';
import { field, notice, time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { dayBegins, dayEnds, zoneHint } from '../pages/reader-clock.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { ofTeam } from '../pages/paths.ts';
import { badge } from '../pages/parts/badge.ts';
import { chosen } from '../pages/parts/chosen.ts';
import { selectField } from '../pages/parts/choices.ts';
import { empty, filterBar, pager } from '../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { addressOf, pathOf, subscriptionIn, webhookPaths } from './addresses.ts';
import { failedSince, parkedCard, replayFrom, sendAgainCards, sentAgain } from './send-again.ts';
import { webhooksTabs, webhookTabs } from './webhook-parts.ts';
import { en } from './texts.ts';

/** Deliveries of one page. */
const listed = 50;

/** The deliveries of one webhook, and how to send some of them again. */
export const webhookDeliveries = teamView('change webhooks', webhookPaths.deliveries, webhookView);

async function webhookView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const doc = await subscriptionIn(dependencies, pageContext);
  const list = await deliveryList(dependencies, pageContext, {
    path: pathOf(doc.subscription, 'deliveries'),
    of: [doc.subscription],
  });
  return {
    title: webhookTitle(doc),
    content: html`${refused ? notice(refused.message, 'wrong') : doneNotice(pageContext, sentAgain(pageContext))}
    ${webhookTabs(pageContext.team.team, doc.subscription, 'deliveries')}${list}
    ${doc.status === 'deleted' ? '' : sendAgainCards(dependencies, pageContext, doc.subscription, problems)}`,
  };
}

/** Sends the events of a time again to one webhook, the oldest first. */
export const replayForm = teamForm({
  path: webhookPaths.change('replay'),
  action: replayEvents,
  fields: replayFrom,
  view: webhookView,
  done: (pageContext, { subscription, scheduled, reopened, waiting, more, position }) =>
    redirectDone(pathOf(subscription, 'deliveries'), pageContext, 'replayed', {
      first: String(scheduled),
      again: String(reopened),
      waiting: String(waiting),
      ...(more && { more: String(position), until: pageContext.form.get('replay-until') ?? '' }),
    }),
});

/** Sends again what failed since a time. */
export const resendFailedForm = teamForm({
  path: webhookPaths.change('resend-failed'),
  action: resendFailed,
  fields: failedSince,
  view: webhookView,
  done: (pageContext, { subscription, resent }) =>
    redirectDone(
      pathOf(subscription, 'deliveries'),
      pageContext,
      resent === undefined ? 'resending' : 'resent',
      {
        again: String(resent ?? 0),
      },
    ),
});

/** The deliveries of all webhooks of a team. */
export const allDeliveries = teamView('change webhooks', webhookPaths.allDeliveries, allView);

async function allView(dependencies: PageDependencies, pageContext: TeamPageContext): Promise<View> {
  const { team } = pageContext.team;
  const all = await subscriptionsOfTeam(dependencies.documents, team);
  const list = await deliveryList(dependencies, pageContext, {
    path: webhookPaths.allDeliveries,
    of: all.map(({ subscription }) => subscription),
    hosts: new Map(all.map((each) => [each.subscription, webhookTitle(each)] as const)),
  });
  return {
    title: en.deliveries.all,
    content: html`${doneNotice(pageContext, sentAgain(pageContext))}
    ${webhooksTabs(team, webhookPaths.allDeliveries)}
    ${list}${await parkedCard(dependencies, pageContext, all)}`,
  };
}

/** Decides on what of the team was set aside. */
export const decideParkedForm = teamForm({
  path: webhookPaths.parked,
  action: decideParked,
  also: ({ form }) => ({ decision: chosen(form, 'decision', ['replay', 'discard']) }),
  view: allView,
  async done(pageContext, { deliveries }, dependencies) {
    await untilDecisionsShown(dependencies);
    const text = pageContext.form.get('decision') === 'replay' ? 'parked-replayed' : 'parked-discarded';
    return redirectDone(webhookPaths.allDeliveries, pageContext, text, { again: String(deliveries) });
  },
});

const filters = z.object({
  status: z.enum(deliveryStatuses).optional().catch(undefined),
  event: webhookEvent.optional().catch(undefined),
  words: z.string().trim().max(200).catch(''),
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
  parts: PageDependencies,
  { query, team: { team } }: TeamPageContext,
  { path, of, hosts }: Listed,
): Promise<Html> {
  const { status, event, words, from, to, after } = filters.parse(Object.fromEntries(query));
  // A list that left out what was asked for would be taken for the whole.
  const wrongDay = (name: 'from' | 'to') =>
    (query.get(name) ?? '') !== '' && { from, to }[name] === undefined;
  const isWrong = wrongDay('from') || wrongDay('to');
  const day = (name: 'from' | 'to') => ({
    type: 'date' as const,
    optional: true,
    value: query.get(name) ?? '',
    ...(wrongDay(name) && { error: en.deliveries.noDay }),
  });
  const {
    found: shown,
    next,
    looked,
  } = await searchDeliveries(parts, {
    subscriptions: isWrong ? [] : of,
    status,
    event,
    words,
    ...defined({ since: from && dayBegins(from)?.toISOString(), until: to && dayEnds(to)?.toISOString() }),
    after,
    limit: listed,
  });
  const narrowed = {
    ...(status && { status }),
    ...(event && { event }),
    ...(words && { words }),
    ...(from && { from }),
    ...(to && { to }),
  };
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
    ${selectField({
      name: 'event',
      label: en.deliveries.event,
      value: event,
      options: [
        { value: '', label: en.deliveries.anyEvent },
        ...choosableEvents.map((each) => ({ value: each, label: each })),
      ],
    })}
    ${field({ name: 'words', label: en.deliveries.words, value: words, optional: true, maxlength: 200, hint: en.deliveries.wordsHint })}
    ${field({ name: 'from', label: en.deliveries.from, ...day('from'), ...defined({ hint: zoneHint() }) })}
    ${field({ name: 'to', label: en.deliveries.to, ...day('to') })}`,
  })}
  ${
    shown.length === 0
      ? empty(Object.keys(narrowed).length === 0 && !isWrong ? en.deliveries.none : en.deliveries.noneSuch)
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
  ${looked === undefined ? '' : html`<p class="quiet">${en.deliveries.lookedAt(looked)}</p>`}
  ${pager({
    first: after === undefined ? undefined : ofTeam(path, team, narrowed),
    next: next && ofTeam(path, team, { ...narrowed, after: next.join('/') }),
  })}`;
}

const rowOf = (team: string, doc: DeliveryDocument, host: string | undefined): (Html | string | number)[] => [
  html`<a href="${addressOf(team, doc.subscription, ['deliveries', doc.delivery])}">${doc.event}</a>
    ${doc.test === true ? badge(en.deliveries.test) : ''}
    ${host === undefined ? '' : html`<span class="hint">${host}</span>`}`,
  time(doc.scheduled_at, 'second'),
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

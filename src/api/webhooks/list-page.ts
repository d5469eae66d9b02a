import { hostOf, webhookTitle } from '../../events/webhooks/webhook.ts';
import { receiverInList } from '../../projections/webhooks/health-report.ts';
import { subscriptions, type SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { teamView } from '../pages/action-form.ts';
import { time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { empty, pager } from '../pages/parts/list-controls.ts';
import { doneNotice } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { addressOf, webhookPaths } from './addresses.ts';
import { percent, stateOf, upTo, webhooksTabs } from './webhook-parts.ts';
import { en } from './texts.ts';

/** Subscriptions of one page. */
const listed = 25;

/** How far what waits is counted in the list. */
const countedWaiting = 1_000;

/** The webhooks of a team, and how each of their receivers does. */
export const webhookList = teamView('change webhooks', webhookPaths.list, listView);

async function listView({ documents, now }: PageDependencies, pageContext: TeamPageContext): Promise<View> {
  const { query, team } = pageContext;
  const deleted = query.get('show') === 'deleted';
  const also = deleted ? { show: 'deleted' } : undefined;
  const after = query.get('after') ?? undefined;
  const { shown, next } = await pageOfTeam(documents, team.team, { deleted, after });
  const rows = await Promise.all(shown.map((doc) => rowOf(documents, pageContext, doc, now())));
  const add = html`<p>
    <a class="button primary" href="${ofTeam(webhookPaths.new, team.team)}">${en.add}</a>
  </p>`;
  return {
    title: en.title,
    content: html`${doneNotice(pageContext, { deleted: 'The webhook is deleted. What waited for it is not sent.' })}
      <p class="lead">${en.lead}</p>
      ${shown.length === 0 && !deleted ? '' : add} ${webhooksTabs(team.team, webhookPaths.list, also)}
      ${
        rows.length === 0
          ? deleted
            ? empty(en.noneDeleted)
            : empty(en.none, add)
          : html`<section class="card">
              ${table({
                caption: en.title,
                columns: [
                  { label: 'Address' },
                  { label: 'State' },
                  { label: 'Accepted in 24 hours', numbers: true },
                  { label: 'Waiting', numbers: true },
                ],
                rows,
              })}
            </section>`
      }
      ${pager({
        first: after === undefined ? undefined : ofTeam(paths.webhooks, team.team, also),
        next: next === undefined ? undefined : ofTeam(paths.webhooks, team.team, { ...also, after: next }),
      })}`,
  };
}

/** One page of a team's subscriptions: those in use, or those deleted. */
async function pageOfTeam(
  documents: Documents,
  team: string,
  { deleted, after }: { readonly deleted: boolean; readonly after: string | undefined },
): Promise<{ readonly shown: readonly SubscriptionDocument[]; readonly next: string | undefined }> {
  const found = documents.collection(subscriptions.collection);
  const shown: SubscriptionDocument[] = [];
  for (let place = after; ;) {
    const read = await found.page({
      where: { team },
      orderBy: ['subscription'],
      limit: 2 * listed,
      ...(place === undefined ? {} : { after: [place] }),
    });
    shown.push(...read.filter(({ status }) => (status === 'deleted') === deleted));
    place = read.at(-1)?.subscription;
    if (shown.length > listed || read.length < 2 * listed) break;
  }
  const page = shown.slice(0, listed);
  const next = shown.length > listed ? page.at(-1)?.subscription : undefined;
  return { shown: page.sort((one, other) => (one.created_at < other.created_at ? -1 : 1)), next };
}

async function rowOf(
  documents: Documents,
  { team }: TeamPageContext,
  doc: SubscriptionDocument,
  now: Date,
): Promise<readonly (Html | string)[]> {
  const receiver = await receiverInList(documents, doc.subscription, now, countedWaiting);
  return [
    html`<a href="${addressOf(team.team, doc.subscription)}">${webhookTitle(doc)}</a>
      <span class="hint"
        >${doc.name === undefined ? '' : `${hostOf(doc)}: `}${doc.events.join(', ')}. ${en.since}
        ${time(doc.created_at)}.</span
      >`,
    stateOf(doc),
    percent(receiver.success_rate),
    upTo(receiver.backlog, countedWaiting),
  ];
}

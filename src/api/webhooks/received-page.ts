import {
  openRequest,
  receivedRequests,
  type ListedRequest,
} from '../../dispatch/operations/test-receiver.ts';
import { subscriptionsOfTeam } from '../../projections/webhooks/delivery-list.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { teamView } from '../pages/action-form.ts';
import { time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { ofTeam } from '../pages/paths.ts';
import { badge } from '../pages/parts/badge.ts';
import { facts } from '../pages/parts/facts.ts';
import { empty } from '../pages/parts/list-controls.ts';
import { copyableLines } from '../pages/parts/show-once.ts';
import { table } from '../pages/parts/table.ts';
import { addressOf, missing, requestInQuery, webhookPaths } from './addresses.ts';
import { headerLines, shownBody, webhooksTabs } from './webhook-parts.ts';
import { en } from './texts.ts';

/** What the test receiver of a team has. */
export const receivedPage = teamView('change webhooks', webhookPaths.received, listView);

async function listView(
  { side, documents }: PageDependencies,
  { team: { team } }: TeamPageContext,
): Promise<View> {
  const [requests, all] = await Promise.all([
    receivedRequests(side, team),
    subscriptionsOfTeam(documents, team),
  ]);
  const uses = all.some(({ test_receiver, status }) => test_receiver && status !== 'deleted');
  const add = html`<p>
    <a class="button primary" href="${ofTeam(webhookPaths.new, team)}">${en.add}</a>
  </p>`;
  return {
    title: en.received.title,
    content: html`<p class="lead">${en.received.lead}</p>
      ${webhooksTabs(team, webhookPaths.received)}
      ${
        requests.length === 0
          ? empty(uses ? en.received.nothingYet : en.received.notUsed, uses ? undefined : add)
          : html`<section class="card">
              ${table({
                caption: en.received.title,
                columns: [
                  { label: en.deliveries.event },
                  { label: en.received.at },
                  { label: en.received.signature },
                  { label: en.received.size, numbers: true },
                ],
                rows: requests.map((each) => rowOf(team, each)),
              })}
            </section>`
      }
      <p>
        <a class="button secondary" href="${ofTeam(webhookPaths.received, team)}">${en.received.again}</a>
      </p>
      <p class="quiet small">${en.received.listen(team)}</p>`,
  };
}

const rowOf = (team: string, each: ListedRequest): (Html | string)[] => [
  html`<a href="${ofTeam(requestPath(each.id), team)}">${each.event}</a>
    ${each.test === true ? badge(en.deliveries.test) : ''}`,
  time(each.received_at, 'second'),
  signatureBadge(each),
  bytesText(each.bytes),
];

const requestPath = (id: string): string =>
  webhookPaths.receivedOne.replace(':request', encodeURIComponent(id));

const signatureBadge = ({ signed }: ListedRequest): Html =>
  signed ? badge(en.received.signed, 'good') : badge(en.received.notSigned, 'bad');

const bytesText = (bytes: number): string => `${bytes.toLocaleString('en')} bytes`;

/** One request at the test receiver. */
export const receivedRequest = teamView('change webhooks', webhookPaths.receivedOne, requestView);

/** @throws EarlyAnswer when it is not there any more */
async function requestView(dependencies: PageDependencies, pageContext: TeamPageContext): Promise<View> {
  const { team } = pageContext.team;
  const { request: id = '' } = pageContext.request.params as { readonly request?: string };
  const found = await openRequest(dependencies, team, id);
  if (!found) throw missing(pageContext, en.received.gone);
  const { content } = found;
  const isCut = content !== undefined && Buffer.byteLength(content.body) < found.bytes;
  return {
    title: found.event,
    content: html`<section class="card">
        <h2>${en.received.heading}</h2>
        ${facts([
          [en.received.at, time(found.received_at, 'second')],
          [en.received.signature, signatureBadge(found)],
          [en.received.size, bytesText(found.bytes)],
          [
            en.delivered.heading,
            html`<a href="${addressOf(team, found.subscription, ['deliveries', found.delivery])}"
              ><code>${found.delivery}</code></a
            >`,
          ],
        ])}
        <p>
          ${
            content === undefined || isCut
              ? ''
              : html`<a href="${ofTeam(webhookPaths.signature, team, { [requestInQuery]: id })}"
                    >${en.received.check}</a
                  >
                  ·`
          }
          <a href="${ofTeam(webhookPaths.received, team)}">${en.received.all}</a>
        </p>
      </section>
      ${
        content === undefined
          ? html`<section class="card"><p>${en.received.erased}</p></section>`
          : html`<section class="card">
                <h2>${en.received.headers}</h2>
                ${copyableLines(headerLines(content.headers), en.received.headers)}
              </section>
              <section class="card">
                <h2>${en.received.body}</h2>
                ${shownBody(content.body, en.received.body)}
                ${isCut ? html`<p class="quiet small">${en.received.cut}</p>` : ''}
              </section>`
      }`,
  };
}

import { z } from 'zod';
import { findIn } from '../../actions/listing.ts';
import { subscriptionList } from '../../actions/webhooks.ts';
import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { notFoundView } from '../pages/frame/common-views.ts';
import { EarlyAnswer, type TeamPageContext } from '../pages/page-context.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const under = (subscription: string, ...rest: readonly string[]): string =>
  [paths.webhooks, subscription, ...rest].join('/');

/** The paths of the pages below /dash/integrations/webhooks, and addresses of them. */
export const webhookPaths = {
  list: paths.webhooks,
  new: `${paths.webhooks}/new`,
  allDeliveries: `${paths.webhooks}/deliveries`,
  parked: `${paths.webhooks}/deliveries/parked`,
  /** What the test receiver of a team has. */
  received: `${paths.webhooks}/test-receiver`,
  receivedOne: `${paths.webhooks}/test-receiver/:request`,
  signature: `${paths.webhooks}/signature`,
  one: `${paths.webhooks}/:id`,
  change: (what: string) => `${paths.webhooks}/:id/${what}`,
  deliveries: `${paths.webhooks}/:id/deliveries`,
  delivery: `${paths.webhooks}/:id/deliveries/:delivery`,
  changeDelivery: (what: string) => `${paths.webhooks}/:id/deliveries/:delivery/${what}`,
} as const;

/** The parameter of the page that checks signatures: a request at the test receiver. */
export const requestInQuery = 'request';

/** The path of a page of one subscription. */
export const pathOf = under;

/** The address of a page of one subscription. */
export const addressOf = (
  team: string,
  subscription: string,
  rest: readonly string[] = [],
  also: Readonly<Record<string, string>> = {},
): string => ofTeam(under(subscription, ...rest), team, also);

const uuid = z.uuid();

/** A part of the address, if it is an id. */
export const idIn = ({ request }: TeamPageContext, name: string): string | undefined =>
  uuid.safeParse((request.params as Readonly<Record<string, string>>)[name]).data;

/** The subscription in the address of a page. @throws EarlyAnswer when the team has none of this id */
export async function subscriptionIn(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
): Promise<SubscriptionDocument> {
  const id = idIn(pageContext, 'id') ?? '';
  const doc = await findIn(subscriptionList, dependencies, pageContext.team.team, id);
  if (!doc) throw missing(pageContext, en.notFound);
  return doc;
}

export const missing = ({ team }: TeamPageContext, sentence: string): EarlyAnswer =>
  new EarlyAnswer(notFoundView(sentence, { to: ofTeam(paths.webhooks, team.team), label: en.back }));

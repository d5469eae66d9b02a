import { ofTeam, paths } from '../pages/paths.ts';

const under = (subscription: string, ...rest: readonly string[]): string =>
  [paths.webhooks, subscription, ...rest].join('/');

/** The paths of the pages below /dash/integrations/webhooks, and addresses of them. */
export const webhookPaths = {
  list: paths.webhooks,
  new: `${paths.webhooks}/new`,
  allDeliveries: `${paths.webhooks}/deliveries`,
  parked: `${paths.webhooks}/deliveries/parked`,
  one: `${paths.webhooks}/:id`,
  change: (what: string) => `${paths.webhooks}/:id/${what}`,
  deliveries: `${paths.webhooks}/:id/deliveries`,
  delivery: `${paths.webhooks}/:id/deliveries/:delivery`,
  changeDelivery: (what: string) => `${paths.webhooks}/:id/deliveries/:delivery/${what}`,
} as const;

/** The path of a page of one subscription. */
export const pathOf = under;

/** The address of a page of one subscription. */
export const addressOf = (
  team: string,
  subscription: string,
  rest: readonly string[] = [],
  also: Readonly<Record<string, string>> = {},
): string => ofTeam(under(subscription, ...rest), team, also);

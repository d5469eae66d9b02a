import { webhookActions } from './actions.ts';
import { allDeliveries, webhookDeliveries } from './deliveries-page.ts';
import { deliveryActions, deliveryPage } from './delivery-page.ts';
import { webhookList } from './list-page.ts';
import { newWebhook } from './new-page.ts';
import { decideParked } from './parked.ts';
import { replayEvents, resendFailedPage } from './send-again.ts';
import { webhookSettings } from './settings-page.ts';
import { webhookPage } from './webhook-page.ts';

/** The pages of a team's webhooks. */
export const webhooksPages = [
  ...[webhookList, newWebhook, webhookPage, webhookSettings, ...webhookActions],
  ...[allDeliveries, webhookDeliveries, replayEvents, resendFailedPage, decideParked],
  ...[deliveryPage, ...deliveryActions],
];

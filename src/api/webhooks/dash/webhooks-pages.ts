import { webhookActions } from './actions.ts';
import { webhookList } from './list-page.ts';
import { newWebhook } from './new-page.ts';
import { webhookPage } from './webhook-page.ts';

/** The pages of a team's webhooks. */
export const webhooksPages = [webhookList, newWebhook, webhookPage, ...webhookActions];

import {
  activate,
  discard,
  pause,
  prepareSecret,
  remove,
  resume,
  rotateSecret,
} from '../../actions/webhooks.ts';
import { confirm, sendTest, sendWaiting } from '../../actions/webhooks-deliveries.ts';
import { webhookEvent } from '../../events/webhooks/webhook-events.ts';
import { teamForm } from '../pages/action-form.ts';
import { refusedChoiceView } from '../pages/frame/common-views.ts';
import { EarlyAnswer, type Redirect, type TeamPageContext } from '../pages/page-context.ts';
import { chosen } from '../pages/parts/chosen.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { paths } from '../pages/paths.ts';
import { pathOf, webhookPaths } from './addresses.ts';
import {
  allDeliveries,
  decideParkedForm,
  replayForm,
  resendFailedForm,
  webhookDeliveries,
} from './deliveries-page.ts';
import { deliveryPage, discardDeliveryForm, resendForm } from './delivery-page.ts';
import { webhookList } from './list-page.ts';
import { newWebhook } from './new-page.ts';
import { receivedPage, receivedRequest } from './received-page.ts';
import { signaturePage } from './signature-page.ts';
import { secretView } from './webhook-parts.ts';
import { nameForm, webhookSettings } from './settings-page.ts';
import { en } from './texts.ts';
import { webhookPage, webhookView } from './webhook-page.ts';

/** A form of the page of one webhook. A refusal is said on that page. */
const ofOne = (name: string) => ({
  path: webhookPaths.change(name),
  view: webhookView,
});

/** Back on that page. */
const done =
  (text: string) =>
  (pageContext: TeamPageContext, { subscription }: { readonly subscription: string }): Redirect =>
    redirectDone(pathOf(subscription), pageContext, text);

/** What a person does with one webhook. */
const webhookForms = [
  teamForm({ ...ofOne('pause'), action: pause, done: done('paused') }),
  teamForm({
    ...ofOne('resume'),
    action: resume,
    also: ({ form }) => ({ discard: chosen(form, 'waiting', ['send', 'discard']) === 'discard' }),
    done: (pageContext, resumed) =>
      done(resumed.status !== 'active' ? 'discarding' : resumed.discarded ? 'resumedEmpty' : 'resumed')(
        pageContext,
        resumed,
      ),
  }),
  teamForm({
    ...ofOne('send-waiting'),
    action: sendWaiting,
    done: (pageContext, { subscription, resent }) =>
      redirectDone(
        pathOf(subscription, 'deliveries'),
        pageContext,
        resent === undefined ? 'resending' : 'resent',
        { again: String(resent ?? 0) },
      ),
  }),
  teamForm({ ...ofOne('confirm'), action: confirm, done: done('confirmed') }),
  teamForm({
    ...ofOne('test'),
    action: sendTest,
    also: ({ form }) => ({ event: chosen(form, 'event', webhookEvent.options) }),
    done: (pageContext, { subscription, delivery }) =>
      redirectDone(pathOf(subscription, 'deliveries', delivery), pageContext, 'tested'),
  }),
  teamForm({
    ...ofOne('discard'),
    action: discard,
    done: (pageContext, value) =>
      done(value.discarded === undefined ? 'discarding' : 'discarded')(pageContext, value),
  }),
  teamForm({
    ...ofOne('rotate'),
    action: rotateSecret,
    done: (pageContext, made) => secretView(pageContext, en.rotate, made, pathOf(made.subscription)),
  }),
  teamForm({
    ...ofOne('prepare'),
    action: prepareSecret,
    done: (pageContext, made) =>
      secretView(pageContext, en.prepare, made, pathOf(made.subscription, 'settings')),
  }),
  teamForm({
    ...ofOne('activate'),
    action: activate,
    also({ form }) {
      const [secret, ...others] = form.getAll('secret');
      if (secret === undefined || others.length > 0) throw new EarlyAnswer(refusedChoiceView);
      return { secret };
    },
    done: done('activated'),
  }),
  teamForm({
    ...ofOne('delete'),
    action: remove,
    done: (pageContext) => redirectDone(paths.webhooks, pageContext, 'deleted'),
  }),
];

/** The pages of a team's webhooks. */
export const webhooksPages = [
  ...[webhookList, newWebhook, webhookPage, webhookSettings, nameForm, ...webhookForms],
  ...[allDeliveries, webhookDeliveries, replayForm, resendFailedForm, decideParkedForm],
  ...[receivedPage, receivedRequest, signaturePage],
  ...[deliveryPage, resendForm, discardDeliveryForm],
];

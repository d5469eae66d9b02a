import { create } from '../../actions/webhooks.ts';
import { checkDestination } from '../../dispatch/operations/check-destination.ts';
import { webhookPolicy } from '../../dispatch/operations/destination-policy.ts';
import { mostSubscriptions } from '../../dispatch/operations/subscription-limit.ts';
import { firesWhen } from '../../events/webhooks/payload.ts';
import { exampleBody, schemaPath } from '../../events/webhooks/published-schema.ts';
import { choosableEvents } from '../../events/webhooks/webhook-events.ts';
import type { AddressAndEvents } from '../../actions/webhooks.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, teamForm, Wrong, type Again, type InputField } from '../pages/action-form.ts';
import { button, form, hidden, notice } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { copyableLines } from '../pages/parts/show-once.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { pathOf, webhookPaths } from './addresses.ts';
import { secretView } from './webhook-parts.ts';
import { en } from './texts.ts';

/** Subscribes an address. */
export const newWebhook = teamForm({
  path: webhookPaths.new,
  action: create,
  get: formView,
  fields: (dependencies, pageContext) => [nameField, ...webhookFields(dependencies, pageContext)],
  also: ({ form: typed }) => (isForTestReceiver(typed) ? { test_receiver: true } : {}),
  view: formView,
  done: (pageContext, { subscription, secret, url }) =>
    url === undefined
      ? secretView(pageContext, en.madeTest, { secret, host: '' }, webhookPaths.received)
      : secretView(pageContext, en.made, { secret, host: new URL(url).host }, pathOf(subscription)),
});

/** Whether the button for the test receiver was pressed: no address is read then. */
const isForTestReceiver = (typed: URLSearchParams): boolean => typed.get('to') === 'test-receiver';

/** What its owner calls a webhook. */
export const nameField: InputField = {
  name: 'name',
  label: en.new.name,
  hint: en.new.nameHint,
  maxlength: 60,
  optional: true,
};

/** The fields of a form for a subscription. `existing`: what it sends where now. */
export function webhookFields(
  { config }: PageDependencies,
  { form: sent }: TeamPageContext,
  existing: AddressAndEvents = { url: '', events: [] },
): readonly InputField[] {
  return [
    {
      name: 'url',
      label: en.new.address,
      type: 'url',
      value: existing.url,
      hint: existing.test_receiver ? en.new.addressInstead : en.new.addressHint,
      optional: existing.test_receiver === true,
      maxlength: 2_000,
      async read(typed) {
        if (isForTestReceiver(sent) || (typed === '' && existing.test_receiver)) return undefined;
        if (typed === '') return new Wrong(en.problems.noAddress);
        const checked = await checkDestination(typed, webhookPolicy(config));
        return checked.ok ? checked.url.href : new Wrong(checked.message);
      },
    },
    {
      name: 'events',
      label: en.new.events,
      options: choosableEvents.map((event) => ({
        value: event,
        label: event,
        // The formats of texts for programs are not for a page.
        hint: firesWhen[event].replaceAll('`', ''),
      })),
      ticked: existing.events,
      read: (_typed, all) => choosableEvents.filter((event) => all.includes(event)),
      wrong: en.problems.noEvents,
    },
  ];
}

function formView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): View {
  const { formToken: token, team, form: typed } = pageContext;
  const most = mostSubscriptions(dependencies.config.webhookSubscriptionsPerTeam);
  return {
    title: en.new.title,
    content: html`${refused ? notice(refused.message, 'wrong') : ''}
      <p class="lead">${en.new.limit(most)}</p>
      <section class="card">
        ${form({
          action: ofTeam(webhookPaths.new, team.team),
          token,
          content: html`${hidden('team', team.team)}
            ${inputFields([nameField, ...webhookFields(dependencies, pageContext)], typed, problems)}
            <p class="hint">${en.new.testReceiver}</p>
            <div class="choices">
              ${button(en.add)}
              ${button(en.new.toTestReceiver, { weight: 'secondary', name: 'to', value: 'test-receiver' })}
              <a class="button secondary" href="${ofTeam(paths.webhooks, team.team)}">Cancel</a>
            </div>`,
        })}
      </section>
      ${eventCatalogue()}`,
  };
}

/** Each event with an example of what is sent, and its schema. */
export const eventCatalogue = (): Html =>
  html`<section class="card">
    <h2>${en.catalogue.heading}</h2>
    ${choosableEvents.map(
      (event) =>
        html`<details>
          <summary><code>${event}</code></summary>
          ${copyableLines(JSON.stringify(exampleBody(event), null, 2), `${en.catalogue.example} ${event}`)}
          <p class="small"><a href="${schemaPath(event)}">${en.catalogue.fields}</a></p>
        </details>`,
    )}
  </section>`;

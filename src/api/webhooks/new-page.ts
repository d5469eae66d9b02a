import { create } from '../../actions/webhooks.ts';
import { checkDestination } from '../../dispatch/operations/check-destination.ts';
import { destinationPolicy } from '../../dispatch/operations/destination-policy.ts';
import { mostSubscriptions } from '../../dispatch/operations/subscription-limit.ts';
import { firesWhen } from '../../events/webhooks/payload.ts';
import { choosableEvents } from '../../events/webhooks/webhook.ts';
import type { AddressAndEvents } from '../../actions/webhooks.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, teamForm, Wrong, type Again, type InputField } from '../pages/action-form.ts';
import { button, form, hidden, notice } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { pathOf, webhookPaths } from './addresses.ts';
import { eventCatalogue } from './event-catalogue.ts';
import { secretView } from './secret-view.ts';
import { en } from './texts.ts';

/** Subscribes an address. */
export const newWebhook = teamForm({
  path: webhookPaths.new,
  action: create,
  get: formView,
  fields: webhookFields,
  view: formView,
  done: (pageContext, { subscription, secret, url }) =>
    secretView(pageContext, en.made, { secret, host: new URL(url).host }, pathOf(subscription)),
});

/** The fields of a form for a subscription. `existing`: what it sends where now. */
export function webhookFields(
  { config }: PageDependencies,
  _: TeamPageContext,
  existing: AddressAndEvents = { url: '', events: [] },
): readonly InputField[] {
  return [
    {
      name: 'url',
      label: en.new.address,
      type: 'url',
      value: existing.url,
      hint: en.new.addressHint,
      maxlength: 2_000,
      async read(typed) {
        if (typed === '') return new Wrong(en.problems.noAddress);
        const checked = await checkDestination(typed, destinationPolicy(config));
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
            ${inputFields(webhookFields(dependencies, pageContext), typed, problems)}
            <div class="choices">
              ${button(en.add)}
              <a class="button secondary" href="${ofTeam(paths.webhooks, team.team)}">Cancel</a>
            </div>`,
        })}
      </section>
      ${eventCatalogue()}`,
  };
}

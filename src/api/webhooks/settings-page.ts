import {
  addressAndEvents,
  edit,
  existingSubscription,
  rename,
  versionOf,
  type AddressAndEvents,
} from '../../actions/webhooks.ts';
import { webhookTitle } from '../../events/webhooks/webhook.ts';
import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, teamForm, whoOf, type Again } from '../pages/action-form.ts';
import { button, hidden, notice, time, when } from '../pages/controls.ts';
import { defined } from '../../ground/defined.ts';
import { html, type Html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { changedMeanwhile, type FieldChange } from '../pages/parts/changes.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { pathOf, subscriptionIn, webhookPaths } from './addresses.ts';
import { eventCatalogue, nameField, webhookFields } from './new-page.ts';
import { webhookAsk, webhookForm, webhookTabs } from './webhook-parts.ts';
import { en } from './texts.ts';

/** The address and events of one webhook, its signing secret, and its end. */
export const webhookSettings = teamForm({
  path: webhookPaths.change('settings'),
  action: edit,
  get: settingsView,
  fields: webhookFields,
  also: ({ form }) => ({ was: form.get('was') ?? '' }),
  view: settingsView,
  done: (pageContext, { subscription }) => redirectDone(pathOf(subscription), pageContext, 'saved'),
});

/** What its owner calls it. An empty field takes the name away. */
export const nameForm = teamForm({
  path: webhookPaths.change('name'),
  action: rename,
  fields: () => [{ ...nameField, read: (typed) => typed }],
  view: settingsView,
  done: (pageContext, { subscription }) => redirectDone(pathOf(subscription), pageContext, 'named'),
});

const differences = (theirs: AddressAndEvents, typed: URLSearchParams): FieldChange[] =>
  [
    { label: en.new.address, before: theirs.url, after: typed.get('url') ?? '' },
    { label: en.new.events, before: theirs.events.join(', '), after: typed.getAll('events').join(', ') },
  ].filter(({ before, after }) => before !== after);

async function settingsView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team, form: typed } = pageContext;
  const doc = await subscriptionIn(dependencies, pageContext);
  // From its stream: the read model may not show yet what somebody else has just saved.
  const newest = await existingSubscription(dependencies, { who: whoOf(pageContext) }, doc.subscription);
  const existing = await addressAndEvents(dependencies.personal, newest);
  return {
    title: webhookTitle(doc),
    content: html`${webhookTabs(team.team, doc.subscription, 'settings')}
    ${
      doc.status === 'deleted'
        ? html`<p>${en.settings.deleted}</p>`
        : html`${
              refused?.code === 'conflict'
                ? changedMeanwhile(differences(existing, typed))
                : when(refused !== undefined, notice(refused?.message ?? '', 'wrong'))
            }
            <section class="card">
              <h2>${en.settings.heading}</h2>
              ${webhookForm(
                pageContext,
                doc.subscription,
                'settings',
                html`${hidden('was', versionOf(existing))}
                ${inputFields(webhookFields(dependencies, pageContext, existing), typed, problems)}
                ${button(en.settings.save)}`,
              )}
            </section>
            <section class="card">
              <h2>${en.new.name}</h2>
              ${webhookForm(
                pageContext,
                doc.subscription,
                'name',
                html`${inputFields([{ ...nameField, ...defined({ value: newest.name }) }], typed, problems)}
                ${button(en.settings.saveName, { weight: 'secondary' })}`,
              )}
            </section>
            <section class="card">
              <h2>${en.secret.label}</h2>
              <p>${en.settings.secret(doc.secret_version)}</p>
              ${nextSecret(pageContext, doc)}
              <p>${en.settings.rotateWhy}</p>
              ${webhookAsk(pageContext, doc, 'rotate', {
                label: en.settings.rotate,
                sentence: en.settings.rotateAsks,
              })}
            </section>
            <section class="card">
              <h2>${en.settings.deleteHeading}</h2>
              <p>${en.settings.deleteSentence}</p>
              ${webhookAsk(pageContext, doc, 'delete', {
                label: en.settings.delete,
                sentence: en.settings.deleteAsks,
              })}
            </section>`
    }
    ${eventCatalogue()}`,
  };
}

/** Prepares the next secret, and activates one that is prepared. */
function nextSecret(pageContext: TeamPageContext, doc: SubscriptionDocument): Html {
  const { subscription, next_secret_id: next, next_secret_prepared_at: since } = doc;
  if (next === undefined || since === undefined)
    return html`<p>${en.settings.prepareWhy}</p>
      ${webhookForm(pageContext, subscription, 'prepare', button(en.settings.prepare, { weight: 'secondary' }))}`;
  return html`<p>${en.settings.preparedSince} ${time(since, 'minute')}. ${en.settings.preparedNow}</p>
    <div class="choices">
      ${webhookAsk(pageContext, doc, 'activate', {
        label: en.settings.activate,
        sentence: en.settings.activateAsks,
        values: { secret: next },
        weight: 'primary',
      })}
      ${webhookAsk(pageContext, doc, 'prepare', {
        label: en.settings.prepareAnother,
        sentence: en.settings.prepareAnotherAsks,
        weight: 'secondary',
      })}
    </div>`;
}

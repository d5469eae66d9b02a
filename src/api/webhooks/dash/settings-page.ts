import { loadNewest } from '../../../commands/command-handler.ts';
import { commandSubscription, subscription } from '../../../commands/webhooks/subscription.ts';
import { hostOf, openAddress, type StoredAddress } from '../../../commands/webhooks/subscription-address.ts';
import type { SubscriptionDocument } from '../../../projections/webhooks/subscriptions.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, form, hidden, time, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Answer, Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { changedMeanwhile, type FieldChange } from '../../pages/parts/changes.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { pathOf, webhookPaths } from './addresses.ts';
import { eventCatalogue, eventsIn } from './event-catalogue.ts';
import { addressIn, webhookFields } from './new-page.ts';
import { subscriptionIn } from './of-team.ts';
import { webhookTabs } from './tabs.ts';
import { en } from './texts.ts';

/** What the form of a webhook changes. */
interface Chosen {
  readonly url: string;
  readonly events: readonly string[];
}

/** The address and events of one webhook, its signing secret, and its end. */
export function webhookSettings(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.change('settings'),
    async get(pageContext) {
      const doc = await subscriptionIn(dependencies, pageContext);
      const standing = await chosenOf(dependencies, doc);
      return settingsView(pageContext, doc, standing, standing);
    },
    post: (pageContext) => save(dependencies, pageContext),
  };
}

async function save(dependencies: PageDependencies, pageContext: TeamPageContext): Promise<Answer> {
  const doc = await subscriptionIn(dependencies, pageContext);
  const { form: sent } = pageContext;
  const events = eventsIn(sent);
  const { url, problems } = await addressIn(dependencies, (sent.get('url') ?? '').trim());
  const typed = { url: url ?? sent.get('url') ?? '', events };
  // From its stream: the read model may not show yet what somebody else has just saved.
  const newest = (await loadNewest(dependencies.store, subscription, doc.subscription)) ?? doc;
  const standing = await chosenOf(dependencies, newest);
  if (url === undefined || events.length === 0) {
    const wrong = { ...problems, ...(events.length === 0 ? { events: en.problems.noEvents } : {}) };
    return { ...settingsView(pageContext, doc, standing, typed, { problems: wrong }), status: 422 };
  }
  const done = redirectDone(pathOf(doc.subscription), pageContext, 'saved');
  if (written(standing) === written(typed)) return done;
  if (sent.get('was') !== written(standing)) {
    const meanwhile = changedMeanwhile(differences(standing, typed));
    return { ...settingsView(pageContext, doc, standing, typed, { meanwhile }), status: 409 };
  }
  const [toMove, toChoose] = [pageContext.onceContext(), pageContext.onceContext()];
  const moved = await commandSubscription(
    dependencies,
    doc.subscription,
    { kind: 'change-url', url },
    toMove,
  );
  const chose = await commandSubscription(
    dependencies,
    doc.subscription,
    { kind: 'choose-events', events },
    toChoose,
  );
  await untilShown(dependencies.documents, [moved, chose]);
  return done;
}

/** With the whole address, for the owner to change. Empty where it cannot be opened. */
const chosenOf = async (
  { personal }: PageDependencies,
  of: StoredAddress & Pick<Chosen, 'events'>,
): Promise<Chosen> => ({ url: (await openAddress(personal, of)) ?? '', events: of.events });

/** What a form was made from, so that a change that somebody else saves meanwhile is noticed. */
const written = ({ url, events }: Chosen): string => [url, ...[...events].sort()].join(' ');

const differences = (theirs: Chosen, typed: Chosen): FieldChange[] =>
  [
    { label: en.new.address, before: theirs.url, after: typed.url },
    { label: en.new.events, before: [...theirs.events].join(', '), after: [...typed.events].join(', ') },
  ].filter(({ before, after }) => before !== after);

function settingsView(
  { formToken: token, team }: TeamPageContext,
  doc: SubscriptionDocument,
  standing: Chosen,
  given: Chosen,
  { problems = {}, meanwhile }: { readonly problems?: Problems; readonly meanwhile?: Html } = {},
): View {
  const values = { team: team.team };
  return {
    title: hostOf(doc),
    content: html`${webhookTabs(team.team, doc.subscription, 'settings')}
    ${
      doc.status === 'deleted'
        ? html`<p>${en.settings.deleted}</p>`
        : html`${meanwhile ?? ''}
            <section class="card">
              <h2>${en.settings.heading}</h2>
              ${form({
                action: pathOf(doc.subscription, 'settings'),
                token,
                content: html`${hidden('team', team.team)}${hidden('was', written(standing))}
                ${webhookFields(given, problems)}${button(en.settings.save)}`,
              })}
            </section>
            <section class="card">
              <h2>${en.secret.label}</h2>
              <p>${en.settings.secret(doc.secret_version)}</p>
              ${nextSecret(doc, token, values)}
              <p>${en.settings.rotateWhy}</p>
              ${ask({
                label: en.settings.rotate,
                of: hostOf(doc),
                sentence: en.settings.rotateAsks,
                action: pathOf(doc.subscription, 'rotate'),
                token,
                values,
              })}
            </section>
            <section class="card">
              <h2>${en.settings.deleteHeading}</h2>
              <p>${en.settings.deleteSentence}</p>
              ${ask({
                label: en.settings.delete,
                of: hostOf(doc),
                sentence: en.settings.deleteAsks,
                action: pathOf(doc.subscription, 'delete'),
                token,
                values,
              })}
            </section>`
    }
    ${eventCatalogue()}`,
  };
}

/** Prepares the next secret, and activates one that is prepared. */
function nextSecret(doc: SubscriptionDocument, token: string, values: { readonly team: string }): Html {
  const { subscription, next_secret_id: next, next_secret_prepared_at: since } = doc;
  const of = hostOf(doc);
  if (next === undefined || since === undefined)
    return html`<p>${en.settings.prepareWhy}</p>
      ${form({
        action: pathOf(subscription, 'prepare'),
        token,
        content: html`${hidden('team', values.team)}${button(en.settings.prepare, { weight: 'secondary' })}`,
      })}`;
  return html`<p>${en.settings.preparedSince} ${time(since, 'minute')}. ${en.settings.preparedNow}</p>
    <div class="choices">
      ${ask({
        label: en.settings.activate,
        of,
        sentence: en.settings.activateAsks,
        action: pathOf(subscription, 'activate'),
        token,
        values: { ...values, secret: next },
        weight: 'primary',
      })}
      ${ask({
        label: en.settings.prepareAnother,
        of,
        sentence: en.settings.prepareAnotherAsks,
        action: pathOf(subscription, 'prepare'),
        token,
        values,
        weight: 'secondary',
      })}
    </div>`;
}

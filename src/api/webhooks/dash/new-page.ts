import { CommandRefused } from '../../../commands/errors.ts';
import { checkDestination } from '../../../dispatch/operations/check-destination.ts';
import { destinationPolicy } from '../../../dispatch/operations/destination-policy.ts';
import { subscribe } from '../../../dispatch/operations/signing-secrets.ts';
import { mostSubscriptions } from '../../../dispatch/operations/subscription-limit.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, fields, form, hidden, notice, type Problems } from '../../pages/controls.ts';
import { html } from '../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { secretOnce } from '../../pages/parts/show-once.ts';
import { addressOf, webhookPaths } from './addresses.ts';
import { eventCatalogue, eventChoice, eventsIn } from './event-catalogue.ts';
import { en } from './texts.ts';

interface Given {
  readonly url: string;
  readonly events: readonly string[];
}

/** Subscribes an address. The signing secret is in the answer to the form, and nowhere else. */
export function newWebhook(dependencies: PageDependencies): Page {
  const { config } = dependencies;
  const most = mostSubscriptions(config.webhookSubscriptionsPerTeam);
  return {
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.new,
    get: (pageContext) => formView(pageContext, most, { url: '', events: [] }),
    async post(pageContext) {
      const { team, form: sent } = pageContext;
      const events = eventsIn(sent);
      const given = { url: (sent.get('url') ?? '').trim(), events };
      const { url, problems } = await addressIn(dependencies, given.url);
      const wrong: Problems = {
        ...problems,
        ...(events.length === 0 ? { events: en.problems.noEvents } : {}),
      };
      if (url === undefined || events.length === 0)
        return { ...formView(pageContext, most, given, wrong), status: 422 };
      try {
        const wish = { team: team.team, url, events };
        const made = await subscribe(dependencies, wish, pageContext.onceContext(), most);
        await untilShown(dependencies.documents, made.outcome);
        return madeView(pageContext, { host: new URL(url).host, ...made });
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        return {
          ...formView(pageContext, most, given, {}, error.message),
          status: error.status,
        };
      }
    },
  };
}

/** The address as it is stored, or what is wrong with it. */
export async function addressIn(
  { config }: PageDependencies,
  text: string,
): Promise<{ readonly url?: string; readonly problems: Problems }> {
  if (text === '') return { problems: { url: en.problems.noAddress } };
  const checked = await checkDestination(text, destinationPolicy(config));
  return checked.ok ? { url: checked.url.href, problems: {} } : { problems: { url: checked.message } };
}

/** The fields of a form for a subscription. */
export const webhookFields = (given: Given, problems: Problems) =>
  html`${fields(
    [
      {
        name: 'url',
        label: en.new.address,
        type: 'url',
        value: given.url,
        hint: en.new.addressHint,
        maxlength: 2_000,
      },
    ],
    problems,
  )}
  ${eventChoice(given.events, problems['events'])}`;

const formView = (
  { formToken, team }: TeamPageContext,
  most: number,
  given: Given,
  problems: Problems = {},
  refused?: string,
): View => ({
  title: en.new.title,
  content: html`${refused === undefined ? '' : notice(refused, 'wrong')}
    <p class="lead">${en.new.limit(most)}</p>
    <section class="card">
      ${form({
        action: webhookPaths.new,
        token: formToken,
        content: html`${hidden('team', team.team)}${webhookFields(given, problems)}
          <div class="choices">
            ${button(en.add)}
            <a class="button secondary" href="${ofTeam(paths.webhooks, team.team)}">Cancel</a>
          </div>`,
      })}
    </section>
    ${eventCatalogue()}`,
});

function madeView(
  { team }: TeamPageContext,
  {
    host,
    subscriptionId,
    secret,
  }: { readonly host: string; readonly subscriptionId: string; readonly secret: string | undefined },
): View {
  return {
    title: en.new.madeTitle,
    content: html`${
        secret === undefined
          ? html`${notice(en.new.again, 'plain')}
              <p>${en.new.replaceSecret}</p>`
          : html`${notice(en.new.made(host))}
            ${secretOnce({ label: en.secret.label, value: secret, sentence: en.secret.sentence })}`
      }
      <p>
        <a class="button primary" href="${addressOf(team.team, subscriptionId)}">${en.new.open}</a>
      </p>`,
  };
}

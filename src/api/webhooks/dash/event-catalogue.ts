import { exampleBody, firesWhen, schemaPath } from '../../../events/webhooks/published-schema.ts';
import { choosableEvents, webhookEvent, type WebhookEvent } from '../../../events/webhooks/webhook.ts';
import { html, type Html } from '../../pages/html.ts';
import { checkboxGroup } from '../../pages/parts/choices.ts';
import { copyableLines } from '../../pages/parts/show-once.ts';
import { en } from './texts.ts';

/** The events to choose from, each with a sentence. */
export const eventChoice = (chosen: readonly string[], error?: string): Html =>
  checkboxGroup({
    name: 'events',
    label: en.new.events,
    options: choosableEvents.map((event) => ({
      value: event,
      label: event,
      // The formats of texts for programs are not for a page.
      hint: firesWhen[event].replaceAll('`', ''),
    })),
    values: chosen,
    error,
  });

/** The events that were chosen in a form, in the order of the catalogue. */
export function eventsIn(form: URLSearchParams): WebhookEvent[] {
  const given = new Set(form.getAll('events').flatMap((each) => webhookEvent.safeParse(each).data ?? []));
  return choosableEvents.filter((event) => given.has(event));
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

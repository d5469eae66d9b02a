import { exampleBody, schemaPath } from '../../events/webhooks/published-schema.ts';
import { choosableEvents } from '../../events/webhooks/webhook.ts';
import { html, type Html } from '../pages/html.ts';
import { copyableLines } from '../pages/parts/show-once.ts';
import { en } from './texts.ts';

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

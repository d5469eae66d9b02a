import { html, type Html } from '../html.ts';

type Fact = readonly [name: string | Html, value: string | number | Html | undefined];

/** What is known of a thing, by name. What is undefined is left out. */
export const facts = (all: readonly Fact[]): Html =>
  html`<dl class="facts">
    ${all.map(([name, value]) =>
      value === undefined
        ? ''
        : html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
    )}
  </dl>`;

/** The words of somebody, with their line breaks. */
export const written = (text: string | Html): Html => html`<div class="written">${text}</div>`;

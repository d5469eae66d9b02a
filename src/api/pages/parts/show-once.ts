import { html, type Html } from '../html.ts';

/** A text to copy. The button works with a script only, and is not shown without one. */
export const copyable = (value: string, label: string): Html =>
  html`<div class="copy">
    <code data-copied="${value}">${value}</code>
    <button type="button" class="quiet" data-copy="${value}" hidden>
      Copy<span class="unseen"> ${label}</span>
    </button>
  </div>`;

/** Several lines to copy. */
export const copyableLines = (value: string, label: string): Html =>
  html`<div class="copy lines">
    <pre tabindex="0" role="region" aria-label="${label}"><code>${value}</code></pre>
    <button type="button" class="quiet" data-copy="${value}" hidden>
      Copy<span class="unseen"> ${label}</span>
    </button>
  </div>`;

/** A secret that was just made. `sentence`: what it is for. */
export const secretOnce = ({
  label,
  value,
  sentence,
}: {
  readonly label: string;
  readonly value: string;
  readonly sentence: string;
}): Html =>
  html`<section class="card secret" aria-label="${label}">
    <h2>${label}</h2>
    <p>${sentence}</p>
    ${copyable(value, label)}
    <p class="quiet small">It is shown only now. We keep no copy that could be shown again.</p>
  </section>`;

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

/** What the service keeps of a secret, and why nobody is shown it again. */
const keptTexts = {
  hashed:
    'It is shown only now. We store only its hash, which tells us that a key is right but not what it is.',
  sealed: 'It is shown only now. We store it encrypted, because we sign with it. No page shows it again.',
} as const;

/** A secret that was just made. `sentence`: what it is for. `kept`: what the service keeps of it. */
export const secretOnce = ({
  label,
  value,
  sentence,
  kept,
}: {
  readonly label: string;
  readonly value: string;
  readonly sentence: string;
  readonly kept: keyof typeof keptTexts;
}): Html =>
  html`<section class="card secret" aria-label="${label}">
    <h2>${label}</h2>
    <p>${sentence}</p>
    ${copyable(value, label)}
    <p class="quiet small">${keptTexts[kept]}</p>
  </section>`;

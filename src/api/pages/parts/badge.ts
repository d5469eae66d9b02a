import { html, type Html } from '../html.ts';

/** Two words at most. The colour never says more than the words. */
export const badge = (words: string, kind: 'plain' | 'good' | 'bad' = 'plain'): Html =>
  html`<span class="badge ${kind}">${words}</span>`;

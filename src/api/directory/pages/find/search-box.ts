import { html, type Html } from '../../../pages/html.ts';
import type { Texts } from '../../../pages/frame/texts.ts';

/** Where people search. */
export const findPath = '/find';

/** A box to search with, on pages that show no results. */
export const searchBox = ({ search }: Texts): Html =>
  html`<form class="search" method="get" action="${findPath}" role="search">
    <div class="field">
      <label for="q">${search.label}</label>
      <input
        type="search"
        id="q"
        name="q"
        maxlength="200"
        placeholder="${search.placeholder}"
        autocomplete="off"
        enterkeyhint="search"
      />
    </div>
    <button type="submit" class="primary">${search.button}</button>
  </form>`;

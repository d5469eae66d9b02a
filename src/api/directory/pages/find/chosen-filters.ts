import { languageIn } from '../../../../projections/directory/languages.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { Language } from '../../../pages/frame/language.ts';
import type { Texts } from '../../../pages/frame/texts.ts';
import { shownDistance, type Unit } from './distance-units.ts';
import { findAddress, type Changes, type FindQuery } from './find-query.ts';
import type { Offers } from './offers.ts';

/** Each chosen filter as a link that removes it, and what is most often added, and can find something, as a link that adds it. */
export function chosenFilters(
  query: FindQuery,
  offers: Offers,
  unit: Unit,
  language: Language,
  texts: Texts,
): Html {
  const { find, categories } = texts;
  const { category, city, spoken, free, open, radiusKm } = query;
  const chosen: readonly (readonly [string, Changes] | undefined)[] = [
    open && [find.openNow, { open: undefined }],
    free && [find.free, { free: undefined }],
    category && [categories[category].label, { category: undefined }],
    radiusKm === undefined
      ? undefined
      : [find.within({ distance: shownDistance(radiusKm, unit, texts) }), { radiusKm: undefined }],
    city === undefined ? undefined : [city, { city: undefined }],
    spoken === undefined
      ? undefined
      : [find.spoken({ language: languageIn(spoken, language) }), { spoken: undefined }],
  ];
  const others: readonly (readonly [string, Changes] | undefined)[] = [
    open || !offers.open ? undefined : [find.openNow, { open: true }],
    free || !offers.free ? undefined : [find.free, { free: true }],
  ];
  const shown = (each: readonly [string, Changes] | undefined, remove: boolean): Html | '' => {
    if (each === undefined) return '';
    const [label, changes] = each;
    return html`<li>
      <a class="${remove ? 'chosen' : 'offered'}" href="${findAddress(query, changes)}" rel="nofollow"
        >${
          remove
            ? html`<span class="unseen">${find.remove({ filter: label })}</span
                ><span aria-hidden="true">${label} ✕</span>`
            : label
        }</a
      >
    </li>`;
  };
  return html`<ul class="chips" aria-label="${find.chosen}">
    ${chosen.map((each) => shown(each, true))}${others.map((each) => shown(each, false))}
  </ul>`;
}

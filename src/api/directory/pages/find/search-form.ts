import { categories } from '../../../../events/directory/category.ts';
import { cityKey, languageKey } from '../../../../projections/directory/search-keys.ts';
import { languageIn } from '../../../../projections/directory/languages.ts';
import { hidden, when } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { defaultRadiusKm } from '../../search/search-query.ts';
import type { Facet, FacetCount, Facets } from '../../search/request.ts';
import type { Language } from '../../../pages/frame/language.ts';
import { findPath } from './search-box.ts';
import type { Texts } from '../../../pages/frame/texts.ts';
import { numberFormat, radiusChoices, type Unit } from './distance-units.ts';
import { longestText, type FindQuery } from './find-query.ts';

/** The box and the place: what the start page and the results have in common. Results need no explanation of it. */
export const searchFields = (query: FindQuery, { search, find }: Texts, explained: boolean): Html =>
  html`${query.lang === undefined ? '' : hidden('lang', query.lang)}
    <div class="fields">
      <div class="field">
        <label for="q">${search.label}</label>
        <input
          type="search"
          id="q"
          name="q"
          value="${query.text ?? ''}"
          maxlength="${longestText}"
          placeholder="${search.placeholder}"
          autocomplete="off"
          enterkeyhint="search"
        />
      </div>
      <div class="field">
        <label for="near">${find.near}</label>
        <div class="with-button">
          <input
            type="text"
            id="near"
            name="near"
            value="${query.near ?? ''}"
            maxlength="120"
            autocomplete="off"
            enterkeyhint="search"
            aria-describedby="${explained ? 'near-hint ' : ''}near-status"
          />
          <button
            type="button"
            class="locate"
            hidden
            data-field="near"
            data-status="near-status"
            data-locating="${find.locating}"
            data-located="${find.located}"
            data-not-located="${find.notLocated}"
          >
            ${find.locate}
          </button>
        </div>
        ${when(explained, html`<p class="hint" id="near-hint">${find.nearHint}</p>`)}
        <p class="hint" id="near-status" role="status"></p>
      </div>
    </div>`;

/** A box to tick. */
export const tick = (name: 'open' | 'free', label: string, ticked: boolean): Html =>
  html`<div class="check">
    <input type="checkbox" id="${name}" name="${name}" value="1" ${when(ticked, html`checked`)} />
    <label for="${name}">${label}</label>
  </div>`;

/** What the filters may say besides what was asked. */
export interface FilterChoices {
  readonly facets: Facets;
  /** Facets have the numbers of what the page lists. Otherwise they only have the names. */
  readonly exact: boolean;
  /** There is more than was counted. */
  readonly more: boolean;
  readonly unit: Unit;
}

/** The form above the results: filled in as it was asked. Filters stay folded: what is chosen stands below it. */
export function searchForm(query: FindQuery, choices: FilterChoices, language: Language, texts: Texts): Html {
  const { find, search } = texts;
  const { text, near, radiusKm, category, free, open, sort } = query;
  const farthest = radiusKm ?? defaultRadiusKm;
  return html`<form class="find" method="get" action="${findPath}" role="search">
    ${searchFields(query, texts, false)}
    <button type="submit" class="primary">${search.button}</button>
    <details>
      <summary>${find.filters}</summary>
      <div class="filters">
        ${select('category', find.kind, category ?? '', [['', find.anyKind], ...kinds(query, choices, texts)])}
        ${
          near === undefined
            ? ''
            : select(
                'radius',
                find.radius,
                String(farthest),
                radiusChoices(farthest, choices.unit, texts).map(({ km, shown }) => [String(km), shown]),
              )
        }
        ${select('city', find.city, ...cities(query, choices, texts))}
        ${select('language', find.languageSpoken, ...spokenLanguages(query, choices, language, texts))}
        ${
          near === undefined || text === undefined
            ? ''
            : select('sort', find.sort, sort ?? 'distance', [
                ['distance', find.sorts.distance],
                ['relevance', find.sorts.relevance],
              ])
        }
        ${tick('open', find.openNow, open === true)} ${tick('free', find.free, free === true)}
        <button type="submit">${find.apply}</button>
      </div>
    </details>
  </form>`;
}

type Option = readonly [value: string, shown: string];

const select = (name: string, label: string, chosen: string, options: readonly Option[]): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(
        ([value, shown]) =>
          html`<option value="${value}" ${when(value === chosen, html`selected`)}>${shown}</option>`,
      )}
    </select>
  </div>`;

/** The kinds that were found, in the order of the start page. All of them where one is chosen. */
function kinds({ category }: FindQuery, choices: FilterChoices, texts: Texts): Option[] {
  const counts = new Map(countsOf('category', choices).map(({ value, count }) => [value, count]));
  const shown =
    category === undefined && counts.size > 0 ? categories.filter((each) => counts.has(each)) : categories;
  return shown.map((each) => {
    const { label } = texts.categories[each];
    const count = counts.get(each);
    return [each, count === undefined ? label : counted(label, count, choices, texts)];
  });
}

function cities({ city }: FindQuery, choices: FilterChoices, texts: Texts): [string, Option[]] {
  return values(
    city,
    cityKey,
    (value) => value,
    countsOf('city', choices),
    texts.find.anyCity,
    choices,
    texts,
  );
}

function spokenLanguages(
  { spoken }: FindQuery,
  choices: FilterChoices,
  language: Language,
  texts: Texts,
): [string, Option[]] {
  const counts = countsOf('language', choices);
  return values(
    spoken,
    languageKey,
    (value) => languageIn(value, language),
    counts,
    texts.find.anyLanguage,
    choices,
    texts,
  );
}

/** The values that were found, and the chosen one however it is written. */
function values(
  chosen: string | undefined,
  keyOf: (value: string) => string,
  nameOf: (value: string) => string,
  counts: readonly FacetCount[],
  any: string,
  choices: FilterChoices,
  texts: Texts,
): [string, Option[]] {
  const options = counts.map(({ value, count }): Option => [
    value,
    counted(nameOf(value), count, choices, texts),
  ]);
  const same = counts.find(({ value }) => chosen !== undefined && keyOf(value) === keyOf(chosen));
  const own: Option[] = chosen !== undefined && !same ? [[chosen, nameOf(chosen)]] : [];
  return [same?.value ?? chosen ?? '', [['', any], ...own, ...options]];
}

const countsOf = (facet: Facet, { facets }: FilterChoices): readonly FacetCount[] => facets[facet] ?? [];

const counted = (
  name: string,
  count: number,
  { exact, more }: FilterChoices,
  { find, locale }: Texts,
): string =>
  exact ? find.counted({ name, count: `${numberFormat(locale).format(count)}${more ? '+' : ''}` }) : name;

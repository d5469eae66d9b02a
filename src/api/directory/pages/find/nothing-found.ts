import type { Category } from '../../../../events/directory/category.ts';
import { html, type Html } from '../../../pages/html.ts';
import { defaultRadiusKm } from '../../search/asked-search.ts';
import type { Texts } from '../../../pages/frame/texts.ts';
import { shownDistance, type Unit } from './distance-units.ts';
import { findAddress, type FindQuery } from './find-query.ts';
import type { FindResults } from './find-results.ts';

/** How much farther one may look, at most, in kilometres. */
const farthestKm = 400;

/** What to try where nothing was found: fewer words, another place, all of a kind. */
export function nothingFound(
  query: FindQuery,
  { continued, unknownPlace, offers }: FindResults,
  unit: Unit,
  texts: Texts,
): Html {
  if (continued) return html``;
  const { find } = texts;
  const { text, near, radiusKm = defaultRadiusKm, category, city, spoken, free, open } = query;
  const filtered = [city, spoken, free, open, text && category].some(
    (each) => each !== undefined && each !== '',
  );
  const farther = radiusKm * 4;
  const here: FindQuery = {
    ...(near === undefined || unknownPlace ? {} : { near }),
    ...(query.lang === undefined ? {} : { lang: query.lang }),
  };
  const tries: readonly (readonly [string, string] | undefined)[] = [
    filtered
      ? [
          find.withoutFilters,
          findAddress(query, {
            city: undefined,
            spoken: undefined,
            free: undefined,
            open: undefined,
            ...(text === undefined ? {} : { category: undefined }),
          }),
        ]
      : undefined,
    near === undefined || unknownPlace || farther > farthestKm
      ? undefined
      : [
          find.farther({ distance: shownDistance(farther, unit, texts) }),
          findAddress(query, { radiusKm: farther }),
        ],
    near === undefined || unknownPlace
      ? undefined
      : [find.anotherPlace, findAddress(query, { near: undefined, radiusKm: undefined, sort: undefined })],
  ];
  const kinds: readonly Category[] = offers.kinds.filter(
    (each) => category === undefined || each === category,
  );
  return html`${text === undefined ? '' : html`<p>${find.fewerWords}</p>`}
    <ul class="tries">
      ${tries.map((each) =>
        each === undefined ? '' : html`<li><a href="${each[1]}" rel="nofollow">${each[0]}</a></li>`,
      )}
      ${kinds.map(
        (each) =>
          html`<li>
            <a href="${findAddress({ ...here, category: each })}" rel="nofollow"
              >${find.allOf({ kind: texts.categories[each].label })}</a
            >
          </li>`,
      )}
    </ul>`;
}

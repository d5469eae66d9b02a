import { html, type Html } from '../../../pages/html.ts';
import type { Texts } from '../../../pages/frame/texts.ts';
import { shownDistance, type Unit } from './distance-units.ts';
import { findAddress, type FindQuery } from './find-query.ts';
import type { WaysOn } from './ways-on.ts';

/** What to try where nothing was found: fewer words, another place, all of a kind. */
export function nothingFound(
  query: FindQuery,
  ways: WaysOn | undefined,
  unknownPlace: boolean,
  unit: Unit,
  texts: Texts,
): Html {
  if (!ways) return html``;
  const { find } = texts;
  const { withoutFilters, farther, everywhere, kinds } = ways;
  const { text, near, lang } = query;
  const here: FindQuery = {
    ...(near === undefined || unknownPlace ? {} : { near }),
    ...(lang === undefined ? {} : { lang }),
  };
  const tries: readonly (readonly [string, string] | undefined)[] = [
    withoutFilters && [find.withoutFilters, findAddress(query, withoutFilters)],
    farther && [
      find.farther({ distance: shownDistance(farther.radiusKm, unit, texts) }),
      findAddress(query, farther),
    ],
    everywhere && [find.anotherPlace, findAddress(query, everywhere)],
    ...kinds.map(
      (category) =>
        [find.allOf({ kind: texts.categories[category].label }), findAddress({ ...here, category })] as const,
    ),
  ];
  const links = tries.filter((each) => each !== undefined);
  return html`${text === undefined ? '' : html`<p>${find.fewerWords}</p>`}
  ${
    links.length === 0
      ? ''
      : html`<ul class="tries">
          ${links.map(([label, to]) => html`<li><a href="${to}" rel="nofollow">${label}</a></li>`)}
        </ul>`
  }`;
}

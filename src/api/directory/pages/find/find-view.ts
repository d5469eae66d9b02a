import type { Config } from '../../../../config.ts';
import type { Category } from '../../../../events/directory/category.ts';
import { permissionsPolicy } from '../../../http/security-headers.ts';
import { assets } from '../../../pages/assets/assets.ts';
import { notice } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { PublicContext, PublicView } from '../../../pages/frame/public-page.ts';
import { findPath } from './search-box.ts';
import { shortened } from '../shortened.ts';
import type { Texts } from '../../../pages/frame/texts.ts';
import { chosenFilters } from './chosen-filters.ts';
import { inShownOrder, numberFormat, type Unit } from './distance-units.ts';
import { findAddress, longestText, type FindQuery, type ReadQuery } from './find-query.ts';
import type { FindResults } from './find-results.ts';
import { nothingFound } from './nothing-found.ts';
import { resultsMap } from './results-map.ts';
import { resultItem, type Result, type ResultSetting } from './result.ts';
import { isCrisis } from '../../search/words/crisis.ts';
import { searchForm } from './search-form.ts';

/** A page may ask the browser where somebody is. */
export const usesLocation = { 'permissions-policy': permissionsPolicy(['geolocation']) };

/** What the emergency line and the link to leave follow from, besides the chosen kind: the kinds of the best results. */
const tellingResults = 5;
const longestInTitle = 60;

/** The page of results: the form as it was filled in, what was found, and where to go on. */
export function findView(
  { query, cut }: ReadQuery,
  found: FindResults,
  unit: Unit,
  context: PublicContext,
  { map, via }: { readonly map: Config['map']; readonly via: string | undefined },
): PublicView {
  const { texts, now, language } = context;
  const setting: ResultSetting = { texts, now, unit, lang: query.lang, via };
  const choices = { facets: found.facets, exact: found.facetsExact, more: found.count?.more ?? false, unit };
  const plain = findAddress(query, { lang: undefined, cursor: query.cursor }) === findPath;
  return {
    title: titleOf(query, texts),
    ...(plain ? { canonical: findPath, description: texts.find.lead } : {}),
    about: kindsIn(query, found),
    // Who may be in danger is shown whom to call before anything else.
    ...(query.text !== undefined && isCrisis(query.text) ? { danger: true } : {}),
    scripts: [assets.location, ...(map ? [assets.map] : [])],
    ...(map && { imagesFrom: originOf(map.tiles) }),
    // Nobody but the browser keeps what somebody looked for.
    headers: { ...usesLocation, 'cache-control': 'private, no-cache' },
    content: html`${searchForm(query, choices, language, texts)} ${notices(query, cut, found, texts)}
      ${chosenFilters(query, found.offers, unit, language, texts)}
      <section class="results" aria-labelledby="results">
        <h2 id="results">${countLine(found, texts)}</h2>
        ${resultsMap(found.results, map, via, texts)}
        ${found.results.length === 0 ? nothingFound(query, found.waysOn, found.unknownPlace, unit, texts) : resultLists(found, setting, query.near !== undefined && query.sort === undefined)}
        ${paging(query, found, texts)}
      </section>`,
  };
}

/** The servers of tiles; `{s}` stands for several. */
const originOf = (tiles: string): string =>
  new URL(tiles.replace('{s}', 'all')).origin.replace('//all.', '//*.');

/** The results, and below a line those that agree only in a part of what was typed. */
function resultLists(
  { results, partialFrom }: FindResults,
  setting: ResultSetting,
  nearestFirst: boolean,
): Html {
  const { find } = setting.texts;
  const list = (some: readonly Result[]): Html | '' =>
    some.length === 0
      ? ''
      : html`<ol>
          ${(nearestFirst ? inShownOrder(some, setting.unit) : some).map((each) => resultItem(each, setting))}
        </ol>`;
  if (partialFrom === undefined) return html`${list(results)}`;
  return html`${list(results.slice(0, partialFrom))}
    <p class="partial">${partialFrom === 0 ? find.onlyPartial : find.partial}</p>
    ${list(results.slice(partialFrom))}`;
}

/** What is searched for, and where. */
function titleOf({ text, category, near }: FindQuery, { find, categories }: Texts): string {
  const kind = category === undefined ? find.everything : categories[category].label;
  const what = text === undefined ? kind : category === undefined ? `“${text}”` : `“${text}”, ${kind}`;
  const short = shortened(what, longestInTitle);
  return near === undefined ? short : find.nearPlace({ what: short, place: placeName(near, find.point) });
}

/** A place as people say it. Nobody reads coordinates. */
const placeName = (near: string, point: string): string =>
  /^-?[\d.]+\s*,\s*-?[\d.]+$/.test(near) ? point : shortened(near, longestInTitle);

/** Somebody for whom there is nothing may be in an emergency too. */
function kindsIn({ category }: FindQuery, { results, continued }: FindResults): Category[] {
  const found = results
    .slice(0, tellingResults)
    .flatMap(({ fields }) => [fields.category, ...(fields.categories ?? [])]);
  const chosen: readonly Category[] = category === undefined ? [] : [category];
  return results.length === 0 && !continued ? [...chosen, 'emergency'] : [...new Set([...chosen, ...found])];
}

function notices(query: FindQuery, cut: boolean, found: FindResults, { find }: Texts): Html {
  const { near = '' } = query;
  const words = [query.text, near].filter((each) => each !== undefined).join(' ');
  return html`${cut ? notice(find.cutText({ characters: longestText }), 'plain') : ''}
  ${found.expired ? notice(find.expired, 'plain') : ''}
  ${found.asksForHere ? notice(find.nearMe, 'plain') : ''}
  ${
    found.unknownPlace
      ? notice(
          html`${find.unknownPlace({ place: near })} ${found.results.length > 0 ? find.everywhere : ''}
            <a href="${findAddress(query, { text: words, near: undefined, sort: undefined })}" rel="nofollow"
              >${find.searchTextInstead({ text: words })}</a
            >`,
          'plain',
        )
      : ''
  }
  ${
    found.didYouMean === undefined
      ? ''
      : html`<p>
          ${find.didYouMean}
          <a href="${findAddress(query, { text: found.didYouMean })}" rel="nofollow">${found.didYouMean}</a>?
        </p>`
  }`;
}

function countLine({ count, results, continued, partialFrom }: FindResults, { find, locale }: Texts): string {
  if (results.length === 0) return continued ? find.nothingMore : find.nothingTitle;
  if (count === undefined || partialFrom === 0) return find.results;
  const written = numberFormat(locale).format(count.atLeast);
  return count.more ? find.countMore({ written }) : find.count({ written, count: count.atLeast });
}

function paging(query: FindQuery, { next, mayHaveMore, continued }: FindResults, { find }: Texts): Html | '' {
  if (next === undefined && !mayHaveMore && !continued) return '';
  return html`${mayHaveMore ? html`<p>${find.mayBeMore}</p>` : ''}
    <nav class="pages" aria-label="${find.pages}">
      ${
        next === undefined
          ? ''
          : html`<a class="button primary" href="${findAddress(query, { cursor: next })}" rel="next nofollow"
              >${mayHaveMore ? find.lookFurther : find.more}</a
            >`
      }
      ${continued ? html`<a class="button" href="${findAddress(query)}" rel="nofollow">${find.firstPage}</a>` : ''}
    </nav>`;
}

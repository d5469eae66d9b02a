import { defined } from '../../../../ground/defined.ts';
import { assets } from '../../../pages/assets/assets.ts';
import { html } from '../../../pages/html.ts';
import type { PublicPage } from '../../../pages/frame/public-page.ts';
import { findPath } from './search-box.ts';
import { readFindQuery } from './find-query.ts';
import { usesLocation } from './find-view.ts';
import { searchFields, tick } from './search-form.ts';
import { when } from '../../../pages/controls.ts';
import type { PublicPageDependencies } from '../../../pages/frame/serve-public-page.ts';
import { Search } from '../../search/search.ts';
import { directoryOffers } from './offers.ts';

/** The first page: what somebody needs, where, and the kinds of help as large choices. */
export const startPage = (dependencies: PublicPageDependencies): PublicPage => {
  const offersAt = directoryOffers(new Search(dependencies));
  return {
    path: '/',
    async get({ texts, query, now }) {
      const offers = await offersAt(now);
      const { find, search } = texts;
      const { lang } = readFindQuery(query).query;
      return {
        title: find.title,
        description: find.lead,
        canonical: '/',
        scripts: [assets.location],
        headers: usesLocation,
        content: html`<p class="lead">${find.lead}</p>
          <form class="find" method="get" action="${findPath}" role="search">
            ${searchFields(defined({ lang }), texts, true)}
            ${when(offers.open, tick('open', find.openNow, false))}
            <button type="submit" class="primary">${search.button}</button>
            <h2 id="kinds">${find.kinds}</h2>
            <ul class="kinds" aria-labelledby="kinds">
              ${offers.kinds.map(
                (each) =>
                  html`<li>
                    <button type="submit" name="category" value="${each}">
                      <strong>${texts.categories[each].label}</strong>
                      <span class="quiet">${texts.categories[each].about}</span>
                    </button>
                  </li>`,
              )}
            </ul>
          </form>`,
      };
    },
  };
};

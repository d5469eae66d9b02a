import { networkOf } from '../../../../ground/network.ts';
import { html } from '../../../pages/html.ts';
import type { PublicContext, PublicPage, PublicView } from '../../../pages/frame/public-page.ts';
import { findPath } from './search-box.ts';
import type { DirectoryPageDependencies } from '../directory-page.ts';
import { distanceUnits } from './distance-units.ts';
import { readFindQuery } from './find-query.ts';
import { findResults } from './find-results.ts';
import { findView } from './find-view.ts';

/** The page of results. */
export const findPage = (dependencies: DirectoryPageDependencies): PublicPage => {
  const find = findResults(dependencies);
  const unitFor = distanceUnits(dependencies);
  const { limits, config, searches } = dependencies;
  return {
    path: findPath,
    async get(context) {
      const { seconds } = await limits.take(['search', networkOf(context.request.ip)]);
      if (seconds > 0) return tooMany(context, seconds);
      const read = readFindQuery(context.query);
      const [found, unit] = await Promise.all([find(read.query, context.now), unitFor()]);
      const { text, near, category, city } = read.query;
      const searched = {
        text,
        category,
        near: near ?? city,
        at: near === undefined ? undefined : found.near,
      };
      const { didYouMean, placeInWords, results, partialFrom, continued } = found;
      const via = await searches.onPage(
        context.request,
        { ...searched, didYouMean, placeInWords, found: results.length > 0 && partialFrom !== 0 },
        continued,
      );
      return findView(read, found, unit, context, { map: config.map, via });
    },
  };
};

const tooMany = ({ texts: { errors } }: PublicContext, seconds: number): PublicView => ({
  title: errors.tooManySearchesTitle,
  status: 429,
  noStore: true,
  headers: { 'retry-after': String(seconds) },
  content: html`<p>${errors.tooManySearches({ count: seconds })}</p>`,
});

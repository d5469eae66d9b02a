import type { PublicPage } from '../public-page.ts';
import { findPath } from '../search-box.ts';
import type { PublicPageDependencies } from '../serve-public-page.ts';
import { distanceUnits } from './distance-units.ts';
import { readFindQuery } from './find-query.ts';
import { findResults } from './find-results.ts';
import { findView } from './find-view.ts';

/** The page of results. */
export const findPage = (dependencies: PublicPageDependencies): PublicPage => {
  const find = findResults(dependencies);
  const unitFor = distanceUnits(dependencies);
  return {
    path: findPath,
    async get(context) {
      const read = readFindQuery(context.query);
      const [found, unit] = await Promise.all([find(read.query, context.now), unitFor(context.language)]);
      return findView(read, found, unit, context);
    },
  };
};

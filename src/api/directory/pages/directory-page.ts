import type { PublicPageDependencies } from '../../pages/frame/serve-public-page.ts';
import type { SearchCounting } from '../upkeep/search-counting.ts';

/** What the public pages of the directory depend on. */
export interface DirectoryPageDependencies extends PublicPageDependencies {
  readonly searches: SearchCounting;
}

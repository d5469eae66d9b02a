import type * as common from '../../pages/public/public-page.ts';
import type * as serving from '../../pages/public/serve-public-page.ts';
import type { Texts } from './texts.ts';

/** The public pages of the directory, with what they say. */
export type PublicContext = common.PublicContext<Texts>;
export type PublicPage = common.PublicPage<Texts>;
export type PublicPageDependencies = serving.PublicPageDependencies<Texts>;
export type { PublicView } from '../../pages/public/public-page.ts';

import { checkSiteDomain } from './site-domains.ts';
import { editSite, siteStatus } from './site-edit.ts';
import { newSite } from './site-new.ts';
import { previewSite } from './site-preview.ts';
import { sites } from './sites.ts';

/** The pages of the sites of a team. */
export const sitePages = [sites, newSite, editSite, siteStatus, checkSiteDomain, previewSite] as const;

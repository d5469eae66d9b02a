import type { FastifyPluginCallback } from 'fastify';
import { addressOf, type ServerDependencies } from '../../dependencies.ts';
import { commonProblem } from '../../http/responses/errors.ts';
import { formType, takeForms } from '../../http/forms.ts';
import { useCookies } from '../../http/host-cookie.ts';
import { gateOf } from '../../http/ready-gate.ts';
import { serveCrawlers } from './crawlers.ts';
import { findPage } from './find/find-page.ts';
import { startPage } from './find/start-page.ts';
import type { PublicPage } from '../../pages/frame/public-page.ts';
import { answerFaults, servePublicPage } from '../../pages/frame/serve-public-page.ts';
import type { DirectoryPageDependencies } from './directory-page.ts';
import type { SearchCounting } from '../upkeep/search-counting.ts';
import { organizationPage } from './organization-page.ts';
import { agencyChangePage } from '../upkeep/asking/agency-change-page.ts';
import { agencyPage, agencyStopPage, serveAgencyStopAtOnce } from '../upkeep/asking/agency-page.ts';
import { reportPage } from '../upkeep/report-page.ts';
import { claimPage } from '../upkeep/claims/claim-page.ts';
import { keptChangePage, keptPage } from '../upkeep/claims/kept-page.ts';
import { suggestPage } from '../upkeep/suggest-page.ts';
import { recordPage } from './record-page.ts';

const forms = {
  /** 2,000 characters of text, each at most twelve bytes when it is percent-encoded, and the other fields. */
  limit: 32 * 1024,
  otherType: () => commonProblem('unsupported_media_type', `A form is sent as ${formType}.`),
};

/** A whole record can be suggested, of which each character is at most twelve bytes. */
const longForms = { ...forms, limit: 384 * 1024 };

/** The pages on which people look for help. */
const pages: readonly ((dependencies: DirectoryPageDependencies) => PublicPage)[] = [
  startPage,
  findPage,
  recordPage,
  reportPage,
  organizationPage,
  agencyPage,
  agencyChangePage,
  agencyStopPage,
  claimPage,
  keptPage,
];

/** The part of the directory that everybody sees, without a key or an account. */
export const publicPages: FastifyPluginCallback<
  ServerDependencies & { readonly searches: SearchCounting }
> = (scope, parts, done) => {
  const { now = () => new Date() } = parts;
  const base = addressOf(parts.config, scope);
  const dependencies: DirectoryPageDependencies = {
    ...parts,
    now,
    base,
    gate: gateOf(parts),
  };
  takeForms(scope, forms);
  useCookies(scope);
  answerFaults(scope, dependencies);
  for (const page of pages) servePublicPage(scope, dependencies, page(dependencies));
  void scope.register((inner, _options, registered) => {
    takeForms(inner, longForms);
    servePublicPage(inner, dependencies, suggestPage(dependencies));
    servePublicPage(inner, dependencies, keptChangePage(dependencies));
    registered();
  });
  serveAgencyStopAtOnce(scope, dependencies);
  serveCrawlers(scope, dependencies);
  done();
};

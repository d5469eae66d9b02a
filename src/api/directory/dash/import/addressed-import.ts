import { findImport } from '../../../../actions/directory/imports.ts';
import type { ImportState } from '../../../../imports/import-state.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { notFoundView } from '../../../pages/frame/common-views.ts';
import type { TeamPageContext, View } from '../../../pages/page-context.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { importsPath } from './import-paths.ts';
import { en } from './import-texts.ts';

/** The id of the import that the address names. */
export const idIn = ({ request }: TeamPageContext): string =>
  (request.params as { readonly import: string }).import;

/** The import that the address names. Undefined for one of another team, too. */
export const importOf = (
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
): Promise<ImportState | undefined> => findImport(dependencies, pageContext.team.team, idIn(pageContext));

export const noImport = ({ team }: TeamPageContext): View =>
  notFoundView(en.noImport, { to: ofTeam(importsPath, team.team), label: en.back });

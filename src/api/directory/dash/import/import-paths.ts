import { paths } from '../../../pages/paths.ts';

/** Where a file is sent, and where the imports of a team are listed. */
export const importsPath = `${paths.directory}/import`;
/** The page of one import. */
export const importPath = (id: string): string => `${importsPath}/${id}`;
/** What the columns of its spreadsheet say. */
export const importColumnsPath = (id: string): string => `${importPath(id)}/columns`;
/** How far it is: the content of a part of that page. */
export const importProgressPath = (id: string): string => `${importPath(id)}/progress`;
/** What the source and people have both changed. */
export const importConflictsPath = (id: string): string => `${importPath(id)}/conflicts`;
/** Its report as a file. */
export const importReportPath = (id: string): string => `${importPath(id)}/report`;
/** What the records of a team come from. */
export const sourcesPath = `${importsPath}/sources`;
/** For which fields the word of a source counts first. */
export const precedencePath = `${sourcesPath}/precedence`;
/** A spreadsheet to fill in. */
export const templatePath = `${importsPath}/template`;
/** The example directory, to try it. */
export const exampleDirectoryPath = `${importsPath}/example`;

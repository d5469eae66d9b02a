import { posix } from 'node:path';
import { DatapackageError } from '../errors.ts';
import type { PackageFiles } from '../source/package-files.ts';
import { readNumberFormats } from './number-formats.ts';
import type { Sheets } from './rows.ts';
import { readSharedStrings } from './shared-strings.ts';
import { readWorksheet, type WorksheetNote } from './worksheet.ts';
import { readWholeXml } from './xml.ts';

/** Whether the files are those of a workbook of Excel. */
export const isWorkbook = (files: PackageFiles): boolean =>
  files.names.includes('[Content_Types].xml') && files.names.some((name) => /^xl\//.test(name));

/** More sheets are made by no person. */
const mostSheets = 1_000;

interface Relation {
  readonly target: string;
  readonly type: string;
}

/**
 * Opens a workbook (ECMA-376, Office Open XML). Formulas are not computed: the value that was saved with them is taken.
 * Macros are not run. Throws `DatapackageError`.
 */
export async function openWorkbook(files: PackageFiles, file: string): Promise<Sheets> {
  if (files.names.some((name) => /^xl\/workbook\.bin$/i.test(name)))
    throw new DatapackageError(
      'not_a_datapackage',
      `${file} is a binary workbook (.xlsb). Save it as .xlsx or .csv and try again.`,
    );
  const root = await relationsOf(files, '', file);
  const workbook =
    [...root.values()].find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml';
  if (!files.names.includes(workbook))
    throw new DatapackageError('broken_zip', `${file} is damaged: it has no list of its sheets.`);
  const relations = await relationsOf(files, workbook, file);
  const sheets: { readonly name: string; readonly hidden: boolean; readonly part: string }[] = [];
  let since1904 = false;
  await readWholeXml(files, workbook, file, {
    open(name, attributes) {
      if (name === 'workbookPr') since1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet' || sheets.length >= mostSheets) return;
      const relation = relations.get(idIn(attributes));
      if (!relation?.type.endsWith('/worksheet') || !files.names.includes(relation.target)) return;
      const { state = 'visible' } = attributes;
      sheets.push({ name: attributes['name'] ?? '', hidden: state !== 'visible', part: relation.target });
    },
  });
  if (sheets.length === 0) throw new DatapackageError('no_services', `${file} holds no sheet with rows.`);
  const partOf = (type: string): string | undefined =>
    [...relations.values()].find((relation) => relation.type.endsWith(type))?.target;
  const formats = await readNumberFormats(files, partOf('/styles'), file);
  const strings = await readSharedStrings(files, partOf('/sharedStrings'), file);
  const notes = new Map<string, readonly WorksheetNote[]>();
  const macros = files.names.some((name) => /vbaProject\.bin$|^xl\/macrosheets\//i.test(name));
  return {
    kind: 'xlsx',
    file,
    sheets: sheets.map(({ name, hidden }) => ({ name, hidden })),
    notes: macros ? ['holds macros; they are not run'] : [],
    async *rows(wanted) {
      const sheet = sheets.find(({ name }) => name === wanted);
      if (!sheet) return;
      const links = await relationsOf(files, sheet.part, file);
      const found: WorksheetNote[] = [];
      notes.set(wanted, found);
      yield* readWorksheet(
        files,
        { part: sheet.part, book: file, strings, formats, since1904, linkOf: (id) => links.get(id)?.target },
        (note) => found.push(note),
      );
    },
    notesOf: (sheet) => notes.get(sheet) ?? [],
    close: () => strings.close(),
  };
}

const idIn = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes).find(([name]) => /^[^:]+:id$/.test(name))?.[1] ?? '';

/** What a part of a workbook leads to, by the ids that it uses (ECMA-376 part 2, 6.5). */
async function relationsOf(
  files: PackageFiles,
  part: string,
  book: string,
): Promise<ReadonlyMap<string, Relation>> {
  const folder = posix.dirname(part);
  const own = part === '' ? '_rels/.rels' : posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relations = new Map<string, Relation>();
  if (!files.names.includes(own)) return relations;
  await readWholeXml(files, own, book, {
    open(name, { Id = '', Target = '', Type = '', TargetMode = '' }) {
      if (name !== 'Relationship' || relations.size >= 100_000) return;
      const target =
        TargetMode === 'External'
          ? Target
          : Target.startsWith('/')
            ? Target.slice(1)
            : posix.join(part === '' ? '' : folder, Target);
      relations.set(Id, { target, type: Type });
    },
  });
  return relations;
}

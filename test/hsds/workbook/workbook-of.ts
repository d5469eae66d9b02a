import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { folderOfThisTest } from '../../support/folder-of-test.ts';

/** A cell: a text, a number with the code of its format, or its XML. */
export type TestCell =
  string | number | { readonly number: number; readonly format: string } | { readonly xml: string };

export interface TestSheet {
  readonly name: string;
  readonly rows: readonly (readonly TestCell[])[];
  readonly hidden?: true;
  /** Such as `A2:A4`. */
  readonly merged?: readonly string[];
  /** Addresses of cells, by reference. */
  readonly links?: Readonly<Record<string, string>>;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (rows: readonly string[]): string =>
  `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`;

/** A workbook as spreadsheet programs write it. `parts`: further parts, or others in place of its own. */
export async function workbookOf(
  sheets: readonly TestSheet[],
  {
    parts = {},
    name = 'list.xlsx',
  }: { readonly parts?: Readonly<Record<string, string>>; readonly name?: string } = {},
): Promise<string> {
  const strings: string[] = [];
  const formats: string[] = [];
  const files: Record<string, string> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relationships([
      `<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`,
    ]),
  };
  for (const [at, sheet] of sheets.entries()) {
    files[`xl/worksheets/sheet${at + 1}.xml`] = sheetXml(sheet, strings, formats);
    files[`xl/worksheets/_rels/sheet${at + 1}.xml.rels`] = relationships(
      Object.values(sheet.links ?? {}).map(
        (target, link) =>
          `<Relationship Id="rId${link + 1}" Type="${office}/hyperlink" Target="${escaped(target)}" TargetMode="External"/>`,
      ),
    );
  }
  files['xl/workbook.xml'] = `${head}<workbook ${main} xmlns:r="${office}"><sheets>${sheets
    .map(
      ({ name: sheet, hidden }, at) =>
        `<sheet name="${escaped(sheet)}" sheetId="${at + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
    )
    .join('')}</sheets></workbook>`;
  files['xl/_rels/workbook.xml.rels'] = relationships([
    ...sheets.map(
      (_, at) =>
        `<Relationship Id="rId${at + 1}" Type="${office}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
    ),
    `<Relationship Id="rIdS" Type="${office}/sharedStrings" Target="sharedStrings.xml"/>`,
    `<Relationship Id="rIdT" Type="${office}/styles" Target="styles.xml"/>`,
  ]);
  files['xl/sharedStrings.xml'] = `${head}<sst ${main}>${strings
    .map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`)
    .join('')}</sst>`;
  files['xl/styles.xml'] = `${head}<styleSheet ${main}><numFmts>${formats
    .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`)
    .join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats
    .map((_, at) => `<xf numFmtId="${164 + at}"/>`)
    .join('')}</cellXfs></styleSheet>`;

  const path = join(folderOfThisTest(), name);
  const zip = new ZipFile();
  for (const [part, text] of Object.entries({ ...files, ...parts })) zip.addBuffer(Buffer.from(text), part);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

function sheetXml(
  { rows, merged = [], links = {} }: TestSheet,
  strings: string[],
  formats: string[],
): string {
  const placeIn = (list: string[], text: string): number =>
    list.includes(text) ? list.indexOf(text) : list.push(text) - 1;
  const cellXml = (cell: TestCell, ref: string): string => {
    if (cell === '') return '';
    if (typeof cell === 'string') return `<c r="${ref}" t="s"><v>${placeIn(strings, cell)}</v></c>`;
    if (typeof cell === 'number') return `<c r="${ref}"><v>${cell}</v></c>`;
    if ('xml' in cell) return cell.xml.replace('<c', `<c r="${ref}"`);
    return `<c r="${ref}" s="${placeIn(formats, cell.format) + 1}"><v>${cell.number}</v></c>`;
  };
  const data = rows
    .map(
      (cells, row) =>
        `<row r="${row + 1}">${cells
          .map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${row + 1}`))
          .join('')}</row>`,
    )
    .join('');
  const merges =
    merged.length === 0
      ? ''
      : `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  const hyperlinks = Object.keys(links).map((ref, at) => `<hyperlink ref="${ref}" r:id="rId${at + 1}"/>`);
  return `${head}<worksheet ${main} xmlns:r="${office}"><sheetData>${data}</sheetData>${merges}${
    hyperlinks.length === 0 ? '' : `<hyperlinks>${hyperlinks.join('')}</hyperlinks>`
  }</worksheet>`;
}

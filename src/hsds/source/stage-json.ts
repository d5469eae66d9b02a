import { jsonParts, nestedTooDeep, type JsonPart } from './json-parts.ts';
import { isObject, rowsOfJson, tableOfObject, TooDeep, type JsonObject, type JsonRow } from './json-rows.ts';
import { tableOf, tableOfName, type TableName } from './layout.ts';
import { cleanLine } from '../text.ts';
import type { PackageFiles } from './package-files.ts';
import type { OpenFile, StagedRows } from './staged-rows.ts';

/** More columns in a table than this are the work of somebody who wants to fill the memory. */
const mostColumns = 1_000;

/** Lists that are read entry by entry: the pages of the API, the services of an organization, and tables. */
const isList = (member: string): boolean =>
  member === 'contents' || member === 'services' || /\.csv$/i.test(member);

/**
 * Reads a JSON file of HSDS 3: `service_full`, `organization_full` and the other objects of its API, a list or a page
 * of them, and `tabular`. The objects nested in them become rows of their tables.
 */
export async function stageJson(staged: StagedRows, files: PackageFiles, file: string): Promise<void> {
  const open = new Map<TableName, Columns>();
  const unknown = new Set<string>();
  let organization: Promise<string> | undefined;
  for await (const part of jsonParts(files, file, isList)) {
    if (part.kind === 'problem') {
      staged.addProblem(part);
      continue;
    }
    const { line, member, value } = part;
    if (!isObject(value)) {
      staged.addProblem({ kind: 'problem', file, line, reason: 'is not an object' });
      continue;
    }
    if (member === 'services' && ownerIn(part) === '') {
      organization ??= ownerLater(files, file);
      await organization;
    }
    const owner = member === 'services' ? ownerIn(part) || ((await organization) ?? '') : '';
    const links = owner === '' ? {} : { organization_id: owner };
    const tables = tablesIn(part, value, files);
    if (!tables) unknown.add(`${file}: ${member}`);
    for (const [table, object] of tables ?? []) {
      addRows(staged, open, file, line, table, object, links);
    }
  }
  for (const name of unknown) staged.addUnknown(name);
}

/** The objects of a part, with the tables that they belong to. Undefined when HSDS has no such table. */
function tablesIn(
  part: JsonPart,
  value: JsonObject,
  files: PackageFiles,
): [TableName, JsonObject][] | undefined {
  if (part.member === 'services') return [['services', value]];
  if (part.member !== '' && part.member !== 'contents') {
    const table = tableOf(part.member, files);
    return table && [[table, value]];
  }
  if (!part.outermost || 'id' in value) return [[tableOfObject(value), value]];
  // A page, tables by their names, or something else.
  return Object.entries(value).flatMap(([name, list]) => {
    const table = tableOfName(name);
    return table && Array.isArray(list)
      ? list.filter(isObject).map((object): [TableName, JsonObject] => [table, object])
      : [];
  });
}

const ownerIn = ({ around }: JsonPart): string =>
  isObject(around) && typeof around['id'] === 'string' ? around['id'] : '';

/** The id of the outermost object, when its services come before it. */
async function ownerLater(files: PackageFiles, file: string): Promise<string> {
  for await (const part of jsonParts(files, file, isList)) {
    if (part.kind === 'part' && part.outermost) return ownerIn({ ...part, around: part.value });
  }
  return '';
}

/** The columns of a table in a file, with their places. */
interface Columns {
  readonly rows: OpenFile;
  readonly places: Map<string, number>;
}

function addRows(
  staged: StagedRows,
  open: Map<TableName, Columns>,
  file: string,
  line: number,
  table: TableName,
  object: JsonObject,
  links: Readonly<Record<string, string>>,
): void {
  const report = (reason: string): void => staged.addProblem({ kind: 'problem', file, line, reason });
  const rows = wholeRows(table, object, links);
  if (!rows) report(nestedTooDeep(idOf(object)));
  for (const [at, row] of (rows ?? []).entries()) {
    const { rows: opened, places } = open.get(row.table) ?? openTable(staged, open, row.table, file);
    const cells = opened.columns.map(() => '');
    for (const [name, cell] of row.cells) {
      const place = places.get(name) ?? places.size;
      if (place >= mostColumns) {
        report(`has more than ${mostColumns} members of different names; the others are left out`);
        break;
      }
      if (place === places.size) opened.columns.push(name);
      places.set(name, place);
      cells[place] = cell;
    }
    // A service that comes twice is reported. What several services share is nested in each of them.
    opened.add(line, cells, at > 0 || row.table !== 'services');
  }
}

const idOf = ({ id }: JsonObject): string =>
  typeof id === 'string' || typeof id === 'number' ? cleanLine(String(id)).slice(0, 200) : '';

function wholeRows(
  table: TableName,
  object: JsonObject,
  links: Readonly<Record<string, string>>,
): readonly JsonRow[] | undefined {
  try {
    return [...rowsOfJson(table, object, links)];
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

function openTable(
  staged: StagedRows,
  open: Map<TableName, Columns>,
  table: TableName,
  file: string,
): Columns {
  const columns: Columns = { rows: staged.open(table, file, []), places: new Map() };
  open.set(table, columns);
  return columns;
}

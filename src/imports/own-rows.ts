import { commandResource, type ResourceParts } from '../commands/directory/resource.ts';
import { resourceChange, type ResourceChange } from '../commands/directory/field-changes.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { flatMemberNames } from '../events/directory/flat-members.ts';
import type { CommandContext } from '../events/metadata.ts';
import {
  resourceFieldRows,
  type ResourceFieldName,
  type UnsealedFields,
} from '../events/directory/resource-fields.ts';
import { flatColumns, flatRow } from '../hsds/export/flat-row.ts';
import type { HsdsRecord } from '../hsds/item.ts';
import { changedField } from '../hsds/sheet/own-cells.ts';
import { openPeople } from '../commands/directory/sealed-people.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { allViews, peopleOf, type ViewedRecord } from '../projections/directory/each-record.ts';
import { resources } from '../projections/directory/resources.ts';
import type { Documents } from '../stores/documents/port.ts';

/** A row of an export that has come back, with the record that it is, as each of its readers sees it. */
interface OwnRow {
  readonly team: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly views: readonly ViewedRecord[];
}

/** Undefined where the team has no such record: then the row is one of the source like any other. */
export async function ownRow(
  {
    documents,
    personal,
  }: { readonly documents: Pick<Documents, 'collection'>; readonly personal: PersonalData },
  { svc_id, cells }: NonNullable<HsdsRecord['own']>,
  team: string,
): Promise<OwnRow | undefined> {
  const found = await documents.collection(resources.collection).getMany([svc_id]);
  const doc = found.get(svc_id);
  if (!doc || doc.team !== team) return undefined;
  const [people = {}] = await openPeople(personal, [peopleOf(doc)]);
  return { team, cells, views: allViews(doc, people) };
}

/** What a row came to. */
interface Revised {
  readonly warnings: readonly string[];
  readonly outcome: {
    readonly events: readonly string[];
    readonly types: readonly string[];
    readonly position: Awaited<ReturnType<typeof commandResource>>['position'];
    readonly preview: { readonly svc_id: string; readonly fields: readonly ResourceFieldName[] };
  };
}

/**
 * Changes the record where the row says something else than the export did. A cell that is as it was written says nothing, nor
 * does a column that is not there: what a spreadsheet cannot hold stays as it is. The change is a person's, and not of a source.
 */
export async function reviseOwn(
  parts: ResourceParts,
  { team, cells, views }: OwnRow,
  context: CommandContext,
): Promise<Revised> {
  const [stored] = views;
  const svcId = stored?.svc_id ?? '';
  const { change, warnings } = changeOf(cells, views);
  const fields = (Object.keys(change) as (keyof ResourceChange)[]).map((name) =>
    name === 'phone' ? 'phones' : (flatMemberNames as readonly string[]).includes(name) ? 'locations' : name,
  ) as ResourceFieldName[];
  try {
    const command = { kind: 'revise', change, asTeam: team } as const;
    const { events, types, position } = await commandResource(parts, svcId, command, context);
    return {
      warnings,
      outcome: {
        events: events.map(({ type }) => type),
        types,
        position,
        preview: { svc_id: svcId, fields: events.length === 0 ? [] : [...new Set(fields)] },
      },
    };
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    const { position } = await commandResource(
      parts,
      svcId,
      { kind: 'revise', change: {}, asTeam: team },
      context,
    );
    return {
      warnings: [...warnings, `is left as it is: ${error.message}`],
      outcome: { events: [], types: [], position, preview: { svc_id: svcId, fields: [] } },
    };
  }
}

function changeOf(cells: OwnRow['cells'], views: readonly ViewedRecord[]) {
  const warnings: string[] = [];
  const columns = flatColumns(true).filter((name) => Object.hasOwn(cells, name));
  const written = views.map((view) => flatRow(view, columns));
  const changed = columns.filter((name, at) =>
    written.every((row) => plain(row[at] ?? '') !== plain(cells[name] ?? '')),
  );
  const current: Partial<UnsealedFields> = views[0]?.fields ?? {};
  const change: Record<string, unknown> = {};
  for (const name of changed) {
    const isMember = (flatMemberNames as readonly string[]).includes(name);
    if (!isMember && !resourceFieldRows.some((row) => row.name === name)) continue;
    // Of a phone that stands in both columns, the list says more.
    if (name === 'phone' && changed.includes('phones')) continue;
    const read = changedField(name, cells[name] ?? '', current);
    if (read.problem === undefined) Object.assign(change, read.fields);
    else warnings.push(`${name}: ${read.problem}`);
  }
  for (const { path, message } of resourceChange.safeParse(change).error?.issues ?? []) {
    const name = String(path[0]);
    Reflect.deleteProperty(change, name);
    warnings.push(`${name}: ${message}; it is left as it is`);
  }
  return { change: resourceChange.parse(change) as ResourceChange, warnings };
}

/** Spreadsheet programs change line ends, spaces at the ends, and capitals of true and false. */
const plain = (cell: string): string => {
  const text = cell.replace(/\r\n?/g, '\n').trim();
  return /^(true|false)$/i.test(text) ? text.toLowerCase() : text;
};

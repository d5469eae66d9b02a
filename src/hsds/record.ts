import { z } from 'zod';
import {
  resourceFieldRows,
  unsealedFields,
  type resourceFieldTable,
} from '../events/directory/resource-fields.ts';
import { categoriesOf } from './category/categories.ts';
import { votesOf } from './category/taxonomy-terms.ts';
import { hoursOf } from './hours/hours.ts';
import { scheduleRows } from './hours/schedule-rows.ts';
import type { HsdsItem, HsdsRecord, HsdsWarning } from './item.ts';
import {
  agesOf,
  dateOf,
  eligibilityText,
  isForCalls,
  languageNames,
  locationsOf,
  mainLocation,
  organizationOf,
  phoneList,
} from './fields.ts';
import { repaired, withoutEmpty, type Draft } from './repair.ts';
import { organizationFrom } from './organizations.ts';
import { nearestRows, type Place, type RelatedRows, type Row } from './source/related-rows.ts';
import { cleanLine, cleanText, emailAddress, quoted, webAddress } from './text.ts';

/**
 * The items of one row of services, with what the related tables say about it: the record, after a warning for each
 * field that had to be changed or left out. A problem when the row has no usable id or name.
 */
export function itemsOf(row: Row, related: RelatedRows): HsdsItem[] {
  const { file, line } = row;
  const id = row.cell('id');
  if (id === '') return [{ kind: 'problem', file, line, reason: 'has no id' }];
  if (id.length > 200)
    return [{ kind: 'problem', file, line, reason: 'has an id of more than 200 characters' }];
  if (cleanLine(row.cell('name')) === '')
    return [{ kind: 'problem', file, line, reason: `service ${id} has no name` }];

  const warnings: HsdsWarning[] = [];
  const warn = (reason: string): void => {
    warnings.push({ kind: 'warning', file, line, reason: `service ${id}: ${reason}` });
  };
  const draft = draftOf(row, related, warn, (warning) => warnings.push(warning));
  const fields = unsealedFields.safeParse(draft).data ?? repaired(draft, warn);
  if (!fields) return [{ kind: 'problem', file, line, reason: `service ${id} has no usable name` }];

  const status: HsdsRecord['status'] = /^(active)?$/i.test(row.cell('status')) ? 'active' : 'inactive';
  return [...warnings, { kind: 'record', source_id: id, status, file, line, fields }];
}

function draftOf(
  row: Row,
  related: RelatedRows,
  warn: (reason: string) => void,
  add: (warning: HsdsWarning) => void,
): Draft {
  const service = row.cell('id');
  const organization = organizationFrom(related.rowOf('organizations', row.cell('organization_id')));
  const main = mainLocation(related, service);
  const place: Place = {
    service,
    organization: row.cell('organization_id'),
    location: main?.location ?? '',
    serviceAtLocation: main?.id ?? '',
  };

  const url = webAddress(row.cell('url'));
  if (url === undefined && row.cell('url') !== '')
    warn(`the url ${quoted(row.cell('url'))} is not a web address; left out`);
  const email = emailAddress(row.cell('email'));
  if (email === undefined && row.cell('email') !== '') {
    warn(`the email ${quoted(row.cell('email'))} is not an email address; left out`);
  }
  const name = cleanLine(row.cell('name'));
  const description = cleanText(row.cell('description'));

  const { hours, opening_hours, warnings } = hoursOf(
    `service ${service}`,
    scheduleRows(nearestRows(related, 'schedules', place)),
  );
  for (const warning of warnings) add(warning);

  const made: Record<MadeField, unknown> = {
    name,
    organization: organization && organizationOf(organization),
    ...categoriesOf(votesOf(related, service), name, description),
    url: url ?? organization?.url ?? '',
    email: email ?? organization?.email ?? '',
    locations: main?.address ? locationsOf(main.address) : [],
    phones: phoneList(nearestRows(related, 'phones', place, isForCalls)),
    hours,
    opening_hours,
    languages: languageNames(nearestRows(related, 'languages', place)),
    eligibility: eligibilityText(row, related.rowsOf('eligibility', 'service_id', service)),
    ages: agesOf(row),
    cost: cleanText(row.cell('fees_description') || row.cell('fees')),
    last_verified: dateOf(row.cell('assured_date')),
    verified_by: cleanLine(row.cell('assurer_email')),
    time_zone: '',
    free: undefined,
    documents: [],
    service_area: [],
    availability: undefined,
    capacity: '',
  };
  return withoutEmpty({ ...made, ...inColumns(row) });
}

type Table = typeof resourceFieldTable;
/** The fields that are not in a single column. The type check requires each of them above. */
type MadeField = {
  [Name in keyof Table]: Table[Name] extends { readonly hsdsColumn: string } ? never : Name;
}[keyof Table];

/** The fields that are a column of the table services. A list is separated by commas or semicolons. */
function inColumns(row: Row): Draft {
  const cells = resourceFieldRows.flatMap(({ name, schema, hsdsColumn }) => {
    if (hsdsColumn === undefined) return [];
    const cell = cleanText(row.cell(hsdsColumn));
    return [[name, schema instanceof z.ZodArray ? cell.split(/[,;]/).map(cleanLine).filter(Boolean) : cell]];
  });
  return Object.fromEntries(cells) as Draft;
}

import { z } from 'zod';
import {
  resourceFieldRows,
  resourceFields,
  type ResourceFields,
  type resourceFieldTable,
} from '../events/directory/resource-fields.ts';
import { categoryOf } from './category/categories.ts';
import type { HsdsItem, HsdsRecord, HsdsWarning } from './item.ts';
import { nearest, type Place } from './linked-rows.ts';
import { addressText, eligibilityText, languageNames, mainLocation, phoneText } from './fields.ts';
import type { RelatedTables } from './related-tables.ts';
import { hoursText } from './schedule.ts';
import type { Row } from './table.ts';
import { cleanLine, cleanText, emailAddress, quoted, webAddress } from './text.ts';

/**
 * The items of one row of services, with what the related tables say about it: the record, after a warning for each
 * field that had to be changed or left out. A problem when the row has no usable id or name.
 */
export function itemsOf(file: string, row: Row, related: RelatedTables): HsdsItem[] {
  const { line } = row;
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
  const draft = draftOf(row, related, warn);
  const fields = resourceFields.safeParse(draft).data ?? repaired(draft, warn);
  if (!fields) return [{ kind: 'problem', file, line, reason: `service ${id} has no usable name` }];

  const status: HsdsRecord['status'] = /^(active)?$/i.test(row.cell('status')) ? 'active' : 'inactive';
  return [...warnings, { kind: 'record', source_id: id, status, file, line, fields }];
}

/** Texts and lists. An empty one is an absent field. */
type Draft = Partial<Record<keyof ResourceFields, string | readonly unknown[]>>;

function draftOf(row: Row, related: RelatedTables, warn: (reason: string) => void): Draft {
  const service = row.cell('id');
  const organization = related.organizations.get(row.cell('organization_id'));
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

  const made: Record<MadeField, string | readonly unknown[]> = {
    name,
    category: categoryOf(related.votes.get(service) ?? [], name, description),
    url: url ?? organization?.url ?? '',
    email: email ?? organization?.email ?? '',
    phone: phoneText(nearest(related.phones, place)),
    city: cleanLine(main?.address?.city ?? ''),
    region: cleanLine(main?.address?.region ?? ''),
    address: main?.address ? addressText(main.address) : '',
    hours: hoursText(nearest(related.schedules, place)),
    languages: languageNames(nearest(related.languages, place)),
    eligibility: eligibilityText(row, related.eligibility.get(service) ?? []),
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

/**
 * The draft without what the schema refuses: long texts are cut, other fields are left out. Undefined when the name
 * is not usable.
 */
function repaired(draft: Draft, warn: (reason: string) => void): ResourceFields | undefined {
  const better: Draft = { ...draft };
  for (const issue of resourceFields.safeParse(draft).error?.issues ?? []) {
    const [field, at] = issue.path as [keyof ResourceFields, number?];
    const value = better[field];
    if (issue.code === 'too_big' && typeof value === 'string') {
      warn(`the ${field} is longer than ${Number(issue.maximum)} characters; it was cut`);
      better[field] = shorten(value, Number(issue.maximum));
    } else if (value !== undefined && typeof value !== 'string') {
      const refused =
        at === undefined
          ? value.slice(Number(issue.code === 'too_big' ? issue.maximum : 0))
          : [draft[field]?.[at]];
      warn(`${field}: ${quoted(refused.map(written).join(', '))} left out: ${issue.message}`);
      better[field] = value.filter((one) => !refused.includes(one));
    } else {
      warn(`the ${field} ${quoted(value ?? '')} left out: ${issue.message}`);
      Reflect.deleteProperty(better, field);
    }
  }
  return resourceFields.safeParse(withoutEmpty(better)).data;
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function withoutEmpty(draft: Draft): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value.length > 0));
}

/** Cut at the end of a word, with an ellipsis. */
function shorten(text: string, maximum: number): string {
  const cut = text.slice(0, maximum - 1).replace(/[\ud800-\udbff]$/, '');
  const words = cut.replace(/\s+\S*$/, '');
  return `${words.length > maximum / 2 ? words : cut}…`;
}

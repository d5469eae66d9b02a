import { createHash } from 'node:crypto';
import { categories, isCategory } from '../../events/directory/category.ts';
import { stateCode } from '../../places/states.ts';
import { categoryTaxonomy, exportedTerms } from '../export/attributes.ts';
import { is211Code } from '../fields/taxonomy-211.ts';
import type { TableName } from '../source/layout.ts';
import { emailAddress, webAddress } from '../text.ts';
import { addressIn } from './address.ts';
import { coordinates, flagIn, isoDateOf } from './content.ts';
import { languageRows } from './language-words.ts';
import { dateText } from '../workbook/number-formats.ts';
import { statusOf } from './status-words.ts';
import { phonesIn } from './phones-in.ts';
import type { RowValues } from './row-values.ts';
import { plainName } from './guess-mapping.ts';
import { namesOfTargets, type SheetTarget } from './targets.ts';

/** A row of a table of HSDS. */
export interface TableRow {
  readonly table: TableName;
  readonly cells: Readonly<Record<string, string>>;
}

/** The rows of HSDS that say what a row of a sheet says of a service with this id. */
export function* tableRows(id: string, values: RowValues): Generator<TableRow> {
  const organization = values.text('organization');
  const organizationId = organization === '' ? '' : keyOf('organization', organization);
  if (organization !== '')
    yield {
      table: 'organizations',
      cells: {
        id: organizationId,
        name: organization,
        url: addressOf(values, 'organization_url'),
        description: values.text('organization_description'),
      },
    };
  yield { table: 'services', cells: serviceCells(id, organizationId, values) };
  yield* placeRows(id, values);
  yield* phoneRows(id, values);
  yield* contactRows(id, values);
  yield* hoursRows(id, values);
  yield* categoryRows(id, values);
  for (const [at, name] of values.parts('languages', /\s*[,;/\n]\s*/).entries())
    yield {
      table: 'languages',
      cells: { id: `${id}-l${at}`, service_id: id, name: languageRows.get(name.toLowerCase()) ?? name },
    };
  for (const [at, document] of values.parts('documents', /\s*[;\n]\s*/).entries())
    yield { table: 'requiredDocuments', cells: { id: `${id}-d${at}`, service_id: id, document } };
  for (const [at, name] of values.parts('service_area', /\s*[;\n]\s*/).entries())
    yield { table: 'serviceAreas', cells: { id: `${id}-a${at}`, service_id: id, name } };
}

function serviceCells(
  id: string,
  organization_id: string,
  values: RowValues,
): Readonly<Record<string, string>> {
  const notes = values
    .all('notes')
    .map(({ column, text }) =>
      namesOfTargets.get('notes')?.includes(plainName(column)) ? text : `${column}: ${text}`,
    );
  return {
    id,
    organization_id,
    name: values.text('name') || values.text('organization'),
    alternate_name: values.text('alternate_name'),
    description: [values.joined('description'), ...notes].filter((text) => text !== '').join('\n'),
    url: addressOf(values, 'url'),
    email: emailOf(values, 'email'),
    status: statusOf(values.text('status')),
    application_process: values.joined('how_to_apply'),
    interpretation_services: values.joined('interpretation'),
    fees_description: costOf(values),
    eligibility_description: values.joined('eligibility'),
    minimum_age: values.text('minimum_age'),
    maximum_age: values.text('maximum_age'),
    wait_time: values.joined('capacity'),
    alert: values.text('alert'),
    assured_date: dateOf(values.text('last_verified')),
    last_modified: dateOf(values.text('last_modified')),
  };
}

/** The address in a cell, else the one to which the cell leads. */
function addressOf(values: RowValues, target: SheetTarget): string {
  const [value] = values.all(target);
  if (!value) return '';
  return webAddress(value.text) === undefined && value.link !== undefined ? value.link : value.text;
}

function emailOf(values: RowValues, target: SheetTarget): string {
  const [value] = values.all(target);
  if (!value) return '';
  const linked = /^mailto:([^?]+)/i.exec(value.link ?? '')?.[1];
  return emailAddress(value.text) === undefined && linked !== undefined ? linked : value.text;
}

function costOf(values: RowValues): string {
  const cost = values.joined('cost');
  return cost === '' && flagIn(values.text('free')) === true ? 'Free' : cost;
}

/** A day, also one that a spreadsheet wrote as a number. What is none stays, and is named. */
function dateOf(written: string): string {
  if (/^\d{5}(\.\d+)?$/.test(written)) return dateText(Math.floor(Number(written)), 'date') ?? written;
  return isoDateOf(written) ?? written;
}

/** Services that are offered at no place. */
const isVirtual =
  /^(?:online|virtual|remote|telephone|by phone|phone only|web|website|en l[ií]nea|por tel[eé]fono)\b/i;

function* placeRows(id: string, values: RowValues): Generator<TableRow> {
  const text = values
    .all('address')
    .map((value) => value.text)
    .join(', ');
  const second = values.all('address_2').map((value) => value.text);
  const town = values.text('city');
  const virtual = isVirtual.test(text);
  const whole = virtual ? undefined : addressIn(text, town);
  const region = values.text('region') || (whole?.region ?? '');
  const address = {
    address_1: whole?.street ?? '',
    address_2: second.join(', '),
    city: town || (whole?.city ?? ''),
    state_province: region,
    postal_code: postalCodeOf(values.text('postal_code') || (whole?.postalCode ?? ''), region),
    country: values.text('country'),
  };
  const [latitude, longitude] = pointOf(values);
  const place = {
    name: values.text('location_name'),
    latitude,
    longitude,
    transportation: values.joined('transportation'),
    location_type: virtual ? 'virtual' : '',
  };
  const accessibility = values.parts('accessibility', /\n/).join('\n');
  const hasAddress = Object.values(address).some((part) => part !== '');
  if (!hasAddress && accessibility === '' && Object.values(place).every((part) => part === '')) return;
  const location_id = `${id}-place`;
  yield { table: 'locations', cells: { id: location_id, ...place } };
  yield {
    table: 'servicesAtLocations',
    cells: { id: `${id}-at`, service_id: id, location_id },
  };
  if (hasAddress)
    yield { table: 'physicalAddresses', cells: { id: `${id}-address`, location_id, ...address } };
  if (accessibility !== '')
    yield { table: 'accessibility', cells: { id: `${id}-access`, location_id, description: accessibility } };
}

/** A spreadsheet that takes codes for numbers drops the zeros before them. */
function postalCodeOf(written: string, region: string): string {
  if (stateCode(region) === undefined) return written;
  if (/^\d{3,4}$/.test(written)) return written.padStart(5, '0');
  return /^\d{9}$/.test(written) ? `${written.slice(0, 5)}-${written.slice(5)}` : written;
}

function pointOf(values: RowValues): readonly [latitude: string, longitude: string] {
  const [, latitude = '', longitude = ''] = coordinates.exec(values.text('coordinates')) ?? [];
  return latitude === '' ? [values.text('latitude'), values.text('longitude')] : [latitude, longitude];
}

const kindsOfPhone = [
  ['phone', ''],
  ['text_number', 'text'],
  ['tty', 'tty'],
  ['fax', 'fax'],
] as const;

function* phoneRows(id: string, values: RowValues): Generator<TableRow> {
  let made = 0;
  for (const [target, type] of kindsOfPhone) {
    for (const { column, text } of values.all(target)) {
      const note = target === 'phone' && telling.test(column) ? column : '';
      for (const phone of phonesIn(text)) {
        const extension = made === 0 && target === 'phone' ? values.text('extension') : '';
        const kind = type || phone.type;
        yield {
          table: 'phones',
          cells: {
            id: `${id}-p${String(made++).padStart(2, '0')}`,
            service_id: id,
            number: phone.number,
            extension,
            type: kind,
            description: [note, phone.note].filter((part) => part !== '').join('; '),
          },
        };
      }
    }
  }
}

/** Names of columns that say which line it is. */
const telling =
  /toll|hot.?line|help.?line|crisis|after.?hours|intake|24|emergenc|l[ií]nea|cell|mobile|celular/i;

function* contactRows(id: string, values: RowValues): Generator<TableRow> {
  const name = values.text('contact_name');
  const contact = {
    name,
    title: values.text('contact_title'),
    email: emailOf(values, 'contact_email'),
  };
  const phones = phonesIn(values.text('contact_phone'));
  if (Object.values(contact).every((part) => part === '') && phones.length === 0) return;
  const contact_id = `${id}-contact`;
  yield { table: 'contacts', cells: { id: contact_id, service_id: id, ...contact } };
  for (const [at, phone] of phones.entries())
    yield {
      table: 'phones',
      cells: { id: `${contact_id}-p${at}`, contact_id, number: phone.number, description: phone.note },
    };
}

const days = [
  ['hours_mo', 'Monday'],
  ['hours_tu', 'Tuesday'],
  ['hours_we', 'Wednesday'],
  ['hours_th', 'Thursday'],
  ['hours_fr', 'Friday'],
  ['hours_sa', 'Saturday'],
  ['hours_su', 'Sunday'],
] as const;

function* hoursRows(id: string, values: RowValues): Generator<TableRow> {
  const byDay = days.flatMap(([target, day]) => {
    const text = values.text(target);
    if (text === '' || /^(-|—|n\/a|none)$/i.test(text)) return [];
    return [
      /^(closed|cerrado|x)$/i.test(text) ? `${day}: closed` : `${day}: ${text.replace(/\s*\n\s*/g, ', ')}`,
    ];
  });
  const words = values.all('hours').map(({ text }) => text);
  const description = [...words, ...byDay].join('\n');
  if (description !== '')
    yield {
      table: 'schedules',
      cells: { id: `${id}-hours`, service_id: id, description, timezone: values.text('time_zone') },
    };
}

const ownTerms = new Map(
  exportedTerms
    .filter(({ taxonomy_id }) => taxonomy_id === categoryTaxonomy.id)
    .flatMap((term) => [[term.code, term] as const, [term.name.toLowerCase(), term] as const]),
);

function* categoryRows(id: string, values: RowValues): Generator<TableRow> {
  // "Food, Clothing" are two; "Food (hot meals, groceries)" is one.
  const names = values
    .parts('category', /\s*[;|\n]\s*/)
    .flatMap((name) => (/[()]/.test(name) ? [name] : name.split(/\s*,\s*/)))
    .filter((name) => name !== '');
  for (const [at, name] of [...new Set(names)].entries()) {
    const own = ownTerms.get(name.toLowerCase());
    if (own && isCategory(own.code)) {
      const place = String(at).padStart(3, '0');
      yield { table: 'terms', cells: { id: own.id, name: own.name } };
      yield {
        table: 'attributes',
        cells: {
          id: `${id}-c${place}`,
          link_id: id,
          link_entity: 'service',
          taxonomy_term_id: own.id,
        },
      };
      continue;
    }
    const taxonomy_id = keyOf('term', name);
    yield {
      table: 'terms',
      cells: { id: taxonomy_id, name, code: is211Code(name) && name.length > 2 ? name : '' },
    };
    yield { table: 'servicesTaxonomy', cells: { id: `${id}-t${at}`, service_id: id, taxonomy_id } };
  }
}

/** The categories, for whoever fills in a sheet. */
export const categoryNames: readonly string[] = categories;

/** The same for the same text, however it is spaced and capitalized. */
export function keyOf(kind: string, ...texts: readonly string[]): string {
  const plain = texts.map((text) => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase());
  return `${kind}-${createHash('sha256').update(plain.join('\0')).digest('hex').slice(0, 16)}`;
}

import { z } from 'zod';
import { line, paragraphs } from '../define.ts';
import { emailAddress, webAddress, contact, phones } from './contact.ts';
import { category } from './category.ts';
import {
  mostPersons,
  sealedFieldsOf,
  unsealedFieldsOf,
  type Field,
  type PersonalNameOf,
} from './field-table.ts';
import { location } from './location.ts';
import { isoDate, openingHours, timeZone, utcOffset } from './opening-hours.ts';
import { orgId } from './organization-fields.ts';
import { sourceDate } from './source.ts';
import { declareChecked } from '../checked-values.ts';

const age = z.number().min(0).max(150);

/** One field of a resource. Everything that handles fields reads these rows; see "Recipes" in docs/contributing.md. */
export interface ResourceField<Schema extends z.ZodType = z.ZodType> extends Field<Schema> {
  /**
   * It is found by its words, as those of 1 names, 2 kinds, 3 places and languages, 4 other texts: see
   * projections/directory/search-terms.ts. Only for fields of the developer tier, because every caller who searches
   * learns from the results what the field contains.
   */
  readonly searched?: 1 | 2 | 3 | 4;
  /** Of an object or a list of objects: the members whose words are indexed. All, where absent. */
  readonly searchedMembers?: readonly string[];
  /**
   * One more than the highest in this table (1 where absent). Set it when the row is added, or changes what is shown
   * or searched: the read models of resources are then built anew.
   */
  readonly version?: number;
}

/** What a directory says about one resource: Open Referral HSDS 3 "service" in short form. */
export const resourceFieldTable = {
  name: { schema: line(300), tier: 'developer', required: true, searched: 1, version: 3 },
  /** Who offers the service. `id`: the organization's record, where the directory has one. */
  organization: {
    schema: z.strictObject({ id: orgId.optional(), name: line(300), url: webAddress.optional() }),
    tier: 'developer',
    searched: 1,
    searchedMembers: ['name'],
    version: 7,
  },
  alternate_name: {
    schema: line(300),
    tier: 'developer',
    searched: 1,
    hsdsColumn: 'alternate_name',
    version: 2,
  },
  category: { schema: category, tier: 'developer', required: true, searched: 2 },
  /** Further categories, the most important first. */
  categories: { schema: z.array(category).max(12), tier: 'developer', searched: 2, version: 2 },
  /** The names of the taxonomy terms by which its source classifies it, such as those of 211. */
  taxonomy_terms: { schema: z.array(line(200)).max(100), tier: 'developer', searched: 2, version: 5 },
  description: {
    schema: paragraphs(10_000),
    tier: 'developer',
    always: true,
    searched: 4,
    hsdsColumn: 'description',
  },
  url: { schema: webAddress, tier: 'developer', always: true },
  /** The first that is not virtual is the main location. */
  locations: {
    schema: z.array(location).max(200),
    tier: 'developer',
    always: true,
    searched: 3,
    searchedMembers: ['name', 'street', 'city', 'region', 'postal_code'],
    version: 8,
  },
  /** Of the service as a whole. A location has its own. */
  phones: { schema: phones, tier: 'developer', always: true, version: 2 },
  /** Opening hours as people write them. */
  hours: { schema: paragraphs(2_000), tier: 'developer', always: true },
  opening_hours: { schema: z.array(openingHours).max(200), tier: 'developer', version: 2 },
  /** In which the opening hours are. */
  time_zone: { schema: timeZone, tier: 'developer', version: 2 },
  /** The distances from UTC that its source names instead of a zone. They help to choose one: see places/hours-zone.ts. */
  utc_offsets: { schema: z.array(utcOffset).max(4), tier: 'developer', version: 8 },
  /** Names of languages spoken. */
  languages: { schema: z.array(line(60)).max(100), tier: 'developer', always: true, searched: 3, version: 4 },
  /** Who may use it. */
  eligibility: { schema: paragraphs(4_000), tier: 'developer', always: true, searched: 4, version: 4 },
  /** Years of age of those who may use it. */
  ages: {
    schema: z
      .strictObject({ minimum: age.optional(), maximum: age.optional() })
      .refine(({ minimum, maximum }) => minimum !== undefined || maximum !== undefined, {
        message: 'needs minimum or maximum',
      })
      .refine(({ minimum = 0, maximum = 150 }) => minimum <= maximum, {
        message: 'has a minimum above its maximum',
      }),
    tier: 'developer',
    version: 2,
  },
  cost: { schema: paragraphs(2_000), tier: 'developer', searched: 4, version: 4 },
  /** Whether nobody has to pay. */
  free: { schema: z.boolean(), tier: 'developer', version: 2 },
  how_to_apply: {
    schema: paragraphs(4_000),
    tier: 'developer',
    searched: 4,
    hsdsColumn: 'application_process',
    version: 4,
  },
  /** What to bring. */
  documents: { schema: z.array(line(500)).max(100), tier: 'developer', searched: 4, version: 4 },
  /** Names of the areas whose residents are served. */
  service_area: { schema: z.array(line(300)).max(200), tier: 'developer', searched: 3, version: 4 },
  /** A passing notice, such as a closure. */
  alert: { schema: paragraphs(1_000), tier: 'developer', searched: 4, hsdsColumn: 'alert', version: 4 },
  /** `open` where absent. */
  availability: {
    schema: z.enum(['open', 'temporarily_closed', 'defunct']),
    tier: 'developer',
    version: 2,
  },
  /** The day on which somebody last checked the record. */
  last_verified: { schema: isoDate, tier: 'developer', version: 2 },
  /** When its source last changed what it says. Never when it was imported. */
  last_modified: { schema: sourceDate, tier: 'developer', version: 6 },
  email: { schema: emailAddress, tier: 'team', always: true },
  interpretation: {
    schema: paragraphs(2_000),
    tier: 'team',
    hsdsColumn: 'interpretation_services',
    version: 2,
  },
  capacity: { schema: paragraphs(500), tier: 'team', version: 2 },
  contacts: { schema: z.array(contact).max(mostPersons), tier: 'team', personal: true, version: 3 },
  verified_by: { schema: line(300), tier: 'team', personal: true, version: 3 },
} as const satisfies Record<string, ResourceField>;

type Table = typeof resourceFieldTable;
export type ResourceFieldName = keyof Table;

/** The rows with their names, in the order in which they are shown. */
export const resourceFieldRows: readonly (ResourceField & { readonly name: ResourceFieldName })[] =
  Object.entries(resourceFieldTable).map(([name, row]) => ({ ...row, name: name as ResourceFieldName }));

/** The names of the fields that are about persons. */
export type PersonalFieldName = PersonalNameOf<Table>;

export const personalRows = resourceFieldRows.filter(
  (row): row is ResourceField & { readonly name: PersonalFieldName } => row.personal === true,
);

const namesCategoriesOnce = (fields: { category: string; categories?: string[] | undefined }): boolean =>
  new Set([fields.category, ...(fields.categories ?? [])]).size === (fields.categories ?? []).length + 1;
const namesOneTwice = {
  path: ['categories'],
  message: 'must not name a category twice, nor the one in category',
};

/** The schema of the fields of a resource in events: what is about persons is sealed. */
export const resourceFields = sealedFieldsOf(resourceFieldTable).refine(namesCategoriesOnce, namesOneTwice);
export type ResourceFields = z.output<typeof resourceFields>;

/** The fields that are about no person: the same, sealed or not. */
export type ImpersonalFields = Omit<ResourceFields, PersonalFieldName>;

/** The schema of the fields as they are given and shown: what is about persons is in clear. */
export const unsealedFields = unsealedFieldsOf(resourceFieldTable).refine(namesCategoriesOnce, namesOneTwice);
export type UnsealedFields = z.output<typeof unsealedFields>;

/** The version of the read models that show fields. */
export const resourceFieldsVersion = Math.max(...resourceFieldRows.map(({ version = 1 }) => version));

const sealedPart = z.object(
  Object.fromEntries(personalRows.map(({ name }) => [name, resourceFields.shape[name]])),
);

/**
 * Fields that `unsealedFields` has checked before what they say about persons was sealed. Checks the sealed part. What
 * is wrong with it, `newEvent` says.
 */
export const checkedBeforeSealing = (fields: ResourceFields): ResourceFields =>
  sealedPart.safeParse(fields).success ? declareChecked(resourceFields, fields) : fields;

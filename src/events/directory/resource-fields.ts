import { z } from 'zod';
import { line, paragraphs } from '../define.ts';
import { emailAddress, webAddress } from './addresses.ts';
import { category } from './category.ts';
import { contact } from './contact.ts';
import { location } from './location.ts';
import { isoDate, openingHours, timeZone } from './opening-hours.ts';
import { phones } from './phone.ts';
import { sealedPerson } from './sealed-person.ts';
import { sourceDate } from './source-date.ts';

const age = z.number().min(0).max(150);
/** The most persons in a field. */
const mostPersons = 50;

/** One field of a resource. Everything that handles fields reads these rows; see "Recipes" in docs/contributing.md. */
export interface ResourceField<Schema extends z.ZodType = z.ZodType> {
  /** What the value may be: text, a list, or an object with fields of its own. */
  readonly schema: Schema;
  /** Who may see it: `developer`, every key; `team`, team keys alone. */
  readonly tier: 'developer' | 'team';
  /** A resource cannot exist without it. All other fields are optional: an absent field is unknown. */
  readonly required?: true;
  /**
   * Shown as null or an empty list where it is unknown. Other fields are left out then, so that a record of which
   * little is known stays small.
   */
  readonly always?: true;
  /**
   * It is found by its words, as those of 1 names, 2 kinds, 3 places and languages, 4 other texts: see
   * projections/directory/search-terms.ts. Only for fields of the developer tier, because every caller who searches
   * learns from the results what the field contains.
   */
  readonly searched?: 1 | 2 | 3 | 4;
  /** Of an object or a list of objects: the members whose words are indexed. All, where absent. */
  readonly searchedMembers?: readonly string[];
  /**
   * It is about a person, or a list of persons. In events and read models each is sealed under a data key of its own,
   * and only who may see the field has it opened. Only for fields of the team tier.
   */
  readonly personal?: true;
  /** The column of the HSDS table `services` that holds it. For other fields see tables/hsds-columns.tsv. */
  readonly hsdsColumn?: string;
  /**
   * One more than the highest in this table (1 where absent). Set it when the row is added, or changes what is shown
   * or searched: the read models of resources are then built anew.
   */
  readonly version?: number;
}

/** What a directory says about one resource: Open Referral HSDS 3 "service" in short form. */
export const resourceFieldTable = {
  name: { schema: line(300), tier: 'developer', required: true, searched: 1, version: 3 },
  /** Who offers the service. */
  organization: {
    schema: z.strictObject({ name: line(300), url: webAddress.optional() }),
    tier: 'developer',
    searched: 1,
    searchedMembers: ['name'],
    version: 2,
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
    version: 4,
  },
  /** Of the service as a whole. A location has its own. */
  phones: { schema: phones, tier: 'developer', always: true, version: 2 },
  /** Opening hours as people write them. */
  hours: { schema: paragraphs(2_000), tier: 'developer', always: true },
  opening_hours: { schema: z.array(openingHours).max(200), tier: 'developer', version: 2 },
  /** In which the opening hours are. */
  time_zone: { schema: timeZone, tier: 'developer', version: 2 },
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
export type PersonalFieldName = {
  [Name in ResourceFieldName]: Table[Name] extends { readonly personal: true } ? Name : never;
}[ResourceFieldName];

export const personalRows = resourceFieldRows.filter(
  (row): row is ResourceField & { readonly name: PersonalFieldName } => row.personal === true,
);

type Optional<Schemas extends Record<ResourceFieldName, z.ZodType>> = {
  [Name in ResourceFieldName]: Table[Name] extends { readonly required: true }
    ? Schemas[Name]
    : z.ZodOptional<Schemas[Name]>;
};

type Unsealed = { [Name in ResourceFieldName]: Table[Name]['schema'] };
type Sealed = {
  [Name in ResourceFieldName]: Name extends PersonalFieldName
    ? Table[Name]['schema'] extends z.ZodArray
      ? z.ZodArray<typeof sealedPerson>
      : typeof sealedPerson
    : Table[Name]['schema'];
};

const sealedSchema = ({ schema, personal }: ResourceField): z.ZodType =>
  !personal ? schema : schema instanceof z.ZodArray ? z.array(sealedPerson).max(mostPersons) : sealedPerson;

/** The schema of the fields of a resource in events: what is about persons is sealed. */
export const resourceFields = fieldsOf<Sealed>(sealedSchema);
export type ResourceFields = z.output<typeof resourceFields>;

/** The fields that are about no person: the same, sealed or not. */
export type ImpersonalFields = Omit<ResourceFields, PersonalFieldName>;

/** The schema of the fields as they are given and shown: what is about persons is in clear. */
export const unsealedFields = fieldsOf<Unsealed>(({ schema }) => schema);
export type UnsealedFields = z.output<typeof unsealedFields>;

function fieldsOf<Schemas extends Record<ResourceFieldName, z.ZodType>>(
  schemaOf: (row: ResourceField) => z.ZodType,
) {
  const shape = resourceFieldRows.map((row) => {
    const schema = schemaOf(row);
    return [row.name, row.required ? schema : schema.optional()] as const;
  });
  return z.strictObject(Object.fromEntries(shape) as Optional<Schemas>).refine(
    (fields) => {
      const { category, categories = [] } = fields as { category: string; categories?: string[] };
      return new Set([category, ...categories]).size === categories.length + 1;
    },
    { path: ['categories'], message: 'must not name a category twice, nor the one in category' },
  );
}

/** The version of the read models that show fields. */
export const resourceFieldsVersion = Math.max(...resourceFieldRows.map(({ version = 1 }) => version));

/** What the read API shows for an absent field: an empty list, or null. */
export const unknownValue = ({ schema }: ResourceField): readonly [] | null =>
  schema instanceof z.ZodArray ? [] : null;

import { z } from 'zod';
import { line, text } from '../define.ts';
import { category } from './category.ts';

const webAddress = text(2_000).refine((value) => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value), {
  message: 'must be an http or https URL',
});
const emailAddress = text(254).regex(/^[^\s@]+@[^\s@]+$/, { message: 'must be an email address' });

/** One field of a resource. Everything that handles fields reads these rows; see "Recipes" in docs/architecture.md. */
export interface ResourceField<Schema extends z.ZodType = z.ZodType> {
  /** What the value may be: text, a list, or an object with fields of its own. */
  readonly schema: Schema;
  /** Who may see it: `developer`, every key; `team`, team keys alone. */
  readonly tier: 'developer' | 'team';
  /** A resource cannot exist without it. All other fields are optional: an absent field is unknown. */
  readonly required?: true;
  /**
   * Its words are indexed. The rank gives the order of the words: 1 names, 2 kinds, 3 places, 4 texts. Only for
   * fields of the developer tier, because every caller who searches learns from the results what the field contains.
   */
  readonly searched?: 1 | 2 | 3 | 4;
  /** The column of the HSDS table `services` that holds it. For other fields see hsds/record.ts. */
  readonly hsdsColumn?: string;
  /**
   * One more than the highest in this table (1 where absent). Set it when the row is added, or changes what is shown
   * or searched: the read models of resources are then built anew.
   */
  readonly version?: number;
}

/** What a directory says about one resource: Open Referral HSDS 3 "service" in short form. */
export const resourceFieldTable = {
  name: { schema: line(300), tier: 'developer', required: true, searched: 1 },
  category: { schema: category, tier: 'developer', required: true, searched: 2 },
  description: { schema: line(10_000), tier: 'developer', searched: 4, hsdsColumn: 'description' },
  url: { schema: webAddress, tier: 'developer' },
  /** City or town of the main location. */
  city: { schema: line(120), tier: 'developer', searched: 3 },
  /** State, province or region of the main location. */
  region: { schema: line(120), tier: 'developer', searched: 3 },
  phone: { schema: line(120), tier: 'team' },
  email: { schema: emailAddress, tier: 'team' },
  /** Street lines and postal code of the main location, in one line. */
  address: { schema: line(500), tier: 'team' },
  /** Opening hours as people write them. */
  hours: { schema: line(1_000), tier: 'team' },
  /** Names of languages spoken. */
  languages: { schema: z.array(line(60)).max(100), tier: 'team' },
  /** Who may use it. */
  eligibility: { schema: line(2_000), tier: 'team' },
} as const satisfies Record<string, ResourceField>;

type Table = typeof resourceFieldTable;
export type ResourceFieldName = keyof Table;

/** The rows with their names, in the order in which they are shown. */
export const resourceFieldRows: readonly (ResourceField & { readonly name: ResourceFieldName })[] =
  Object.entries(resourceFieldTable).map(([name, row]) => ({ ...row, name: name as ResourceFieldName }));

type Shape = {
  [Name in ResourceFieldName]: Table[Name] extends { readonly required: true }
    ? Table[Name]['schema']
    : z.ZodOptional<Table[Name]['schema']>;
};

/** The schema of the fields of a resource in events. */
export const resourceFields = z.strictObject(
  Object.fromEntries(
    resourceFieldRows.map(({ name, schema, required }) => [name, required ? schema : schema.optional()]),
  ) as Shape,
);
export type ResourceFields = z.output<typeof resourceFields>;

/** The version of the read models that show fields. */
export const resourceFieldsVersion = Math.max(...resourceFieldRows.map(({ version = 1 }) => version));

/** What the read API shows for an absent field: an empty list, or null. */
export const unknownValue = ({ schema }: ResourceField): readonly [] | null =>
  schema instanceof z.ZodArray ? [] : null;

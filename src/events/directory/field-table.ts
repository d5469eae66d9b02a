import { z } from 'zod';

/** What a record says about one person, sealed under a data key of its own. */
export const sealedPerson = z.strictObject({
  person: z.uuid().describe('The person’s id. It names the data key.'),
  sealed: z
    .string()
    // The longest contact in UTF-8, with nonce and tag, in base64url.
    .max(41_000)
    .regex(/^[A-Za-z0-9_-]+$/)
    .meta({ title: 'sealed under the person’s data key, base64url' }),
});
export type SealedPerson = z.output<typeof sealedPerson>;

/** The most persons in a field. */
export const mostPersons = 50;

/** One field of a kind of record. */
export interface Field<Schema extends z.ZodType = z.ZodType> {
  /** What the value may be: text, a list, or an object with fields of its own. */
  readonly schema: Schema;
  /** Who may see it: `developer`, every key; `team`, team keys alone. */
  readonly tier: 'developer' | 'team';
  /** A record cannot exist without it. All other fields are optional: an absent field is unknown. */
  readonly required?: true;
  /**
   * Shown as null or an empty list where it is unknown. Other fields are left out then, so that a record of which
   * little is known stays small.
   */
  readonly always?: true;
  /**
   * It is about a person, or a list of persons. In events and read models each is sealed under a data key of its own,
   * and only who may see the field has it opened. Only for fields of the team tier.
   */
  readonly personal?: true;
  /** The column of the HSDS table of these records that holds it. For other fields see tables/hsds-columns.tsv. */
  readonly hsdsColumn?: string;
}

/** The fields of a kind of record by name, in the order in which they are shown. */
export type FieldTable = Readonly<Record<string, Field>>;

/** The names of the fields that are about persons. */
export type PersonalNameOf<Table extends FieldTable> = {
  [Name in keyof Table & string]: Table[Name] extends { readonly personal: true } ? Name : never;
}[keyof Table & string];

type Optional<Table extends FieldTable, Schemas extends Record<keyof Table, z.ZodType>> = {
  [Name in keyof Table]: Table[Name] extends { readonly required: true }
    ? Schemas[Name]
    : z.ZodOptional<Schemas[Name]>;
};

type Unsealed<Table extends FieldTable> = { [Name in keyof Table]: Table[Name]['schema'] };
type Sealed<Table extends FieldTable> = {
  [Name in keyof Table]: Table[Name] extends { readonly personal: true }
    ? Table[Name]['schema'] extends z.ZodArray
      ? z.ZodArray<typeof sealedPerson>
      : typeof sealedPerson
    : Table[Name]['schema'];
};

const sealedSchema = ({ schema, personal }: Field): z.ZodType =>
  !personal ? schema : schema instanceof z.ZodArray ? z.array(sealedPerson).max(mostPersons) : sealedPerson;

/** The schema of the fields in events: what is about persons is sealed. */
export const sealedFieldsOf = <Table extends FieldTable>(table: Table) =>
  objectOf<Table, Sealed<Table>>(table, sealedSchema);

/** The schema of the fields as they are given and shown: what is about persons is in clear. */
export const unsealedFieldsOf = <Table extends FieldTable>(table: Table) =>
  objectOf<Table, Unsealed<Table>>(table, ({ schema }) => schema);

function objectOf<Table extends FieldTable, Schemas extends Record<keyof Table, z.ZodType>>(
  table: Table,
  schemaOf: (field: Field) => z.ZodType,
) {
  const shape = Object.entries(table).map(([name, field]) => {
    const schema = schemaOf(field);
    return [name, field.required ? schema : schema.optional()] as const;
  });
  return z.strictObject(Object.fromEntries(shape) as Optional<Table, Schemas>);
}

/** What the read API shows for an absent field: an empty list, or null. */
export const unknownValue = ({ schema }: Field): readonly [] | null =>
  schema instanceof z.ZodArray ? [] : null;

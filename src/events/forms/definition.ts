import { z } from 'zod';
import { line, paragraphs } from '../define.ts';

/** What a field of a form asks for. */
export const fieldKinds = [
  'text',
  'long_text',
  'email',
  'phone',
  'number',
  'choice',
  'checkbox',
  'date',
] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** Keys name answers in JSON, CSV and the payload of a webhook. `constructor` would hide a member of objects. */
const key = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, {
    message: 'must be 1–40 lower-case letters, digits and _, and begin with a letter',
  })
  .refine((value) => value !== 'constructor', { message: 'must not be constructor' })
  .meta({ title: '1–40 lower-case letters, digits and _' });

/** A language as in `lang` of HTML: en, es, ht, zh-Hant, pt-BR (RFC 5646 section 2.1, without its rare parts). */
export const languageTag = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/, {
    message: 'must be a language like es or pt-BR',
  })
  .meta({ title: 'language' });

/** One text in each language in which the team has written it. */
const inLanguages = (content: z.ZodType<string>) =>
  z.record(languageTag, content).meta({ title: 'text by language' });
export type TextByLanguage = Readonly<Record<string, string>>;

const option = z.strictObject({ key, label: inLanguages(line(200)) });

const bound = z.number().min(-1e12).max(1e12);

export const formField = z
  .strictObject({
    key: key.describe('Names the answer.'),
    kind: z.enum(fieldKinds, { message: `must be one of ${fieldKinds.join(', ')}` }),
    label: inLanguages(line(200)),
    help: inLanguages(line(500)).optional(),
    required: z.boolean(),
    options: z.array(option).min(1).max(50).optional().describe('Of a choice.'),
    several: z.boolean().optional().describe('Of a choice: whether more than one option may be chosen.'),
    minimum: bound.optional().describe('Of a number.'),
    maximum: bound.optional().describe('Of a number.'),
  })
  .refine(({ kind, options }) => (kind === 'choice') === (options !== undefined), {
    message: 'a choice has options, and no other field has',
    path: ['options'],
  })
  .refine(({ kind, several }) => kind === 'choice' || several === undefined, {
    message: 'only a choice can allow several',
    path: ['several'],
  })
  .refine(({ kind, minimum, maximum }) => kind === 'number' || (minimum ?? maximum) === undefined, {
    message: 'only a number has a minimum and a maximum',
    path: ['minimum'],
  })
  .refine(({ minimum = -Infinity, maximum = Infinity }) => minimum <= maximum, {
    message: 'must not be above the maximum',
    path: ['minimum'],
  })
  .refine(({ options = [] }) => areDistinct(options.map((each) => each.key)), {
    message: 'two options have the same key',
    path: ['options'],
  });
export type FormField = z.output<typeof formField>;

/** The site of a team, from whose pages browsers may send the form: https, or http on the same machine. */
const siteOrigin = z
  .string()
  .max(300)
  .refine(isSiteOrigin, { message: 'must be an address like https://example.org, without a path' })
  .meta({ title: 'origin' });

/** The most characters of all texts and fields of a form together, as JSON. */
export const longestDefinition = 64 * 1024;

/** What a form asks for and says, as its team has written it. */
export const formDefinition = z
  .strictObject({
    languages: z
      .array(languageTag)
      .min(1)
      .max(8)
      .refine(areDistinct, { message: 'a language is named twice' })
      .describe('The languages of the texts. The first one has every text.'),
    title: inLanguages(line(150)),
    intro: inLanguages(paragraphs(2_000)).optional(),
    fields: z
      .array(formField)
      .min(1)
      .max(60)
      .refine((fields) => areDistinct(fields.map((each) => each.key)), {
        message: 'two fields have the same key',
      }),
    thanks: inLanguages(paragraphs(2_000)).optional().describe('Shown to whoever has sent the form.'),
    allowed_origins: z
      .array(siteOrigin)
      .max(20)
      .describe('The sites of the team from which the form may be sent.'),
    daily_cap: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('The most submissions in a day. Absent: as the service is set up.'),
  })
  .refine((definition) => JSON.stringify(definition).length <= longestDefinition, {
    message: 'the form is too large: all its texts together may have 64 KiB',
  })
  .superRefine((definition, context) => {
    for (const [path, text] of textsOf(definition)) {
      const written = Object.keys(text);
      const stranger = written.find((language) => !definition.languages.includes(language));
      if (stranger !== undefined)
        context.addIssue({ code: 'custom', path, message: `${stranger} is not among the languages` });
      if (!written.includes(definition.languages[0] ?? ''))
        context.addIssue({
          code: 'custom',
          path,
          message: `has no text in ${definition.languages[0] ?? ''}`,
        });
    }
  });
export type FormDefinition = z.output<typeof formDefinition>;

/** The field with the address to which a receipt goes: the first that asks for one. */
export const emailFieldOf = ({ fields }: Pick<FormDefinition, 'fields'>): FormField | undefined =>
  fields.find(({ kind }) => kind === 'email');

type Texts = Pick<FormDefinition, 'title' | 'intro' | 'thanks' | 'fields'>;

type Place = (string | number)[];

/** All texts of a form, each with its place. */
function textsOf({ title, intro, thanks, fields }: Texts): [Place, TextByLanguage][] {
  const all: [Place, TextByLanguage | undefined][] = [
    [['title'], title],
    [['intro'], intro],
    [['thanks'], thanks],
    ...fields.flatMap(({ label, help, options = [] }, field): typeof all => [
      [['fields', field, 'label'], label],
      [['fields', field, 'help'], help],
      ...options.map((each, option): (typeof all)[number] => [
        ['fields', field, 'options', option, 'label'],
        each.label,
      ]),
    ]),
  ];
  return all.filter((each): each is [Place, TextByLanguage] => each[1] !== undefined);
}

function areDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

function isSiteOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { origin, protocol, hostname } = new URL(value);
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return origin === value && (protocol === 'https:' || (protocol === 'http:' && local));
}

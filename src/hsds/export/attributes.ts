import type { Category } from '../../events/directory/category.ts';
import { categories } from '../../events/directory/category.ts';
import { uuidOf } from '../../events/ids.ts';
import { entityId } from './ids.ts';

interface Term {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly taxonomy: string;
  readonly taxonomy_id: string;
}

interface Taxonomy {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

const taxonomy = (name: string, description: string): Taxonomy => ({
  id: uuidOf('hsds-taxonomy', name),
  name,
  description,
});

/** The categories of the directory. */
export const categoryTaxonomy = taxonomy(
  'Commonweal categories',
  'The needs by which the directory is divided. The first term of a service is its main one.',
);

/** What a record says and HSDS has no place for. */
export const recordTaxonomy = taxonomy(
  'Commonweal record',
  'What a record of the directory says beyond HSDS. The attribute has it as value.',
);

const termOf = (
  { id: taxonomy_id, name: taxonomy }: Taxonomy,
  code: string,
  [name, description]: readonly [string, string],
): Term => ({ id: uuidOf('hsds-term', taxonomy, code), code, name, description, taxonomy, taxonomy_id });

const categoryNames: Readonly<Record<Category, string>> = {
  emergency: 'Emergency',
  food: 'Food',
  housing: 'Housing',
  goods: 'Goods',
  transit: 'Transit',
  health: 'Health',
  mental: 'Mental health',
  money: 'Money',
  care: 'Care',
  education: 'Education',
  employment: 'Employment',
  legal: 'Legal help',
  other: 'Other',
};

/** What an attribute of a record may tell, with the tier of the field that it tells. */
const recordTerms = {
  time_zone: [
    'Time zone',
    'IANA name of the time zone of the opening hours. HSDS has offsets, which change.',
  ],
  utc_offsets: [
    'Difference from UTC',
    'Those of the opening hours, where the source names no time zone: one, or those of summer and winter, with a space between.',
  ],
  free: ['Free of charge', 'true when nobody has to pay, false when somebody has to.'],
  opening_hours: [
    'Opening hours',
    'in words alone: no structured hours are sure. confirmed, with a checksum: the schedules and their words were compared. Of a service, or of a location of it.',
  ],
  confidential: ['Confidential', 'true for a location whose address is not published.'],
  extension: ['Extension', 'An extension of a phone that is not a number. HSDS takes numbers alone.'],
  url: ['Web address', 'The web address as it was written, where that is not a URI of RFC 3986.'],
  organization_url: ['Web address of the organization', 'As it was written, where that is not a URI.'],
  taxonomy_term: [
    'Taxonomy term',
    'The name of a term by which the source classifies the service. One attribute for each.',
  ],
  capacity: ['Capacity', 'The capacity in words. HSDS takes numbers of units alone.'],
  email: ['Email', 'The email address as it was written, where HSDS does not take it.'],
  verified_by: ['Verified by', 'Who last verified the record, where that is not an email address.'],
  last_modified: [
    'Last changed by its source',
    'The year, month, day or time, as precisely as it is known, where that is not a whole instant.',
  ],
  unknown: [
    'Not known',
    'Columns that have a value only because HSDS requires one, separated by spaces: the directory knows none.',
  ],
  parent_organization: ['Parent organization', 'The name of the organization of which it is a part.'],
  source_id: [
    'Identifier in the source',
    'The id of the service or the organization in the source from which it was imported.',
  ],
  status: ['Status', 'submitted, approved, rejected or inactive.'],
  team: ['Team', 'The team that owns the directory of the record.'],
} as const satisfies Record<string, readonly [string, string]>;

/** The value of the term `opening_hours` where the record has words and no rows. */
export const inWordsAlone = 'in words alone';

export type RecordTerm = keyof typeof recordTerms;

const categoryTerms = new Map(
  categories.map((slug) => [
    slug,
    termOf(categoryTaxonomy, slug, [categoryNames[slug], `Services for the need ${slug}.`]),
  ]),
);
const ownTerms = new Map(
  Object.entries(recordTerms).map(([code, words]) => [
    code as RecordTerm,
    termOf(recordTaxonomy, code, words),
  ]),
);

/** All terms that attributes of an export name. */
export const exportedTerms: readonly Term[] = [...categoryTerms.values(), ...ownTerms.values()];
export const exportedTaxonomies: readonly Taxonomy[] = [categoryTaxonomy, recordTaxonomy];

/** The record term with this id. */
export const recordTermOf = (id: string): RecordTerm | undefined => recordTermById.get(id);
const recordTermById = new Map([...ownTerms].map(([code, { id }]) => [id, code]));

/** The category of the term with this id. */
export const categoryOfTerm = (id: string): Category | undefined => categoryByTerm.get(id);
const categoryByTerm = new Map([...categoryTerms].map(([slug, { id }]) => [id, slug]));

/** The attributes of one service and of what belongs to it, numbered as they are made. */
export class Attributes {
  readonly #svcId: string;
  #made = 0;

  constructor(svcId: string) {
    this.#svcId = svcId;
  }

  /** `category`: the first is the main one. */
  categories(service: string, slugs: readonly Category[]) {
    return slugs.flatMap((slug) => {
      const term = categoryTerms.get(slug);
      return term ? [this.#attribute('service', service, 'category', term)] : [];
    });
  }

  /** Those of these values that are known. */
  present(entity: string, id: string, values: Partial<Record<RecordTerm, string | undefined>>) {
    return Object.entries(values).flatMap(([code, value]) => {
      const term = ownTerms.get(code as RecordTerm);
      return term && value !== undefined ? [this.#attribute(entity, id, 'record', term, value)] : [];
    });
  }

  /** The names of taxonomy terms, in their order. */
  terms(service: string, names: readonly string[]) {
    return names.flatMap((name) => this.present('service', service, { taxonomy_term: name }));
  }

  #attribute(link_entity: string, link_id: string, link_type: string, term: Term, value = term.code) {
    const place = this.#made++;
    const id = entityId(this.#svcId, 'attribute', place >> 8, place & 255);
    return attributed(id, { link_id, link_entity, link_type, value }, term);
  }
}
export type Attribute = ReturnType<typeof attributed>;

interface Link {
  readonly link_id: string;
  readonly link_entity: string;
  readonly link_type: string;
  readonly value: string;
}

/** An attribute with an id of its own. */
export function attributeOf(
  code: RecordTerm,
  { id, ...link }: Omit<Link, 'link_type'> & { readonly id: string },
): Attribute {
  const term = ownTerms.get(code);
  if (!term) throw new Error(`${code} is no term of ours.`);
  return attributed(id, { ...link, link_type: 'record' }, term);
}

const attributed = (id: string, { link_id, link_entity, link_type, value }: Link, taxonomy_term: Term) => ({
  id,
  link_id,
  link_entity,
  link_type,
  taxonomy_term_id: taxonomy_term.id,
  value,
  taxonomy_term,
});

import type { RelatedRows, Row } from '../source/related-rows.ts';
import { isOwn } from '../own-attributes.ts';
import type { Source } from '../service-rows.ts';
import { cleanLine, compareText } from '../text.ts';
import { voteOf, type Term, type Vote } from './categories.ts';

/** Entities other than services that an attribute may belong to. Their ids may equal a service's. */
const otherEntities = [
  'organization',
  'location',
  'service_at_location',
  'program',
  'contact',
  'phone',
  'schedule',
];

/** The taxonomy terms of a service. */
export interface ServiceTerms {
  /** What they say about its category. */
  readonly votes: readonly Vote[];
  /** Each once, in alphabetical order. */
  readonly names: readonly string[];
}

/**
 * The taxonomy terms of a service: its attributes in HSDS 3, its rows of services_taxonomy in 1.1. A term that is not
 * in the file of terms is taken by its id, which is often its code, and has no name.
 */
export function serviceTerms({ related, accounting }: Source, service: string): ServiceTerms {
  const meaningOf = meaningsOf.get(related) ?? meaningsIn(related);
  meaningsOf.set(related, meaningOf);
  const votes = new Set<Vote>();
  const names = new Set<string>();
  for (const row of taxonomyRows(related, service)) {
    const { vote, name } = meaningOf(row.cell('taxonomy_term_id') || row.cell('taxonomy_id'));
    accounting.read(row);
    if (!vote && name === '')
      accounting.leave(row, undefined, 'the term has no name and says nothing about a category');
    // A service may name a term twice. It counts once.
    if (vote) votes.add(vote);
    if (name !== '') names.add(name);
  }
  return { votes: [...votes], names: [...names].sort(compareText) };
}

function taxonomyRows(related: RelatedRows, service: string): Row[] {
  const isOfService = (row: Row): boolean =>
    !otherEntities.includes(row.cell('link_entity').toLowerCase().replace(/s$/, '')) && !isOwn(row);
  return [
    ...related.rowsOf('servicesTaxonomy', 'service_id', service),
    ...related.rowsOf('attributes', 'link_id', service).filter(isOfService),
    ...related
      .rowsOf('attributes', 'service_id', service)
      .filter((row) => row.cell('link_id') === '' && isOfService(row)),
  ];
}

type MeaningOf = (id: string) => { readonly vote: Vote | undefined; readonly name: string };

/** What a source's terms say. Services share a few hundred of them. */
const meaningsOf = new WeakMap<RelatedRows, MeaningOf>();

/** So many terms and votes are kept at a time. */
const mostKept = 10_000;

function meaningsIn(related: RelatedRows): MeaningOf {
  const terms = remembered((id) => {
    const row = related.rowOf('terms', id);
    return row && termOf(row);
  });
  return remembered((id) => {
    const term = terms(id) ?? unlisted(id);
    return { vote: voteOf(term, { get: terms }), name: cleanLine(term.name) };
  });
}

/** The values of a function of an id, so that equal ids give the same value. */
function remembered<Value>(find: (id: string) => Value): (id: string) => Value {
  const values = new Map<string, Value>();
  return (id) => {
    const before = values.get(id);
    if (before !== undefined || values.has(id)) return before as Value;
    const value = find(id);
    if (values.size >= mostKept) values.clear();
    values.set(id, value);
    return value;
  };
}

const termOf = (row: Row): Term => ({
  code: row.cell('code') || row.cell('id'),
  name: row.cell('name') || row.cell('term'),
  facet: row.cell('taxonomy_facet'),
  parent: row.cell('parent_id'),
  parentName: row.cell('parent_name'),
  taxonomy: row.cell('taxonomy') || row.cell('vocabulary'),
});

const unlisted = (id: string): Term => ({
  code: id,
  name: '',
  facet: '',
  parent: '',
  parentName: '',
  taxonomy: '',
});

import type { RelatedRows, Row } from '../source/related-rows.ts';
import { isOwn } from '../own-attributes.ts';
import type { Source } from '../service-rows.ts';
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

/**
 * What taxonomy terms say about the category of a service: its attributes in HSDS 3, its rows of services_taxonomy in
 * 1.1. A term that is not in the file of terms is taken by its id, which is often its code.
 */
export function votesOf({ related, accounting }: Source, service: string): readonly Vote[] {
  const voteById = votesById(related);
  const votes: Vote[] = [];
  for (const row of taxonomyRows(related, service)) {
    const term = row.cell('taxonomy_term_id') || row.cell('taxonomy_id');
    const vote = voteById(term);
    accounting.read(row);
    if (!vote) accounting.leave(row, undefined, 'the term says nothing about a category');
    // A service may name a term twice. It counts once.
    if (vote && !votes.includes(vote)) votes.push(vote);
  }
  return votes;
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

type VoteById = (id: string) => Vote | undefined;

/** The votes of a source's terms. Services share a few hundred of them. */
const known = new WeakMap<RelatedRows, VoteById>();

/** So many terms and votes are kept at a time. */
const mostKept = 10_000;

function votesById(related: RelatedRows): VoteById {
  const made = known.get(related) ?? makeVotes(related);
  known.set(related, made);
  return made;
}

function makeVotes(related: RelatedRows): VoteById {
  const terms = remembered((id) => {
    const row = related.rowOf('terms', id);
    return row && termOf(row);
  });
  return remembered((id) => voteOf(terms(id) ?? unlisted(id), { get: terms }));
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

import { voteOf, type Term, type Vote } from './categories.ts';
import type { EachRow } from '../source/table.ts';
import type { Row } from '../source/table.ts';

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
 * What taxonomy terms say about the category of each service: its attributes in HSDS 3, its rows of services_taxonomy
 * in 1.1. A term that is not in the file of terms is taken by its id, which is often its code.
 */
export async function loadVotes(each: EachRow): Promise<Map<string, Vote[]>> {
  const terms = new Map<string, Term>();
  await each('terms', (row) => {
    terms.set(row.cell('id'), {
      code: row.cell('code') || row.cell('id'),
      name: row.cell('name'),
      facet: row.cell('taxonomy_facet'),
      parent: row.cell('parent_id'),
      parentName: row.cell('parent_name'),
      taxonomy: row.cell('taxonomy') || row.cell('vocabulary'),
    });
  });

  const known = new Map<string, Vote | undefined>();
  const voteById = (id: string): Vote | undefined => {
    if (!known.has(id)) known.set(id, voteOf(terms.get(id) ?? unlisted(id), terms));
    return known.get(id);
  };

  const votes = new Map<string, Vote[]>();
  const add = (service: string, row: Row): void => {
    const vote = voteById(row.cell('taxonomy_term_id') || row.cell('taxonomy_id'));
    if (!vote) return;
    const list = votes.get(service);
    // A service may name a term twice. It counts once.
    if (!list) votes.set(service, [vote]);
    else if (!list.includes(vote)) list.push(vote);
  };
  await each('servicesTaxonomy', (row) => add(row.cell('service_id'), row));
  await each('attributes', (row) => {
    const entity = row.cell('link_entity').toLowerCase().replace(/s$/, '');
    if (!otherEntities.includes(entity)) add(row.cell('link_id') || row.cell('service_id'), row);
  });
  return votes;
}

const unlisted = (id: string): Term => ({
  code: id,
  name: '',
  facet: '',
  parent: '',
  parentName: '',
  taxonomy: '',
});

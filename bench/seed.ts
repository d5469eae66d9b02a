import { categories } from '../src/events/directory/category.ts';
import { integerId, svcIdOf, uuidOf } from '../src/events/ids.ts';
import { fieldsOf, type ResourceInput, type SealedInput } from '../src/commands/directory/field-changes.ts';
import { newEvent } from '../src/events/new-event.ts';
import type { ResourceEvent, ResourceFields } from '../src/events/directory/resource.ts';
import { streamName } from '../src/events/define.ts';
import { resourceStream } from '../src/events/directory/resource.ts';
import type { EventStore, Position } from '../src/stores/event-store/port.ts';

/** Appends under way at a time while seeding. */
const concurrency = 500;

/**
 * Fills a log with approved resources of `team`, two events each, as an import would. Answers the last position.
 * `fields`: of each index; without it, those that every release can read.
 */
export async function seedResources(
  store: EventStore,
  team: string,
  count: number,
  fields?: (index: number) => ResourceFields,
): Promise<Position> {
  let next = 0;
  let newest = -1n;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      const { position } = await seedResource(store, team, index, 'approved', fields);
      if (position > newest) newest = position;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return newest;
}

/** Appends one resource, approved or waiting. `fields` as in `seedResources`. */
export async function seedResource(
  store: EventStore,
  team: string,
  index: number,
  status: 'submitted' | 'approved',
  fieldsAt?: (index: number) => ResourceFields,
): Promise<{ readonly svc_id: string; readonly position: Position }> {
  const id = integerId('bench', team, String(index));
  const svc_id = svcIdOf(id);
  const stream = streamName(resourceStream, svc_id);
  const fields = (fieldsAt ?? resourceFieldsOf)(index);
  const { name, category } = fields;
  const events: ResourceEvent[] = [
    {
      type: 'ResourceSubmitted',
      data: { svc_id, id, team, source: { system: 'bench', id: String(index) }, fields },
    },
    ...(status === 'approved'
      ? [{ type: 'ResourceApproved', data: { svc_id, id, team, name, category } } as const]
      : []),
  ];
  const context = {
    actor: { kind: 'system', id: 'bench' } as const,
    commandId: uuidOf('bench', team, String(index)),
    at: new Date(Date.UTC(2026, 0, 1) + index * 1_000),
  };
  const made = events.map((event, place) => newEvent(stream, event, place, context));
  const { position } = await store.append(stream, made, 'no_stream');
  return { svc_id, position };
}

const words =
  'offers free weekly support to families and older people who need help with rent meals clothing language classes ' +
  'counselling transport child care health checks benefits forms and finding work in the neighbourhood every weekday';
const vocabulary = words.split(' ');

/** Fields of the size that real directories have: about 700 bytes of JSON. As every release takes them in a submission. */
export function submissionOf(index: number): ResourceInput & SealedInput {
  const sentence = (length: number, step: number) =>
    Array.from({ length }, (_, place) => vocabulary[(index * step + place * 7) % vocabulary.length]).join(
      ' ',
    );
  return {
    name: `Neighbourhood Centre ${index} ${sentence(2, 3)}`,
    category: categories[index % categories.length] ?? 'other',
    description: sentence(50, 5),
    url: `https://centre-${index}.example.org/`,
    city: 'Harborview',
    region: 'HV',
    phone: `555-01${String(index % 100).padStart(2, '0')}`,
    email: `desk@centre-${index}.example.org`,
    address: `${index % 900} Main Street, 10${String(index % 100).padStart(2, '0')}`,
    hours: 'Mon–Fri 09:00–17:00',
    languages: ['English', 'Spanish'],
    eligibility: 'Everybody who lives in the county.',
  };
}

/** The same as they stand in events. */
export const resourceFieldsOf = (index: number): ResourceFields => fieldsOf(submissionOf(index));

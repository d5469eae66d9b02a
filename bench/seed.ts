import { categories } from '../src/events/directory/category.ts';
import { integerId, svcIdOf, uuidOf } from '../src/events/ids.ts';
import { newEvent } from '../src/events/new-event.ts';
import type { ResourceEvent, ResourceFields } from '../src/events/directory/resource.ts';
import { streamName } from '../src/events/define.ts';
import { resourceStream } from '../src/events/directory/resource.ts';
import type { EventStore, Position } from '../src/stores/event-store/port.ts';

/** Appends under way at a time while seeding. */
const concurrency = 500;

/** Fills a log with approved resources of `team`, two events each, as an import would. Answers the last position. */
export async function seedResources(
  store: EventStore,
  team: string,
  count: number,
  progress: (done: number) => void = () => undefined,
): Promise<Position> {
  let next = 0;
  let newest = -1n;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      const { position } = await seedOne(store, team, index);
      if (position > newest) newest = position;
      if (index % 1_000 === 0) progress(index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return newest;
}

function seedOne(store: EventStore, team: string, index: number) {
  const id = integerId('bench', team, String(index));
  const svc_id = svcIdOf(id);
  const stream = streamName(resourceStream, svc_id);
  const fields = fieldsOf(index);
  const { name, category } = fields;
  const events: ResourceEvent[] = [
    {
      type: 'ResourceSubmitted',
      data: { svc_id, id, team, source: { system: 'bench', id: String(index) }, fields },
    },
    { type: 'ResourceApproved', data: { svc_id, id, team, name, category } },
  ];
  const context = {
    actor: { kind: 'system', id: 'bench' } as const,
    commandId: uuidOf('bench', team, String(index)),
    at: new Date(Date.UTC(2026, 0, 1) + index * 1_000),
  };
  return store.append(
    stream,
    events.map((event, place) => newEvent(stream, event, place, context)),
    'no_stream',
  );
}

const words =
  'offers free weekly support to families and older people who need help with rent meals clothing language classes ' +
  'counselling transport child care health checks benefits forms and finding work in the neighbourhood every weekday';
const vocabulary = words.split(' ');

/** Fields of the size that real directories have: about 700 bytes of JSON. */
export function fieldsOf(index: number): ResourceFields {
  const sentence = (length: number, step: number) =>
    Array.from({ length }, (_, place) => vocabulary[(index * step + place * 7) % vocabulary.length]).join(
      ' ',
    );
  return {
    name: `Neighbourhood Centre ${index} ${sentence(2, 3)}`,
    category: categories[index % categories.length] ?? 'other',
    description: sentence(50, 5),
    url: `https://centre-${index}.example.org/`,
    locations: [
      {
        street: `${index % 900} Main Street, 10${String(index % 100).padStart(2, '0')}`,
        city: 'Harborview',
        region: 'HV',
      },
    ],
    phones: [{ number: `555-01${String(index % 100).padStart(2, '0')}` }],
    email: `desk@centre-${index}.example.org`,
    hours: 'Mon–Fri 09:00–17:00',
    languages: ['English', 'Spanish'],
    eligibility: 'Everybody who lives in the county.',
  };
}

import { z } from 'zod';
import { subjectsOf, subjectText } from '../events/audit-subjects.ts';
import { actor, type Metadata } from '../events/metadata.ts';
import { sentenceOf } from './sentences/sentences.ts';
import type { EventNames } from './names-of-events.ts';
import type { FoundEvent } from './search.ts';

/** An event as the audit log shows it. */
export const shownEvent = z.object({
  id: z.string(),
  position: z.string().describe('Its place in the log. Positions rise; they are not counted one by one.'),
  at: z.string().describe('When it happened, as the machine that recorded it says.'),
  type: z.string(),
  sentence: z
    .string()
    .describe('What happened, in a sentence, with the names that you may see, as they are now.'),
  stream: z.string(),
  revision: z.number(),
  actor: actor.describe('Who did it, and for whom.'),
  team: z.string().nullable().describe('The team that the event belongs to.'),
  subjects: z.array(z.string()).describe('Whom and what it is about: `kind:id`.'),
  people: z
    .record(z.string(), z.object({ name: z.string().optional(), erased: z.literal(true).optional() }))
    .describe('The people in it whom you may see, by id. `erased`: nobody can read who it was any more.'),
  correlation_id: z.string(),
  causation_id: z.string(),
  data: z.unknown().describe('As it is stored. Personal data in it is sealed.'),
  metadata: z.unknown().describe('As it is stored.'),
});
export type ShownEvent = z.output<typeof shownEvent>;

/** An event with its sentence, for a reader who may see these names. */
export function shown({ recorded, event, team }: FoundEvent, names: EventNames): ShownEvent {
  const { id, position, stream, revision, type, data } = recorded;
  const metadata = recorded.metadata as unknown as Metadata;
  const subjects = event ? subjectsOf(event) : [];
  const { actor: by } = metadata;
  const persons = [
    ...subjects.filter(({ kind }) => kind === 'person').map((each) => each.id),
    ...(by.kind === 'user' ? [by.id] : []),
    ...[by.on_behalf_of, by.claims_to_be].filter((person) => person !== undefined),
  ];
  return {
    id,
    position: String(position),
    at: metadata.at,
    type,
    sentence: event ? sentenceOf({ ...event, team }, names) : `A newer release recorded ${type}.`,
    stream,
    revision,
    actor: by,
    team: team ?? null,
    subjects: subjects.map(subjectText),
    people: Object.fromEntries(
      persons.flatMap((person) => {
        const named = names.people.get(person);
        return named ? [[person, named] as const] : [];
      }),
    ),
    correlation_id: metadata.correlation_id,
    causation_id: metadata.causation_id,
    data,
    metadata,
  };
}

import { readableEvent, readEvents } from '../audit/read-events.ts';
import { addressesOf } from '../commands/accounts/erasure.ts';
import type { EventType } from '../events/catalogue.ts';
import { subjectsOf, teamOf } from '../events/audit-subjects.ts';
import { auditEvents } from '../projections/audit.ts';
import { actorsOf, actorTerm, subjectTerm, typeTerm } from '../projections/audit-terms.ts';
import type { ProjectedEvent } from '../projections/engine/read-model.ts';
import { NotYetVisible, visible } from '../projections/engine/read-your-writes.ts';
import type { Documents } from '../stores/documents/port.ts';
import { pagesOf, type EventStore } from '../stores/event-store/port.ts';

/** An event that a person caused, or that is about them. */
export interface ConcerningEvent {
  readonly event: ProjectedEvent;
  readonly team: string | undefined;
  /** It is about the person, or about an address that they had. Otherwise they only did it. */
  readonly isAbout: boolean;
}

interface Parts {
  readonly store: EventStore;
  readonly documents: Documents;
}

const atATime = 200;
/** The index of the audit log follows at leisure. What it lacks then is read from the log itself. */
const indexWithinMs = 2_000;

/** Waits a little for the index, so that less has to be read from the log. */
export async function awaitIndex({ store, documents }: Parts): Promise<void> {
  try {
    await visible(documents, [auditEvents.collection.name], await store.head(), indexWithinMs);
  } catch (error) {
    if (!(error instanceof NotYetVisible)) throw error;
  }
}

/** All events that concern a person, in whatever stream they are, oldest first. `types`: of these types only. */
export async function* eventsConcerning(
  { store, documents }: Parts,
  user: string,
  types?: readonly EventType[],
): AsyncGenerator<ConcerningEvent> {
  const addresses = await addressesOf(store, user);
  const head = await store.head();
  const { collection } = auditEvents;
  const indexed = (await documents.progress()).get(collection.name)?.checkpoint ?? -1n;
  const mine = subjectTerm({ kind: 'person', id: user });
  const theirAddresses = addresses.map((id) => subjectTerm({ kind: 'address', id }));
  const every = [
    [mine, actorTerm(`user:${user}`), ...theirAddresses],
    ...(types === undefined ? [] : [types.map(typeTerm)]),
  ];
  const concerns = (event: ProjectedEvent, team: string | undefined): ConcerningEvent[] => {
    if (types !== undefined && !types.includes(event.type)) return [];
    const isAbout = subjectsOf(event).some(
      ({ kind, id }) => (kind === 'person' && id === user) || (kind === 'address' && addresses.includes(id)),
    );
    const isDone = actorsOf(event.metadata.actor).includes(`user:${user}`);
    return isAbout || isDone ? [{ event, team, isAbout }] : [];
  };
  const index = documents.collection(collection);
  for (let after = -1; ;) {
    const query = { matching: { every }, orderBy: ['position'], after: [after], limit: atATime } as const;
    const entries = await index.select({ ...query, upTo: [Number(indexed)] }, [
      'position',
      'stream',
      'revision',
      'team',
    ]);
    for (const { event, team } of await readEvents(store, entries)) if (event) yield* concerns(event, team);
    after = entries.at(-1)?.position ?? after;
    if (entries.length < atATime) break;
  }
  for await (const { events } of pagesOf(store, { after: indexed, upTo: head, limit: atATime })) {
    for (const recorded of events) {
      const event = readableEvent(recorded);
      if (event) yield* concerns(event, teamOf(event));
    }
  }
}

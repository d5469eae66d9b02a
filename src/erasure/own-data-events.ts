import { kindOfStream } from '../events/audit-subjects.ts';
import { definitionOf } from '../events/catalogue.ts';
import type { Actor } from '../events/metadata.ts';
import { personOf, type PersonalData } from '../personal/personal-data.ts';
import type { ProjectedEvent } from '../projections/engine/read-model.ts';
import { eventsConcerning } from './own-data-concerning.ts';
import type { OwnDataParts } from './parts.ts';

/** The fields that are sealed for the person whom an event is about. What is sealed for others stays so. */
const sealedForPerson: Partial<Record<ProjectedEvent['type'], readonly string[]>> = {
  UserRegistered: ['email_sealed', 'profile'],
  UserProfileChanged: ['profile'],
  UserEmailChanged: ['email_sealed'],
  PasskeyAdded: ['label'],
  UserMailsChosen: ['language_sealed'],
  MemberJoined: ['person'],
  PaymentRecorded: ['memo'],
  ApiKeyCreated: ['label_sealed'],
};

/** What is sealed for others, and what says nothing to anybody: hashes, keys and names of secrets. */
const leftOut = /^(?:email|claim|public_key|secret_sha256|password_id|filter)$|_sealed$/;

/**
 * Everything that has happened to a person, and that they did, in whatever stream. What an event about them says is in
 * `data`, with what is sealed for them in clear; of other events their kind and time alone, because they may name others.
 */
export async function* eventsOf(parts: OwnDataParts, user: string): AsyncGenerator {
  for await (const { event, team, isAbout } of eventsConcerning(parts, user)) {
    const { id, type, stream, metadata } = event;
    yield {
      id,
      at: metadata.at,
      type,
      what: definitionOf(type)?.means,
      by: nameOf(metadata.actor, user),
      ...(team === undefined ? {} : { team }),
      ...(isAbout || type === 'ApiKeyCreated'
        ? { data: await openedFor(parts.personal, user, event) }
        : namesOnlyThings(stream)
          ? { stream }
          : {}),
    };
  }
}

/** Names of other streams have the id of somebody. */
const namesOnlyThings = (stream: string): boolean =>
  !['user', 'email', 'session', 'consent'].includes(kindOfStream(stream) ?? 'user');

const nameOf = ({ kind, id, on_behalf_of }: Actor, user: string): string => {
  if (kind === 'user' && id === user) return 'yourself';
  return on_behalf_of === user ? `${kind} ${id}, for you` : `${kind} ${id}`;
};

async function openedFor(
  personal: PersonalData,
  user: string,
  { type, data }: ProjectedEvent,
): Promise<Readonly<Record<string, unknown>>> {
  const sealed = sealedForPerson[type] ?? [];
  const fields = await Promise.all(
    Object.entries(data).map(async ([name, value]: [string, unknown]) => {
      if (sealed.includes(name) && typeof value === 'string')
        return [[name.replace(/_sealed$/, ''), await personal.open(personOf(user), value)]] as const;
      // Why a legal hold was placed is for those who placed it.
      return leftOut.test(name) || (type === 'LegalHoldPlaced' && name === 'reason')
        ? []
        : ([[name, value]] as const);
    }),
  );
  return Object.fromEntries(fields.flat());
}

import { z } from 'zod';
import { appointAdministrator, dismissAdministrator } from '../../commands/accounts/administrator.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { findByEmail, type PersonOutcome, type PersonParts } from '../../commands/accounts/person.ts';
import { userStream } from '../../events/accounts/user.ts';
import { streamName } from '../../events/define.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { people, type PersonDocument } from '../../projections/accounts-people.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Leases } from '../../stores/leases/port.ts';
import { action, type ActionParts } from '../action.ts';
import { peopleNamed } from './people-named.ts';
import { accountMails, type MailParts } from './account-mails.ts';

interface AdministratorParts extends PersonParts {
  readonly documents: Documents;
  readonly leases: Leases;
}

/** How long a removal waits for a concurrent one, in milliseconds. */
const turnWithinMs = 10_000;

/** Makes somebody an administrator who has an account. Its value: whether they were none before. */
export const addAdministrator = action({
  name: 'administrators.add',
  right: 'administrator',
  input: z.object({ email: z.string() }),
  wrongField: { invalid: 'email' },
  async run(parts: ActionParts & MailParts, { email }, { context }) {
    const person = await findByEmail(parts, email);
    if (!person) throw new CommandRefused('invalid', sentences.nobody);
    // An unconfirmed address may belong to somebody else.
    if (!person.verified) throw new CommandRefused('invalid', sentences.notConfirmed);
    const outcome = await appointAdministrator(parts, person.user, context);
    return { changes: outcome, value: () => told(parts, 'added', person.user, outcome) };
  },
});

/** Makes an administrator an ordinary person. */
export const endAdministrator = action({
  name: 'administrators.remove',
  right: 'administrator',
  input: z.object({ user: z.string() }),
  async run(parts: ActionParts & MailParts, { user }, { context }) {
    const outcome = await removeAdministrator(parts, user, context);
    return { changes: outcome, value: () => told(parts, 'removed', user, outcome) };
  },
});

const sentences = {
  nobody: 'Nobody has an account with this address. They open one first, and confirm the address.',
  notConfirmed: 'Nobody has confirmed that this address is theirs. Its owner confirms it first.',
} as const;

/** Tells everybody, if anything was done. */
export async function told(
  parts: ActionParts & MailParts,
  change: 'added' | 'removed',
  user: string,
  { events }: PersonOutcome,
): Promise<boolean> {
  if (events.length === 0) return false;
  await tellAdministrators(parts, change, user);
  return true;
}

/** Who administers the installation, as the read model shows it, in the order in which they registered. */
export async function administratorsOf(documents: Documents): Promise<PersonDocument[]> {
  const found = await paginateAll(documents.collection(people.collection), {
    where: { role: 'administrator' },
    orderBy: ['registered_at', 'user'],
  });
  return found.filter(({ status }) => status === 'active');
}

/** Since when somebody is an administrator (ISO 8601). */
export async function administratorSince(
  store: EventStore,
  { user, registered_at }: Pick<PersonDocument, 'user' | 'registered_at'>,
): Promise<string> {
  const events = await store.readStream(streamName(userStream, user), { direction: 'backwards' });
  const made = events.find(({ type }) => type === 'UserRoleChanged');
  return made === undefined ? registered_at : String(made.metadata['at']);
}

/**
 * Makes an administrator an ordinary person. One removal at a time over all processes: two concurrent ones could remove
 * the last administrators.
 * @throws CommandRefused not_found (no administrator), conflict (the last one, or another removal takes long)
 */
export async function removeAdministrator(
  parts: AdministratorParts,
  user: string,
  context: CommandContext,
): Promise<PersonOutcome> {
  const lease = await parts.leases.acquire('administrators', AbortSignal.timeout(turnWithinMs));
  if (!lease) throw new CommandRefused('conflict', 'Another administrator is being removed. Try again.');
  try {
    const all = (await administratorsOf(parts.documents)).map((person) => person.user);
    return await dismissAdministrator(parts, user, all, context);
  } finally {
    await lease.release();
  }
}

/**
 * Tells everybody who administers the installation that somebody was added or removed, and the person too. Whoever did it
 * hears of it as well: somebody else may have done it in their name.
 */
export async function tellAdministrators(
  dependencies: MailParts & { readonly documents: Documents },
  change: 'added' | 'removed',
  about: string,
): Promise<void> {
  const { documents } = dependencies;
  const users = new Set([...(await administratorsOf(documents)).map(({ user }) => user), about]);
  const known = await documents.collection(people.collection).getMany([...users]);
  const reachable = [...known.values()].filter(({ email_verified }) => email_verified);
  const named = await peopleNamed(
    dependencies,
    reachable.map(({ user }) => user),
  );
  const mails = accountMails(dependencies);
  for (const { email } of named.values())
    if (email !== null) await mails.changedAdministrators(email, change, about);
}

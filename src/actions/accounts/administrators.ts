import { z } from 'zod';
import {
  appointAdministrator,
  dismissAdministrator,
  inviteAdministrator,
} from '../../commands/accounts/administrator.ts';
import { linkLives, writeLink } from '../../commands/accounts/one-time-links.ts';
import {
  findByEmail,
  findPerson,
  requirePerson,
  type PersonOutcome,
} from '../../commands/accounts/person.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { userStream } from '../../events/accounts/user.ts';
import { streamName } from '../../events/define.ts';
import { displayName } from '../../events/display-name.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { people, type PersonDocument } from '../../projections/accounts-people.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { action, type ActionParts } from '../action.ts';
import { linkedPages } from '../linked-pages.ts';
import { accountMails, type MailParts } from './account-mails.ts';

type Parts = ActionParts & MailParts;

/** How long a removal waits for a concurrent one, in milliseconds. */
const turnWithinMs = 10_000;

/**
 * Makes somebody an administrator. The operator can name a person without an account, who gets one of that `name`. Its
 * value: who it is, whether they were none before, and for the operator a link to choose a password, where they have
 * none.
 */
export const addAdministrator = action({
  name: 'administrators.add',
  right: 'administrator',
  input: z.object({ email: z.string(), name: displayName(200).default('Administrator') }),
  wrongField: { invalid: 'email' },
  async run(parts: Parts, { email, name }, { who, context }) {
    const isOperator = who.kind === 'operator';
    const person = await findByEmail(parts, email);
    if (!person && !isOperator) throw new CommandRefused('invalid', sentences.nobody);
    // An unconfirmed address may belong to somebody else.
    if (person && !person.verified)
      throw isOperator
        ? new CommandRefused('conflict', sentences.askOwner)
        : new CommandRefused('invalid', sentences.notConfirmed);
    const { userId: user, outcome } = person
      ? { userId: person.user, outcome: await appointAdministrator(parts, person.user, context) }
      : await inviteAdministrator(parts, { email, profile: { name } }, context);
    const link = isOperator ? await passwordLink(parts, user, context) : undefined;
    const value = async () => ({ user, link, isNew: await tellAll(parts, 'added', user, outcome) });
    return { changes: outcome, value };
  },
});

/**
 * A link to choose a password, as long as that for the first administrator, for an account without password and passkey.
 * Each call creates a new link; the first one used wins.
 */
async function passwordLink(
  parts: Parts,
  userId: string,
  { at }: CommandContext,
): Promise<string | undefined> {
  const { passwordVersion, passkeys } = await requirePerson(parts, userId);
  if (passwordVersion > 0 || passkeys.length > 0) return undefined;
  const seconds = linkLives['set-up'];
  const link = await writeLink(parts, { purpose: 'reset-password', userId, at, seconds });
  return link === undefined ? undefined : `${parts.issuer()}${linkedPages.newPassword}?link=${link}`;
}

/** Makes an administrator an ordinary person. */
export const endAdministrator = action({
  name: 'administrators.remove',
  right: 'administrator',
  input: z.object({ user: z.string() }),
  async run(parts: Parts, { user }, { context }) {
    const outcome = await removeAdministrator(parts, user, context);
    return { changes: outcome, value: () => tellAll(parts, 'removed', user, outcome) };
  },
});

const sentences = {
  nobody: 'Nobody has an account with this address. They open one first, and confirm the address.',
  notConfirmed: 'Nobody has confirmed that this address is theirs. Its owner confirms it first.',
  askOwner:
    'There is an account with this address, and nobody has confirmed that it is theirs. Ask its owner to confirm it, then add them.',
} as const;

/**
 * Tells everybody who administers the installation that somebody was added or removed, and the person too, if anything
 * was done. Whoever did it hears of it as well: somebody else may have done it in their name.
 */
async function tellAll(
  parts: Parts,
  change: 'added' | 'removed',
  about: string,
  { events }: PersonOutcome,
): Promise<boolean> {
  if (events.length === 0) return false;
  const all = await administratorsOf(parts.documents);
  const others = all.filter((each) => each.user !== about && each.email_verified && !each.email_lapsed);
  // Read models need not show the person yet.
  const person = await findPerson(parts, about);
  const mails = accountMails(parts);
  for (const owner of person?.verified && !person.lapsed ? [...others, person] : others)
    await mails.changedAdministrators(owner, change, about);
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
async function removeAdministrator(
  parts: Parts,
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

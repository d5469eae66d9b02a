import type { CommandContext } from '../../events/metadata.ts';
import { streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import {
  profileFields,
  userStream,
  type ProfileFields,
  type UserEvent,
  type UserRole,
} from '../../events/accounts/user.ts';
import { writtenAddress } from '../../events/accounts/email-address.ts';
import { personOf, type PersonalData } from '../../personal/personal-data.ts';
import { WrongExpectedRevision } from '../../stores/errors.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { newEvent } from '../../events/new-event.ts';
import { claimEmail, loadEmail, releaseEmail, type EmailState } from './email.ts';
import { requireLabel } from '../display-name.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, load, type Outcome } from '../command-handler.ts';
import { forgetPasswords, keepPassword } from './password-hashes.ts';
import { requireActive, user, type UserCommand } from './user.ts';
import type { AccountVersion, Passkey, Person, UserState } from './user-state.ts';

/** What accounts are made with. */
export interface PersonParts {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly personal: PersonalData;
}

export type PersonOutcome = Outcome<UserState, UserEvent>;

/** How long somebody has to verify an address before somebody else may claim it, in seconds. */
export const claimLifeSeconds = 3 * 86_400;

export interface NewPerson {
  readonly email: string;
  readonly profile: ProfileFields;
  /** Absent: the person sets it by a link, or uses a passkey. */
  readonly password?: string;
  /** Default: person. */
  readonly role?: UserRole;
  /** Default: follows from the command, so that a repeat finds its own account. */
  readonly userId?: string;
  readonly passkey?: NewPasskey;
  /**
   * The link of this invitation to the address was opened. An account that was only registered with the address, and never
   * used, loses it. `proves`: the address is verified.
   */
  readonly invitation?: { readonly id: string; readonly proves: boolean };
}

/**
 * Registers a person: claims the address, then opens the account. The address is not yet verified, unless an invitation
 * proves it.
 * @throws CommandRefused conflict (somebody has the address; tell its owner by mail, and nobody else), invalid
 */
export async function registerPerson(
  parts: PersonParts,
  { email, profile, password, role = 'person', userId, passkey, invitation }: NewPerson,
  context: CommandContext,
): Promise<{ userId: string; outcome: PersonOutcome }> {
  const id = userId ?? uuidOf(context.commandId, 'user');
  const fields = checkedProfile(profile);
  const index = await requireIndex(parts, email);
  const { state: existing } = await load(parts.store, user, id);
  if (existing && existing.status !== 'lapsed') {
    // A repeat returns the first result, even if the account or the address has changed since.
    const { email_sealed, profile } = existing;
    const data = { user: id, role, email: index, claim: context.commandId, email_sealed, profile };
    const outcome = await execute(parts.store, user, id, { kind: 'register', data }, context);
    return { userId: id, outcome };
  }
  const kept =
    password === undefined
      ? undefined
      : await keepPassword(parts.vault, id, { password, about: [email, fields.name] }, context);
  try {
    await claim(parts.store, index, id, context, invitation !== undefined);
    await parts.personal.begin(personOf(id));
    const data = {
      user: id,
      role,
      email: index,
      claim: context.commandId,
      email_sealed: await parts.personal.seal(personOf(id), writtenAddress(email)),
      profile: await parts.personal.seal(personOf(id), fields),
      ...(invitation === undefined ? {} : { invitation: invitation.id }),
    };
    const command = {
      kind: 'register',
      data,
      passwordId: kept,
      passkey: passkey && (await sealedPasskey(parts.personal, id, passkey)),
      verified: invitation?.proves,
    } as const;
    const outcome = await execute(parts.store, user, id, command, context);
    return { userId: id, outcome };
  } catch (error) {
    // A refused command has appended nothing. After any other failure the event may have been appended.
    if (error instanceof CommandRefused) await abandon(parts, id, index, kept, context);
    throw error;
  }
}

/** Runs a command of an account that needs no sealing or hashing. @throws CommandRefused */
export function commandPerson(
  { store }: Pick<PersonParts, 'store'>,
  userId: string,
  command: Extract<UserCommand, { kind: 'verify-email' | 'end-sessions' | 'change-role' | 'remove-passkey' }>,
  context: CommandContext,
): Promise<PersonOutcome> {
  return execute(store, user, userId, command, context);
}

/** Replaces the profile as a whole. @throws CommandRefused invalid, not_found */
export async function changeProfile(
  { store, personal }: PersonParts,
  userId: string,
  profile: ProfileFields,
  context: CommandContext,
): Promise<PersonOutcome> {
  const fields = checkedProfile(profile);
  await requirePerson({ store }, userId);
  const sealed = await personal.seal(personOf(userId), fields);
  return execute(store, user, userId, { kind: 'change-profile', profile: sealed }, context);
}

/**
 * Changes the address: claims the new one, then releases the old one. The new one is not yet verified. `expected`:
 * refuses the change when the account has changed since.
 * @throws CommandRefused conflict (somebody has the address, the account has changed), invalid, not_found
 */
export async function changeEmail(
  parts: PersonParts,
  userId: string,
  { email, expected }: { readonly email: string; readonly expected?: AccountVersion },
  context: CommandContext,
): Promise<PersonOutcome> {
  const { store, personal } = parts;
  const index = await requireIndex(parts, email);
  const before = await requirePerson({ store }, userId);
  const another = index !== before.email || before.lapsed;
  if (another) await claim(store, index, userId, context);
  const data = {
    email: index,
    claim: context.commandId,
    email_sealed: await personal.seal(personOf(userId), writtenAddress(email)),
  };
  const outcome = await execute(store, user, userId, { kind: 'change-email', data, expected }, context);
  if (another && before.email !== index) await releaseEmail(store, before.email, userId, context);
  return outcome;
}

export interface NewPasskey {
  /** Credential id and COSE public key, base64url. */
  readonly credential: string;
  readonly publicKey: string;
  readonly transports: readonly string[];
  readonly label?: string;
}

/** @throws CommandRefused conflict, invalid, not_found */
export async function addPasskey(
  { store, personal }: PersonParts,
  userId: string,
  added: NewPasskey,
  context: CommandContext,
): Promise<PersonOutcome> {
  if (added.label !== undefined) requireLabel(added.label);
  await requirePerson({ store }, userId);
  const passkey = await sealedPasskey(personal, userId, added);
  return execute(store, user, userId, { kind: 'add-passkey', passkey }, context);
}

const sealedPasskey = async (
  personal: PersonalData,
  userId: string,
  { credential, publicKey, transports, label }: NewPasskey,
): Promise<Passkey> => ({
  credential,
  public_key: publicKey,
  transports: [...transports],
  ...(label === undefined ? {} : { label: await personal.seal(personOf(userId), label) }),
});

/** The person who has an address, from the streams. Undefined when nobody has it, or it is no address. */
export async function findByEmail(
  { store, personal }: Pick<PersonParts, 'store' | 'personal'>,
  email: string,
): Promise<Person | undefined> {
  const index = await personal.emailIndex(email);
  const claimed = index === undefined ? undefined : await loadEmail(store, index);
  const { state } = await load(store, user, claimed?.user ?? nobody);
  return state?.status === 'active' && state.email === index && !state.lapsed ? state : undefined;
}

/** Whether the account can be used: its address is confirmed, or it began with an invitation to it. */
export const maySignIn = ({ verified, invited }: Person): boolean => verified || invited;

/** @throws CommandRefused not_found, for unknown and erased persons */
export async function requirePerson({ store }: Pick<PersonParts, 'store'>, userId: string): Promise<Person> {
  const { state } = await load(store, user, userId);
  return requireActive(state);
}

/** The same. Undefined for unknown and erased persons. */
export async function findPerson(
  { store }: Pick<PersonParts, 'store'>,
  userId: string,
): Promise<Person | undefined> {
  const { state } = await load(store, user, userId);
  return state?.status === 'active' ? state : undefined;
}

/** Read when nobody has the address, so that the answer takes as long. */
const nobody = '00000000-0000-4000-8000-000000000000';

function checkedProfile(profile: ProfileFields): ProfileFields {
  const { success, data, error } = profileFields.safeParse(profile);
  if (success) return data;
  const [issue] = error.issues;
  throw new CommandRefused(
    'invalid',
    `${issue?.path.join('.') || 'profile'}: ${issue?.message ?? 'is not valid'}.`,
  );
}

async function requireIndex({ personal }: PersonParts, email: string): Promise<string> {
  const index = await personal.emailIndex(email);
  if (index === undefined) throw new CommandRefused('invalid', 'This is not an email address.');
  return index;
}

/** `atOnce`: the claim of an account that was registered and never used lapses before its time. */
async function claim(
  store: EventStore,
  index: string,
  id: string,
  context: CommandContext,
  atOnce = false,
): Promise<void> {
  const now = Math.floor(context.at.getTime() / 1_000);
  const claimed = { index, user: id, claim: context.commandId, lapses: now + claimLifeSeconds };
  const lapse = async (earlier: NonNullable<EmailState>) => {
    if (earlier.user === id) return true;
    return (earlier.lapses <= now || atOnce) && isOver(store, index, earlier, now, context);
  };
  await claimEmail(store, claimed, lapse, context);
}

/**
 * Whether somebody may claim an address that has a claim: the claim was not used, which is now recorded in the claimant's
 * stream. When that stream has changed since it was read, the claimant may have verified the address, so the claim stays;
 * so does a new one whose account is about to begin.
 */
async function isOver(
  store: EventStore,
  index: string,
  earlier: NonNullable<EmailState>,
  now: number,
  context: CommandContext,
): Promise<boolean> {
  const { state, revision } = await load(store, user, earlier.user);
  if (!state && earlier.lapses > now) return false;
  const stream = streamName(userStream, earlier.user);
  try {
    const events = user.decide({ kind: 'lapse-claim', email: index, claim: earlier.claim }, state);
    const appended = events.map((event, at) => newEvent(stream, event, at, context));
    if (appended.length > 0) await store.append(stream, appended, revision === -1 ? 'no_stream' : revision);
    return true;
  } catch (error) {
    if (error instanceof CommandRefused || error instanceof WrongExpectedRevision) return false;
    throw error;
  }
}

/** Removes what was stored for an account whose registration failed. */
async function abandon(
  { store, vault, personal }: PersonParts,
  id: string,
  index: string,
  kept: string | undefined,
  context: CommandContext,
): Promise<void> {
  const { state } = await load(store, user, id);
  if (state?.status === 'active') return;
  await releaseEmail(store, index, id, { ...context, commandId: uuidOf(context.commandId, 'release') });
  // The same command may be tried again, and then registers the person.
  await personal.discard(personOf(id));
  if (kept !== undefined) await forgetPasswords({ store, vault }, id, kept);
}

import { z } from 'zod';
import { findByEmail, maySignIn, registerPerson, requirePerson } from '../../commands/accounts/person.ts';
import { commandPerson } from '../../commands/accounts/person.ts';
import { isPasswordOf } from '../../commands/accounts/person-password.ts';
import { requireActive } from '../../commands/accounts/user.ts';
import type { Person } from '../../commands/accounts/user-state.ts';
import { invitationOf } from '../../commands/teams/invitation-keys.ts';
import { readInvitationLink } from '../../commands/teams/invitation-link.ts';
import { acceptInvitation } from '../../commands/teams/member.ts';
import { closedSentences, invitationState, provesAddress } from '../../commands/teams/membership.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import type { OpenInvitation, Team } from '../../commands/teams/team-state.ts';
import { displayName } from '../../events/display-name.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { defined } from '../../ground/defined.ts';
import type { Change } from '../../projections/until-shown.ts';
import type { Limits } from '../../stores/limits/port.ts';
import { accountMails, type MailParts } from '../accounts/account-mails.ts';
import { asPerson } from '../accounts/addresses.ts';
import { accountOfPasskey, requirePasskey, sentPasskey, type PasskeyParts } from '../accounts/passkeys.ts';
import { refuseFor } from '../accounts/throttle.ts';
import { inUniformTime, type UniformTiming } from '../accounts/uniform-timing.ts';
import { action, personOf, visitorOf, type ActionParts, type Performing } from '../action.ts';
import { removeEndedInvitationMails } from './invitation-mails.ts';

type AcceptParts = ActionParts & Pick<MailParts, 'outbox'>;
type JoinParts = PasskeyParts & UniformTiming & { readonly limits: Limits };

/** Joins a team by an invitation whose link was opened, with the account that is signed in. */
export const accept = action({
  name: 'members.accept-invitation',
  input: z.object({ team: z.string(), invitation: z.string() }),
  async run(parts: AcceptParts, { team, invitation }, { who, context, another }) {
    const found = (await requireTeam(parts.store, team)).invitations.get(invitation);
    const opened = { team, id: invitation, proves: found !== undefined && provesAddress(found, context.at) };
    return { changes: await joinAs(parts, opened, personOf(who), another), value: () => undefined };
  },
});

/** Who joined, and how they have authenticated (RFC 8176). `confirmed`: their address is. */
export interface Joined {
  readonly user: string;
  readonly amr: readonly string[];
  readonly confirmed: boolean;
}

/**
 * Opens an account with the link of an invitation, and joins. A link that was mailed a short while ago, and that nobody else
 * has seen, proves the address; any other begins an account whose address is not confirmed. Of an address with an account
 * that is in use, its password joins; its value is undefined when that is another one, and its owner gets an email.
 */
export const join = action({
  name: 'members.join',
  right: 'visitor',
  input: z.object({
    team: z.string(),
    link: z.string(),
    name: displayName(200),
    password: z.string().optional(),
    passkey: z.object(sentPasskey).optional(),
  }),
  async run(parts: JoinParts, input, by) {
    const tooMany = 'Too many requests came from your network.';
    refuseFor(await parts.throttle.askForMail(visitorOf(by.who).networks), tooMany);
    return inUniformTime(parts, async () => {
      const opened = await requireOpen(parts, input);
      const existing = await inUse(parts, opened.email);
      if (existing) return withAccount(parts, opened, { existing, ...defined(input) }, by);
      try {
        return await withNewAccount(parts, opened, input, by);
      } catch (error) {
        if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
        // Somebody has pressed at the same moment, perhaps the same person twice.
        const other = await inUse(parts, opened.email);
        if (!other) throw error;
        return withAccount(parts, opened, { existing: other, ...defined(input) }, by);
      }
    });
  },
});

/** An invitation that can be used. */
interface Opened {
  readonly team: string;
  readonly id: string;
  /** The address, opened. */
  readonly email: string;
  readonly proves: boolean;
}

/** @throws CommandRefused not_found, conflict (used, withdrawn or expired) */
async function requireOpen(
  { store, vault, personal, now }: JoinParts,
  { team, link }: { readonly team: string; readonly link: string },
): Promise<Opened> {
  const id = await readInvitationLink(vault, { team, link });
  if (id === undefined) throw new CommandRefused('not_found', closedSentences.unknown);
  const invitation = openInvitation(await requireTeam(store, team), id, now());
  const email = await personal.open<string>(invitationOf(id), invitation.email_sealed);
  if (email === undefined) throw new CommandRefused('conflict', closedSentences.used);
  return { team, id, email, proves: provesAddress(invitation, now()) };
}

/** @throws CommandRefused not_found, conflict */
function openInvitation(state: Team, id: string, at: Date): OpenInvitation {
  const current = invitationState(state, id, at);
  if (current.is === 'open') return current.invitation;
  throw new CommandRefused(current.is === 'unknown' ? 'not_found' : 'conflict', closedSentences[current.is]);
}

/** The account of an address, if somebody can sign in to it. */
async function inUse(parts: JoinParts, email: string): Promise<Person | undefined> {
  const found = await findByEmail(parts, email);
  return found && maySignIn(found) ? found : undefined;
}

interface Chosen {
  readonly name: string;
  readonly password?: string | undefined;
  readonly passkey?:
    { readonly challenge: string; readonly answer: string; readonly browser: string } | undefined;
}

async function withNewAccount(
  parts: JoinParts,
  opened: Opened,
  { name, password, passkey }: Chosen,
  { context, another, untilShown }: Performing,
) {
  const { id, email, proves } = opened;
  const made = passkey && (await requirePasskey(parts, passkey));
  if (!made && password === undefined) throw new CommandRefused('invalid', 'Choose a password.');
  const { userId: user, outcome } = await registerPerson(
    parts,
    {
      email,
      profile: { name },
      invitation: { id, proves },
      ...(made ? { passkey: made.passkey, userId: accountOfPasskey(made.challenge) } : defined({ password })),
    },
    // Nobody is signed in while registering, so the actor is the service.
    { ...context, actor: { kind: 'system', id: 'register' } },
  );
  await untilShown(outcome);
  if (!proves) await accountMails(parts).verify(requireActive(outcome.state));
  const changes = await joinAs(parts, opened, user, another);
  const value = (): Joined => ({ user, amr: made?.amr ?? ['pwd'], confirmed: proves });
  return { changes, value };
}

/** The address has an account. Whoever knows its password joins with it. Guesses are counted as those of signing in. */
async function withAccount(
  parts: JoinParts,
  opened: Opened,
  { existing, password }: { readonly existing: Person; readonly password?: string },
  { who, another }: Performing,
) {
  const { networks, browserAt } = visitorOf(who);
  const { user, email: account } = existing;
  const guess = { account, networks, browser: browserAt(existing), user };
  const isOwner =
    password !== undefined &&
    (await parts.throttle.guess(guess)) === 0 &&
    (await isPasswordOf(parts, existing, password));
  if (!isOwner) {
    await accountMails(parts).alreadyRegistered(existing);
    return { changes: [], value: (): Joined | undefined => undefined };
  }
  await parts.throttle.succeeded(guess);
  const { seconds } = await parts.limits.take(['person-sign-ins', user]);
  refuseFor(seconds, 'This account was signed in to very often in the last hour.');
  const changes = await joinAs(parts, opened, user, another);
  return { changes, value: () => ({ user, amr: ['pwd'], confirmed: existing.verified || opened.proves }) };
}

/**
 * Makes the owner of the address a member, and confirms the address where the link proves it. Who has joined already, as by
 * a second press, stays so.
 */
async function joinAs(
  parts: AcceptParts,
  { team, id: invitation, proves }: Omit<Opened, 'email'>,
  user: string,
  another: Performing['another'],
): Promise<Change[]> {
  const invited = (await requireTeam(parts.store, team)).invitations.get(invitation)?.email;
  const joined = await acceptInvitation(parts, { team, invitation, user }, asPerson(another(), user));
  await removeEndedInvitationMails(parts.outbox, joined);
  const { verified, email } = await requirePerson(parts, user);
  if (!proves || verified || email !== invited) return [joined];
  const confirm = { kind: 'verify-email', email } as const;
  return [joined, await commandPerson(parts, user, confirm, asPerson(another(), user))];
}

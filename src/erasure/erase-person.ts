import { revokeConsent } from '../commands/oauth/consent.ts';
import {
  addressesOf,
  decideErasureOf,
  destroyAccount,
  requestErasure,
  type ErasureOutcome,
} from '../commands/accounts/erasure.ts';
import type { ErasureRule } from '../commands/accounts/erasure-decision.ts';
import { endMembership } from '../commands/teams/member.ts';
import { streamName } from '../events/define.ts';
import { uuidOf } from '../events/ids.ts';
import type { CommandContext, Metadata } from '../events/metadata.ts';
import { userStream } from '../events/accounts/user.ts';
import { Outbox } from '../mail/outbox.ts';
import { personOf } from '../personal/personal-data.ts';
import { sessions } from '../projections/accounts-sessions.ts';
import { paginate, paginateAll } from '../projections/engine/paginate.ts';
import { visible } from '../projections/engine/read-your-writes.ts';
import { consents } from '../projections/oauth-consents.ts';
import { members } from '../projections/teams-members.ts';
import { mailTime } from '../tables/shown-time.ts';
import { erasedMail, erasureRequestedMail, mailLifeSeconds } from './mails.ts';
import { addressOfAccounts, type ErasureParts } from './parts.ts';

/** How long an erasure waits for the read models that say what belongs to the person, in milliseconds. */
const levelWithinMs = 60_000;

/** Where a person asks for the erasure of their account, and withdraws it. */
export const erasurePath = '/dash/me/erase';

/**
 * Records that an account is to be erased after the time of grace, and writes to its person how to withdraw that.
 * `accounts`: where people manage them.
 * @throws CommandRefused not_found
 */
export async function askForErasure(
  parts: ErasureParts,
  userId: string,
  context: CommandContext,
  accounts = addressOfAccounts(parts.config),
): Promise<ErasureOutcome & { readonly dueAt: string }> {
  const grace = { graceSeconds: parts.config.erasureGraceSeconds };
  const outcome = await requestErasure(parts, userId, grace, context);
  const dueAt = (outcome.state?.status === 'active' && outcome.state.erasureDue) || context.at.toISOString();
  if (outcome.events.length > 0) {
    const withdrawAt = accounts + erasurePath;
    await write(
      parts,
      outcome,
      erasureRequestedMail({ due: mailTime(dueAt, parts.config.timeZone), withdrawAt }),
      {
        key: uuidOf('erasure-requested', userId, dueAt),
        at: context.at,
      },
    );
  }
  return { ...outcome, dueAt };
}

/**
 * Erases a person at once: the decision, then everything that follows from it, the data key last. Each step can be
 * repeated, so an erasure that was interrupted is finished by calling this again. Nothing happens when `rule` does not
 * hold.
 *
 * @throws CommandRefused not_found, conflict (a legal hold); NotYetVisible, when the read models are behind; StoreError,
 * when the erasure ledger cannot be written
 */
export async function eraseNow(
  parts: ErasureParts,
  userId: string,
  context: CommandContext,
  rule: ErasureRule = {},
): Promise<ErasureOutcome> {
  await parts.personal.readyToErase();
  const decided = await decideErasureOf(parts, userId, context, rule);
  if (decided.state?.status !== 'erased') return decided;
  await tellPerson(parts, userId, decided);
  await forgetPerson(parts, userId, context);
  await destroyAccount(parts, userId, decided, context);
  return decided;
}

/** Ends and removes what belongs to an erased person outside of the account. */
export async function forgetPerson(
  parts: ErasureParts,
  userId: string,
  context: CommandContext,
): Promise<void> {
  const { store, documents } = parts;
  const names = [members, consents, sessions].map(({ collection }) => collection.name);
  await visible(documents, names, await store.head(), levelWithinMs);
  const also = (...what: readonly string[]): CommandContext => ({
    ...context,
    commandId: uuidOf(context.commandId, ...what),
  });
  const teams = await paginateAll(documents.collection(members.collection), {
    where: { user: userId, status: 'member' },
    orderBy: ['team'],
  });
  for (const { team } of teams) await endMembership({ store }, { team, user: userId }, also('leave', team));
  const allowed = { where: { user: userId }, orderBy: ['client'] } as const;
  for await (const { client, status } of paginate(documents.collection(consents.collection), allowed)) {
    if (status === 'active') await revokeConsent(store, { user: userId, client }, also('revoke', client));
  }
  await forgetInSideStore(parts, userId);
}

/** Removes waiting emails to any address that the person ever had, and when the sessions were used. */
async function forgetInSideStore(parts: ErasureParts, userId: string): Promise<void> {
  const { store, documents, side, personal } = parts;
  const theirs = new Set(await addressesOf(store, userId));
  const outbox = new Outbox(parts);
  const last = erasedMailKey(userId);
  for (const mail of await outbox.waiting()) {
    const index = await personal.emailIndex(mail.to);
    if (index !== undefined && theirs.has(index) && !mail.id.endsWith(last)) await outbox.remove(mail);
  }
  await side.table('decision-mails').delete(userId);
  const all = { where: { user: userId }, orderBy: ['status', 'started_at', 'session'] } as const;
  for await (const { session } of paginate(documents.collection(sessions.collection), all)) {
    await side.table('session-seen').delete(session);
  }
  await side.scrub();
}

const erasedMailKey = (userId: string): string => uuidOf('erased', userId);

/** The email of the act. It is written while the address can still be read, once, however often this is repeated. */
async function tellPerson(parts: ErasureParts, userId: string, decided: ErasureOutcome): Promise<void> {
  const [newest] = await parts.store.readStream(streamName(userStream, userId), {
    direction: 'backwards',
    limit: 1,
  });
  // A data key that is gone, after an interruption: then it was written before.
  if (newest?.type !== 'UserErased') return;
  const { at } = newest.metadata as unknown as Metadata;
  await write(parts, decided, erasedMail(), { key: erasedMailKey(userId), at: new Date(at) });
}

/**
 * Puts an email to a person into the outbox, to an address that they have confirmed. Nothing is put when no mail is
 * sent: the address would wait there for somebody to read.
 */
async function write(
  parts: ErasureParts,
  { state }: Pick<ErasureOutcome, 'state'>,
  mail: { readonly subject: string; readonly text: string },
  { key, at }: { readonly key: string; readonly at: Date },
): Promise<void> {
  if (parts.config.smtpUrl === undefined) return;
  if (!state || state.status === 'lapsed' || !state.verified || state.lapsed) return;
  const to = await parts.personal.open<string>(personOf(state.user), state.email_sealed);
  if (to === undefined) return;
  const until = new Date(at.getTime() + mailLifeSeconds * 1_000);
  await new Outbox(parts).putOnce({ to, ...mail }, { key, at, until });
}

import { CommandRefused } from '../ground/refusals.ts';
import type { CommandContext } from '../events/metadata.ts';
import { personOf } from '../personal/personal-data.ts';
import { erasures, type ErasureDocument } from '../projections/accounts-erasures.ts';
import { sessions } from '../projections/accounts-sessions.ts';
import { pages, paginate } from '../projections/engine/paginate.ts';
import { visible } from '../projections/engine/read-your-writes.ts';
import { consents } from '../projections/oauth-consents.ts';
import { members } from '../projections/teams-members.ts';
import { eraseNow, forgetPerson } from './erase-person.ts';
import type { ErasureParts } from './parts.ts';
import { erasureJob } from './replay.ts';

/** How long a round waits for the read models, in milliseconds. */
const levelWithinMs = 60_000;

/**
 * How long after an erasure what belongs to the person is looked for again, in milliseconds. An email waits for a day at
 * most, and what was begun before may end after.
 */
const lookedAgainMs = 2 * 86_400_000;

const contextAt = (at: Date): CommandContext => ({
  actor: erasureJob,
  commandId: crypto.randomUUID(),
  at,
});

/** Resolves when the read models that the rounds read show the whole log. @throws NotYetVisible */
export async function untilLevel({ store, documents }: ErasureParts): Promise<void> {
  const names = [erasures, members, consents, sessions].map(({ collection }) => collection.name);
  await visible(documents, names, await store.head(), levelWithinMs);
}

/**
 * Erases the accounts whose request is due, unless a legal hold is in force. Returns how many. One that fails does not
 * keep the others: its error is thrown at the end.
 */
export async function eraseDue(parts: ErasureParts, at: Date): Promise<number> {
  const due: string[] = [];
  const requested = { where: { erasure: 'requested' }, orderBy: ['due_at', 'user'] } as const;
  for await (const { user, due_at, hold } of paginate(collectionOf(parts), requested)) {
    if (Date.parse(due_at) > at.getTime()) break;
    if (hold === 'none') due.push(user);
  }
  return eraseEach(parts, due, { onlyIf: 'due', at });
}

/**
 * Erases accounts whose address was never verified in the given time, who never signed in, and who have no role, team
 * or site. Does nothing where no mail is sent, because then nobody can verify an address. Returns how many.
 */
export async function eraseUnverified(parts: ErasureParts, at: Date): Promise<number> {
  const { smtpUrl, unverifiedAccountSeconds } = parts.config;
  if (smtpUrl === undefined) return 0;
  const until = at.getTime() - unverifiedAccountSeconds * 1_000;
  const found: string[] = [];
  const unverified = { where: { registration: 'unverified' }, orderBy: ['registered_at', 'user'] } as const;
  for await (const { user, registered_at, hold } of paginate(collectionOf(parts), unverified)) {
    if (Date.parse(registered_at) > until) break;
    if (hold === 'none' && (await isUnused(parts, user))) found.push(user);
  }
  return eraseEach(parts, found, { onlyIf: 'unverified' });
}

/** Whether somebody has never signed in, belongs to no team and has let no site see anything. */
async function isUnused({ documents }: ErasureParts, user: string): Promise<boolean> {
  const [signedIn, belongs, allowed] = await Promise.all([
    documents
      .collection(sessions.collection)
      .page({ where: { user }, orderBy: ['status', 'started_at', 'session'], limit: 1 }),
    documents
      .collection(members.collection)
      .page({ where: { user, status: 'member' }, orderBy: ['team'], limit: 1 }),
    documents.collection(consents.collection).page({ where: { user }, orderBy: ['client'], limit: 1 }),
  ]);
  return signedIn.length + belongs.length + allowed.length === 0;
}

/**
 * Finishes erasures that were interrupted: of people who are erased in the log and have a data key. `everybody`: looks
 * at all who were ever erased, else at the recent ones. For the recent ones it also looks again for what belongs to
 * them.
 */
export async function finishErasures(
  parts: ErasureParts,
  at: Date,
  { everybody }: { readonly everybody: boolean },
): Promise<number> {
  const recently = at.getTime() - lookedAgainMs;
  const newestFirst = {
    where: { erasure: 'erased' },
    orderBy: ['erased_at', 'user'],
    descending: true,
  } as const;
  const unfinished: string[] = [];
  const again: string[] = [];
  for await (const page of pages(collectionOf(parts), newestFirst)) {
    const keys = await parts.vault.getMany(page.map(({ user }) => personOf(user)));
    for (const { user, erased_at } of page) {
      if (keys.has(personOf(user))) unfinished.push(user);
      else if (Date.parse(erased_at) > recently) again.push(user);
    }
    if (!everybody && Date.parse(page.at(-1)?.erased_at ?? '') <= recently) break;
  }
  for (const user of again) await forgetPerson(parts, user, contextAt(at));
  return eraseEach(parts, unfinished, {});
}

const collectionOf = ({ documents }: ErasureParts) =>
  documents.collection<ErasureDocument>(erasures.collection);

async function eraseEach(
  parts: ErasureParts,
  people: readonly string[],
  rule: Parameters<typeof eraseNow>[3],
): Promise<number> {
  const failures: unknown[] = [];
  let erased = 0;
  for (const user of people) {
    try {
      const { state } = await eraseNow(parts, user, contextAt(rule?.at ?? new Date()), rule);
      if (state?.status === 'erased') erased++;
    } catch (error) {
      // Somebody has decided otherwise since the read model was read.
      if (!(error instanceof CommandRefused)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return erased;
}

import { z } from 'zod';
import {
  addListed,
  changeListed,
  eraseListed,
  isListed,
  joinListed,
  listedIdOf,
  listedInput,
  noListedMember,
  requireListed,
  type ListedDetails,
  type ListedInput,
} from '../../commands/teams/listed-member.ts';
import { reassignPayment } from '../../commands/payments.ts';
import { findByEmail, requirePerson } from '../../commands/accounts/person.ts';
import { ownAddress } from '../../commands/teams/member.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import { streamName } from '../../events/define.ts';
import { listedMemberStream } from '../../events/payments.ts';
import { userId } from '../../events/oauth/values.ts';
import { writtenAmount } from '../../events/payments-currencies.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { defined } from '../../ground/defined.ts';
import { personOf } from '../../personal/personal-data.ts';
import { erasingEvent } from '../../commands/erasing-event.ts';
import { dayOf } from '../../projections/forms.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { listedMembers, payments, type ListedMemberDocument } from '../../projections/payments.ts';
import { peopleNamed, type NamedPerson } from '../accounts/people-named.ts';
import { action, type ActionParts } from '../action.ts';
import { oneOf, type Listing } from '../listing.ts';
import { paymentList } from '../payments.ts';
import { memberNamed } from './member-named.ts';

const allowed = { right: 'record payments', scope: 'payments:write' } as const;

/** A member without an account, opened. Null: erased, or one with the account `user` by now. */
export type ListedMember = Omit<ListedMemberDocument, 'details' | 'email'> & {
  readonly details: ListedDetails | null;
};

/** The members of a team who have no account, in the order in which they were added. */
export const listedList: Listing<ListedMemberDocument, ListedMember> = {
  ...allowed,
  name: 'listed-members',
  readModel: listedMembers,
  where: { status: 'listed' },
  orderBy: ['added_at', 'member'],
  id: z.uuid(),
  none: noListedMember,
  async open({ personal }, docs) {
    const opened = await personal.openMany(
      docs.map(({ member, details }) => ({ holder: personOf(member), sealed: details })),
    );
    return docs.map(({ details: _, email: __, ...doc }, place) => ({
      ...doc,
      details: (opened[place] as ListedDetails | undefined) ?? null,
    }));
  },
};

/** Writes down a member who has no account. */
export const addMember = action({
  ...allowed,
  name: 'payments.add-member',
  input: listedInput,
  once: true,
  async run(parts, input, { who: { team = '' }, context }) {
    const changes = await addListed(parts, team, listedIdOf(context), input, context);
    return { changes, value: () => oneOf(listedList, parts, team, listedIdOf(context)) };
  },
});

/** Replaces what is written down of one. */
export const changeMember = action({
  ...allowed,
  name: 'payments.change-member',
  input: listedInput.extend({ id: userId }),
  async run(parts, { id, ...input }, { who: { team }, context }) {
    const changes = await changeListed(parts, id, { ...input, asTeam: team }, context);
    return { changes, value: () => oneOf(listedList, parts, team, id) };
  },
});

/** Erases who one is, for ever. Their payments stay, without a name. */
export const eraseMember = action({
  ...allowed,
  name: 'payments.erase-member',
  input: z.object({ id: userId }),
  async run(parts, { id }, { who: { team }, context }) {
    const changes = await eraseListed(parts, id, { asTeam: team }, context);
    return { changes, value: () => ({ id }) };
  },
});

/** The most members that are added at once. */
export const mostAdded = 10_000;
const addedAtOnce = 100;

/** Adds many. Who has the address of one who is listed already is left out. */
export const addMembers = action({
  ...allowed,
  name: 'payments.add-members',
  input: z.object({ members: z.array(listedInput).min(1).max(mostAdded) }),
  once: true,
  async run(parts, { members: all }, { who: { team = '' }, context, another, untilShown }) {
    const listed = await indexesOf(parts, team);
    const seen = new Set<string>();
    const wanted: (readonly [place: number, input: ListedInput])[] = [];
    for (const [place, input] of all.entries()) {
      const index = input.email === undefined ? undefined : await parts.personal.emailIndex(input.email);
      const id = listedIdOf(context, place);
      if (index !== undefined && (seen.has(index) || (listed.get(index) ?? id) !== id)) continue;
      if (index !== undefined) seen.add(index);
      wanted.push([place, input]);
    }
    let changes: Awaited<ReturnType<typeof addListed>>[] = [];
    for (let from = 0; from < wanted.length; from += addedAtOnce) {
      const some = wanted.slice(from, from + addedAtOnce);
      changes = await Promise.all(
        some.map(([place, input]) =>
          addListed(parts, team, listedIdOf(context, place), input, {
            ...another(),
            commandId: listedIdOf(context, place),
          }),
        ),
      );
    }
    if (changes.length > 0) await untilShown(changes);
    return { changes, value: () => ({ added: wanted.length, listed: all.length - wanted.length }) };
  },
});

/** By the keyed hash of their address: the members who are listed. */
async function indexesOf({ documents }: ActionParts, team: string): Promise<ReadonlyMap<string, string>> {
  const docs = await paginateAll(documents.collection(listedMembers.collection), {
    where: { team, status: 'listed' },
    orderBy: ['added_at', 'member'],
  });
  return new Map(docs.flatMap(({ email, member }) => (email === undefined ? [] : [[email, member]])));
}

/**
 * Makes one of a listed member and the person who has joined the team with the same address: their payments follow, and
 * what was written down of the listed member is erased. Asked again, it finishes what was interrupted.
 */
export const joinMember = action({
  ...allowed,
  name: 'payments.join-member',
  input: z.object({ id: userId, user: userId }),
  wrongField: { invalid: 'user' },
  async run(parts, { id, user }, { who: { team: asTeam }, context, another, untilShown }) {
    const { store, personal, documents } = parts;
    const listed = await requireListed(store, id, { asTeam });
    const { team } = listed;
    const person = await requirePerson({ store }, user);
    const { members } = await requireTeam(store, team);
    if (!members.has(user) || listed.email === undefined || ownAddress(person) !== listed.email)
      throw new CommandRefused(
        'invalid',
        'Only a member of the team with the same address can be the same person.',
      );
    await personal.readyToErase();
    const joined = await joinListed(parts, id, { asTeam, user }, context);
    await untilShown(joined);
    const theirs = await paginateAll(documents.collection(payments.collection), {
      where: { team, member: id },
      orderBy: ['recorded_at', 'payment'],
    });
    const moved = [];
    for (const { payment } of theirs)
      moved.push(await reassignPayment(parts, payment, { from: id, to: user }, another()));
    await personal.erase(personOf(id), erasingEvent(joined, streamName(listedMemberStream, id), context));
    return { changes: [joined, ...moved], value: () => ({ id, user, payments: moved.length }) };
  },
});

/** The member of the team who has confirmed the address of a listed one. Undefined: there is none. */
export async function sameAddress(parts: ActionParts, team: string, id: string): Promise<string | undefined> {
  const doc = await parts.documents.collection(listedMembers.collection).get(id);
  if (doc?.team !== team || doc.status !== 'listed') return undefined;
  const [opened] = await listedList.open(parts, [doc]);
  const email = opened?.details?.email;
  const person = email === undefined ? undefined : await findByEmail(parts, email);
  if (!person || ownAddress(person) === undefined) return undefined;
  const { members } = await requireTeam(parts.store, team);
  return members.has(person.user) ? person.user : undefined;
}

/** Names of those who pay: of accounts, and of members without one. Who was erased is absent. */
export async function payersNamed(
  parts: ActionParts,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedPerson>> {
  const named = new Map(await peopleNamed(parts, ids));
  const others = [...new Set(ids)].filter((id) => !named.has(id));
  const docs = await parts.documents.collection(listedMembers.collection).getMany(others);
  for (const { member, details } of await listedList.open(parts, [...docs.values()]))
    if (details) named.set(member, { name: details.name, email: details.email ?? null });
  return named;
}

/** The member of a team, with or without an account, who has this id or email address. Undefined: there is none. */
export async function payerNamed(
  parts: ActionParts,
  team: string,
  whom: string,
): Promise<string | undefined> {
  const member = await memberNamed(parts, team, whom);
  if (member !== undefined) return member;
  if (userId.safeParse(whom).success) return (await isListed(parts.store, team, whom)) ? whom : undefined;
  const index = await parts.personal.emailIndex(whom);
  return index === undefined ? undefined : (await indexesOf(parts, team)).get(index);
}

/** Sums in the smallest units, by currency. */
export type Totals = ReadonlyMap<string, bigint>;

/** The most payments that are summed up. */
export const mostSummed = 10_000;

/** What a team was paid, by all or by one: reversed payments are left out. `isCut`: only the newest are in it. */
export async function totalsOf(
  { documents }: Pick<ActionParts, 'documents'>,
  team: string,
  member?: string,
): Promise<{ readonly totals: Totals; readonly isCut: boolean }> {
  const docs = await documents.collection(payments.collection).page({
    where: defined({ team, member }),
    orderBy: ['recorded_at', 'payment'],
    descending: true,
    limit: mostSummed + 1,
  });
  const totals = new Map<string, bigint>();
  for (const { status, currency, amount_minor } of docs.slice(0, mostSummed))
    if (status === 'recorded') totals.set(currency, (totals.get(currency) ?? 0n) + BigInt(amount_minor));
  return { totals, isCut: docs.length > mostSummed };
}

/** Sums in words, such as "40.00 EUR, 12.50 USD". */
export const writtenTotals = (totals: Totals): string =>
  [...totals]
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([currency, sum]) => writtenAmount(sum, currency))
    .join(', ');

/** The currency of the newest payment of a team, which the next one probably has too. */
export async function lastCurrency(
  { documents }: Pick<ActionParts, 'documents'>,
  team: string,
): Promise<string | undefined> {
  const [last] = await documents
    .collection(payments.collection)
    .page({ where: { team }, orderBy: ['recorded_at', 'payment'], descending: true, limit: 1 });
  return last?.currency;
}

/** Whether the last day that is paid for is over. Somebody of whom no day is known is not overdue. */
export const isOverdue = ({ paid_until }: Pick<ListedMember, 'paid_until'>, now: Date): boolean =>
  paid_until !== undefined && paid_until < dayOf(now.toISOString());

/** All that a team has stored about a member without an account, for whoever asks for their own data. */
export async function listedDataOf(parts: ActionParts, team: string, id: string): Promise<object> {
  const { details, paid_until, added_at } = await oneOf(listedList, parts, team, id);
  const theirs = await paginateAll(parts.documents.collection(payments.collection), {
    where: { team, member: id },
    orderBy: ['recorded_at', 'payment'],
  });
  return {
    format: 'commonweal-listed-member/1',
    member: id,
    team,
    ...details,
    paid_until,
    added_at,
    payments: (await paymentList.open(parts, theirs)).map(
      ({ payment, amount_minor, currency, memo, occurred_at, status }) => ({
        payment,
        amount_minor,
        currency,
        memo,
        occurred_at,
        status,
      }),
    ),
  };
}

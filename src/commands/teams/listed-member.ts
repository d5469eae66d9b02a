import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { line, streamName } from '../../events/define.ts';
import { normalAddress } from '../../events/accounts/email-address.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { listedMemberStream, paidUntil, type ListedMemberEvent } from '../../events/payments.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { defined } from '../../ground/defined.ts';
import { personOf, type PersonalData } from '../../personal/personal-data.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from '../command-handler.ts';
import { erasingEvent } from '../erasing-event.ts';
import { requireOpenTeam } from './team.ts';

/** Who somebody without an account is, as a team writes it down. */
export const listedDetails = z.strictObject({
  name: line(200),
  email: z
    .string()
    .max(254)
    .refine((text) => normalAddress(text) !== undefined, { message: 'is no email address' })
    .optional(),
  phone: line(40).optional(),
  note: line(200).optional().describe('A note, in one line.'),
});
export type ListedDetails = z.output<typeof listedDetails>;

/** What somebody says of a member without an account. */
export const listedInput = listedDetails.extend({
  paid_until: paidUntil.optional().describe('The last day that is paid for: YYYY-MM-DD.'),
});
export type ListedInput = z.output<typeof listedInput>;

type Added = Extract<ListedMemberEvent, { type: 'ListedMemberAdded' }>['data'];

export type ListedState =
  (Added & { readonly status: 'listed' | 'erased' | 'joined'; readonly user?: string }) | undefined;

type OfTeam = { readonly asTeam?: string | undefined };

export type ListedCommand =
  | { readonly kind: 'add'; readonly data: Added }
  /** `isSame`: it says nothing new. */
  | (OfTeam & {
      readonly kind: 'change';
      readonly data: Pick<Added, 'details' | 'email' | 'paid_until'>;
      readonly isSame: boolean;
    })
  | (OfTeam & { readonly kind: 'erase' })
  | (OfTeam & { readonly kind: 'join'; readonly user: string });

export const listedMember: Decider<ListedState, ListedCommand, ListedMemberEvent> = {
  stream: listedMemberStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'ListedMemberAdded') return { ...event.data, status: 'listed' };
    if (!state) return undefined;
    switch (event.type) {
      case 'ListedMemberChanged': {
        const { email: _, paid_until: __, ...rest } = state;
        return { ...rest, ...event.data };
      }
      case 'ListedMemberErased':
        return { ...state, status: 'erased' };
      case 'ListedMemberJoined':
        return { ...state, status: 'joined', user: event.data.user };
    }
  },
  decide(command, state) {
    if (command.kind === 'add') {
      if (state) throw new CommandRefused('conflict', 'This member is listed already.');
      return [{ type: 'ListedMemberAdded', data: command.data }];
    }
    if (!state || (command.asTeam !== undefined && command.asTeam !== state.team)) throw noListedMember();
    switch (command.kind) {
      case 'change':
        if (state.status !== 'listed') throw noListedMember();
        return command.isSame ? [] : [{ type: 'ListedMemberChanged', data: command.data }];
      case 'erase':
        return state.status === 'listed' ? [{ type: 'ListedMemberErased', data: {} }] : [];
      case 'join':
        if (state.status === 'joined' && state.user === command.user) return [];
        if (state.status !== 'listed') throw noListedMember();
        return [{ type: 'ListedMemberJoined', data: { user: command.user } }];
    }
  },
};

export const noListedMember = (): CommandRefused =>
  new CommandRefused('not_found', 'Your team has no such member without an account.');

export interface ListedParts {
  readonly store: EventStore;
  readonly personal: PersonalData;
}

export type ListedOutcome = Outcome<ListedState, ListedMemberEvent>;

/** The id of the member whom a command adds; of several, the `place`-th. */
export const listedIdOf = ({ commandId }: Pick<CommandContext, 'commandId'>, place = 0): string =>
  uuidOf(commandId, 'listed-member', String(place));

/**
 * Writes down a member without an account. The id follows from the command.
 * @throws CommandRefused not_found (team)
 */
export async function addListed(
  { store, personal }: ListedParts,
  team: string,
  id: string,
  input: ListedInput,
  context: CommandContext,
): Promise<ListedOutcome> {
  await requireOpenTeam(store, team);
  const adding = async (): Promise<ListedCommand> => {
    await personal.begin(personOf(id));
    return { kind: 'add', data: { member: id, team, ...(await sealed(personal, id, input)) } };
  };
  return execute(store, listedMember, id, adding, context);
}

/** @throws CommandRefused not_found */
export const changeListed = (
  { store, personal }: ListedParts,
  id: string,
  { asTeam, ...input }: ListedInput & OfTeam,
  context: CommandContext,
): Promise<ListedOutcome> => {
  const changing = async (state: ListedState): Promise<ListedCommand> => {
    const { paid_until, ...details } = input;
    if (state?.status !== 'listed') throw noListedMember();
    const before = await personal.open<ListedDetails>(personOf(id), state.details);
    const isSame = isDeepStrictEqual(before, defined(details)) && state.paid_until === paid_until;
    return { kind: 'change', asTeam, isSame, data: await sealed(personal, id, input) };
  };
  return execute(store, listedMember, id, changing, context);
};

/**
 * Erases who somebody without an account is: their data key is destroyed. Payments stay, without a name and a memo.
 * @throws CommandRefused not_found
 */
export async function eraseListed(
  { store, personal }: ListedParts,
  id: string,
  by: OfTeam,
  context: CommandContext,
): Promise<ListedOutcome> {
  await personal.readyToErase();
  const outcome = await execute(store, listedMember, id, { kind: 'erase', ...by }, context);
  await personal.erase(personOf(id), erasingEvent(outcome, streamName(listedMemberStream, id), context));
  return outcome;
}

/** Says that a listed member is somebody with an account by now. @throws CommandRefused not_found */
export const joinListed = (
  { store }: Pick<ListedParts, 'store'>,
  id: string,
  by: OfTeam & { readonly user: string },
  context: CommandContext,
): Promise<ListedOutcome> => execute(store, listedMember, id, { kind: 'join', ...by }, context);

/** A member without an account, from the log. @throws CommandRefused not_found */
export async function requireListed(
  store: EventStore,
  id: string,
  { asTeam }: OfTeam = {},
): Promise<NonNullable<ListedState>> {
  const { state } = await load(store, listedMember, id);
  if (!state || (asTeam !== undefined && state.team !== asTeam)) throw noListedMember();
  return state;
}

/** Whether somebody without an account is listed by the team now. */
export async function isListed(store: EventStore, team: string, id: string): Promise<boolean> {
  const { state } = await load(store, listedMember, id);
  return state?.status === 'listed' && state.team === team;
}

async function sealed(
  personal: PersonalData,
  id: string,
  { paid_until, ...details }: ListedInput,
): Promise<Pick<Added, 'details' | 'email' | 'paid_until'>> {
  const { email } = details;
  return defined({
    details: await personal.seal(personOf(id), defined(details)),
    email: email === undefined ? undefined : await personal.emailIndex(email),
    paid_until,
  });
}

/** Whether it is the id of a member without an account, of any team. */
export async function isAnyListed(store: EventStore, id: string): Promise<boolean> {
  return (await load(store, listedMember, id)).state !== undefined;
}

import {
  agencyContactStream,
  daysBetweenAsks,
  type AgencyAnswer,
  type AgencyContactEvent,
  type UnreachableReason,
} from '../../../events/directory/upkeep/agency-contact.ts';
import { normalAddress } from '../../../events/accounts/email-address.ts';
import { streamName } from '../../../events/define.ts';
import type { CommandContext } from '../../../events/metadata.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import { agencyContactOf, type PersonalData } from '../../../personal/personal-data.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from '../../command-handler.ts';
import { erasingEvent } from '../../erasing-event.ts';

const dayMs = 86_400_000;

/** An answer about a record. */
export interface StateOfAnswer {
  readonly ask: string;
  readonly answer: AgencyAnswer;
  /** Which answer about this record it is, from 1: each has its own effect. */
  readonly number: number;
  readonly carriedOut: boolean;
}

/** A contact that was asked. */
export interface ExistingAgencyContact {
  readonly contact: string;
  readonly team: string;
  readonly status: 'open' | 'stopped' | 'unreachable' | 'erased';
  /** The newest mail. */
  readonly ask: string;
  readonly svcIds: readonly string[];
  readonly language: string;
  readonly addressSealed: string;
  readonly mailedAt: string;
  readonly answers: ReadonlyMap<string, StateOfAnswer>;
}
export type AgencyContactState = ExistingAgencyContact | undefined;

type MailData = Extract<AgencyContactEvent, { type: 'AgencyContactMailed' }>['data'];

export type AgencyContactCommand =
  | { readonly kind: 'ask'; readonly data: MailData }
  | { readonly kind: 'answer'; readonly svcId: string; readonly answer: AgencyAnswer }
  | { readonly kind: 'take-back'; readonly svcId: string }
  | { readonly kind: 'carried-out'; readonly answers: readonly (readonly [svcId: string, number: number])[] }
  | { readonly kind: 'stop' }
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason }
  | { readonly kind: 'erase' };

export const agencyContact: Decider<AgencyContactState, AgencyContactCommand, AgencyContactEvent> = {
  stream: agencyContactStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'AgencyContactMailed') {
      const { contact, team, ask, svc_ids, language, address_sealed, mailed_at } = event.data;
      const about = { contact, team, ask, svcIds: svc_ids, language, addressSealed: address_sealed };
      const answers = state?.answers ?? new Map<string, StateOfAnswer>();
      return { ...about, mailedAt: mailed_at, status: 'open', answers };
    }
    if (!state) return undefined;
    const answers = new Map(state.answers);
    switch (event.type) {
      case 'AgencyContactAnswered': {
        const { ask, svc_id, answer } = event.data;
        const number = (answers.get(svc_id)?.number ?? 0) + 1;
        return { ...state, answers: answers.set(svc_id, { ask, answer, number, carriedOut: false }) };
      }
      case 'AgencyAnswerWithdrawn':
        answers.delete(event.data.svc_id);
        return { ...state, answers };
      case 'AgencyAnswersApplied':
        for (const svcId of event.data.svc_ids) {
          const answer = answers.get(svcId);
          if (answer) answers.set(svcId, { ...answer, carriedOut: true });
        }
        return { ...state, answers };
      case 'AgencyContactStopped':
        return { ...state, status: 'stopped' };
      case 'AgencyContactBounced':
        return { ...state, status: 'unreachable' };
      case 'AgencyContactErased':
        return { ...state, status: 'erased' };
    }
  },
  decide(command, state) {
    if (command.kind === 'ask') return mailed(command.data, state);
    if (!state) throw noContact();
    switch (command.kind) {
      case 'answer':
        return answered(command, state);
      case 'take-back': {
        const answer = state.answers.get(command.svcId);
        if (!answer) return [];
        if (answer.carriedOut)
          throw new CommandRefused('conflict', 'This answer has had its effect already.');
        return [{ type: 'AgencyAnswerWithdrawn', data: { ask: answer.ask, svc_id: command.svcId } }];
      }
      case 'carried-out': {
        const done = command.answers.filter(([svcId, number]) => {
          const answer = state.answers.get(svcId);
          return answer?.number === number && !answer.carriedOut;
        });
        if (done.length === 0) return [];
        const svc_ids = done.map(([svcId]) => svcId);
        return [{ type: 'AgencyAnswersApplied', data: { ask: state.ask, svc_ids } }];
      }
      case 'stop':
        return isGone(state) ? [] : [{ type: 'AgencyContactStopped', data: {} }];
      case 'unreachable':
        return state.status === 'open'
          ? [{ type: 'AgencyContactBounced', data: { reason: command.reason } }]
          : [];
      case 'erase':
        return state.status === 'erased' ? [] : [{ type: 'AgencyContactErased', data: {} }];
    }
  },
};

/** Its address is erased. */
const isGone = ({ status }: ExistingAgencyContact): boolean => status === 'stopped' || status === 'erased';

/** Two mails are a month apart, and none follows a stop or a mail that came back. */
function mailed(data: MailData, state: AgencyContactState): AgencyContactEvent[] {
  if (!state) return [{ type: 'AgencyContactMailed', data }];
  if (state.status !== 'open')
    throw new CommandRefused('conflict', `This contact is not asked any more: it is ${state.status}.`);
  const sinceMs = Date.parse(data.mailed_at) - Date.parse(state.mailedAt);
  if (sinceMs < daysBetweenAsks * dayMs)
    throw new CommandRefused('conflict', `This contact was asked within ${daysBetweenAsks} days.`);
  const svc_ids = data.svc_ids.filter((svcId) => state.answers.get(svcId)?.answer !== 'not_ours');
  if (svc_ids.length === 0)
    throw new CommandRefused('conflict', 'None of these records is of an agency of this contact.');
  return [{ type: 'AgencyContactMailed', data: { ...data, svc_ids } }];
}

function answered(
  { svcId, answer }: Extract<AgencyContactCommand, { kind: 'answer' }>,
  state: ExistingAgencyContact,
): AgencyContactEvent[] {
  if (isGone(state)) throw new CommandRefused('not_found', 'This link no longer works.');
  if (!state.svcIds.includes(svcId))
    throw new CommandRefused('not_found', 'The newest mail does not ask about this record.');
  const before = state.answers.get(svcId);
  const isRepeated = before?.answer === answer && before.ask === state.ask;
  if (isRepeated && answer !== 'change') return [];
  return [{ type: 'AgencyContactAnswered', data: { ask: state.ask, svc_id: svcId, answer } }];
}

export const noContact = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such contact of an agency.');

export type AgencyContactOutcome = Outcome<AgencyContactState, AgencyContactEvent>;

/** The id of the contact that an address is for a team: a keyed hash. Undefined for what is no email address. */
export async function agencyContactId(
  personal: Pick<PersonalData, 'blindIndex'>,
  team: string,
  address: string,
): Promise<string | undefined> {
  const normal = normalAddress(address);
  return normal === undefined ? undefined : personal.blindIndex(`agency-contact\n${team}\n${normal}`);
}

export const loadAgencyContact = async (store: EventStore, contact: string): Promise<AgencyContactState> =>
  (await load(store, agencyContact, contact)).state;

interface Parts {
  readonly store: EventStore;
  readonly personal: PersonalData;
}

/**
 * Asks a contact about records. The mail follows from the event.
 * @throws CommandRefused conflict, when it was asked within a month, or must not be asked any more
 */
export async function askAgencyContact(
  { store, personal }: Parts,
  { address, ...about }: Omit<MailData, 'address_sealed'> & { readonly address: string },
  context: CommandContext,
): Promise<AgencyContactOutcome> {
  const holder = agencyContactOf(about.contact);
  // Sealed only when it is decided: a contact that was erased must not get a data key again.
  const asking = async (state: AgencyContactState): Promise<AgencyContactCommand> => {
    if (state && state.status !== 'open')
      return { kind: 'ask', data: { ...about, address_sealed: state.addressSealed } };
    await personal.begin(holder);
    return { kind: 'ask', data: { ...about, address_sealed: await personal.seal(holder, address) } };
  };
  return execute(store, agencyContact, about.contact, asking, context);
}

/** @throws CommandRefused */
export const commandAgencyContact = (
  { store }: Pick<Parts, 'store'>,
  contact: string,
  command: Exclude<AgencyContactCommand, { kind: 'ask' | 'stop' | 'erase' }>,
  context: CommandContext,
): Promise<AgencyContactOutcome> => execute(store, agencyContact, contact, command, context);

/**
 * Ends the mails to a contact for ever, and makes the address unreadable. Repeating it after a crash finishes it.
 * @throws CommandRefused not_found
 */
export async function endAgencyContact(
  { store, personal }: Parts,
  contact: string,
  kind: 'stop' | 'erase',
  context: CommandContext,
): Promise<AgencyContactOutcome> {
  await personal.readyToErase();
  const outcome = await execute(store, agencyContact, contact, { kind }, context);
  await personal.erase(
    agencyContactOf(contact),
    erasingEvent(outcome, streamName(agencyContactStream, contact), context),
  );
  return outcome;
}

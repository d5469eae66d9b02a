import { streamName } from '../../../events/define.ts';
import { normalAddress } from '../../../events/accounts/email-address.ts';
import { uuidOf } from '../../../events/ids.ts';
import type { CommandContext } from '../../../events/metadata.ts';
import {
  claimStream,
  type ClaimEvent,
  type ClaimRulesEvent,
} from '../../../events/directory/upkeep/claim.ts';
import { claimOf, type PersonalData } from '../../../personal/personal-data.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { execute, load, type Outcome } from '../../command-handler.ts';
import { erasingEvent } from '../../erasing-event.ts';
import { refuseClosed } from '../../teams/team.ts';
import type { ByTeam } from './suggestion-decider.ts';
import {
  claim,
  claimRules,
  mayBegin,
  requireClaim,
  type ClaimCommand,
  type ClaimData,
  type ClaimRulesState,
  type ClaimState,
} from './claim-decider.ts';

export interface ClaimParts {
  readonly store: EventStore;
  /** Seals the address. */
  readonly personal: PersonalData;
}

export type ClaimOutcome = Outcome<ClaimState, ClaimEvent>;

/** The id of the claim of an address: a keyed hash. Undefined for what is no email address. */
export async function claimIdOf(
  personal: Pick<PersonalData, 'blindIndex'>,
  { team, subject }: Pick<ClaimData, 'team' | 'subject'>,
  address: string,
): Promise<string | undefined> {
  const normal = normalAddress(address);
  return normal === undefined ? undefined : personal.blindIndex(`claim\n${team}\n${subject}\n${normal}`);
}

export const loadClaim = async (store: EventStore, id: string): Promise<ClaimState> =>
  (await load(store, claim, id)).state;

export interface NewClaim extends Pick<
  ClaimData,
  'claim' | 'team' | 'subject' | 'svc_id' | 'host' | 'language'
> {
  readonly address: string;
}

/**
 * Begins a claim, or asks for a new link of one that there is. The mail follows from the event. Of an address that the team
 * turned away nothing is recorded. @throws CommandRefused conflict, where the team is closed
 */
export async function beginClaim(
  { store, personal }: ClaimParts,
  { address, ...about }: NewClaim,
  context: CommandContext,
): Promise<ClaimOutcome> {
  await refuseClosed(store, about.team);
  const [data_key, link] = [uuidOf(context.commandId, 'claim key'), uuidOf(context.commandId, 'claim link')];
  const beginning = async (state: ClaimState): Promise<ClaimCommand> => {
    const data = { ...about, data_key, link };
    // Sealed only when it is decided: a repeated command must not begin a data key that was erased.
    if (!mayBegin(state)) return { kind: 'begin', data: { ...data, address_sealed: 'unused' } };
    await personal.begin(claimOf(data_key));
    return {
      kind: 'begin',
      data: { ...data, address_sealed: await personal.seal(claimOf(data_key), address) },
    };
  };
  return execute(store, claim, about.claim, beginning, context);
}

/** @throws CommandRefused */
export const commandClaim = (
  { store }: Pick<ClaimParts, 'store'>,
  id: string,
  command: Exclude<ClaimCommand, { kind: 'begin' | 'end' | 'erase' }>,
  context: CommandContext,
): Promise<ClaimOutcome> => execute(store, claim, id, command, context);

/**
 * Ends a claim, or erases its address alone: destroys its data key. Repeating it after a crash finishes it.
 * @throws CommandRefused not_found
 */
export async function endClaim(
  { store, personal }: ClaimParts,
  id: string,
  command: Extract<ClaimCommand, { kind: 'end' | 'erase' }> & ByTeam,
  context: CommandContext,
): Promise<ClaimOutcome> {
  await personal.readyToErase();
  const outcome = await execute(store, claim, id, command, context);
  const { data_key } = requireClaim(command, outcome.state);
  await personal.erase(claimOf(data_key), erasingEvent(outcome, streamName(claimStream, id), context));
  return outcome;
}

export const loadClaimRules = async (store: EventStore, team: string): Promise<ClaimRulesState> =>
  (await load(store, claimRules, team)).state;

export const chooseClaimRules = (
  { store }: Pick<ClaimParts, 'store'>,
  data: ClaimRulesEvent['data'],
  context: CommandContext,
): Promise<Outcome<ClaimRulesState, ClaimRulesEvent>> =>
  execute(store, claimRules, data.team, { kind: 'choose', data }, context);

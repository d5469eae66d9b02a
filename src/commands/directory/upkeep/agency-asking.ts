import {
  agencyAskingStream,
  agencyCallStream,
  type AgencyAskingEvent,
  type AgencyCallEvent,
} from '../../../events/directory/upkeep/agency-asking.ts';
import type { CommandContext } from '../../../events/metadata.ts';
import { defined } from '../../../ground/defined.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from '../../command-handler.ts';

/** Whether a team asks its agencies, and after how many days. Undefined: it has never chosen. */
export type AgencyAskingState = AgencyAskingEvent['data'] | undefined;

export interface AgencyAskingCommand {
  readonly kind: 'choose';
  readonly data: AgencyAskingEvent['data'];
}

export const agencyAsking: Decider<AgencyAskingState, AgencyAskingCommand, AgencyAskingEvent> = {
  stream: agencyAskingStream,
  initial: undefined,
  evolve: (_, { data }) => data,
  decide({ data }, state) {
    const isOff = !data.on && !state;
    if (isOff || (state?.on === data.on && state.after_days === data.after_days)) return [];
    return [{ type: 'AgencyAskingChosen', data }];
  },
};

/** Chooses whether a team asks its agencies. */
export const chooseAgencyAsking = (
  { store }: { readonly store: EventStore },
  { team, on, after_days }: { team: string; on: boolean; after_days?: number | undefined },
  context: CommandContext,
): Promise<Outcome<AgencyAskingState, AgencyAskingEvent>> =>
  execute(
    store,
    agencyAsking,
    team,
    { kind: 'choose', data: { team, on, ...defined({ after_days }) } },
    context,
  );

export const loadAgencyAsking = async (store: EventStore, team: string): Promise<AgencyAskingState> =>
  (await load(store, agencyAsking, team)).state;

type NotReached = AgencyCallEvent['data'];

export interface AgencyCallCommand {
  readonly kind: 'not-reached';
  readonly data: NotReached;
}

export const agencyCall: Decider<NotReached | undefined, AgencyCallCommand, AgencyCallEvent> = {
  stream: agencyCallStream,
  initial: undefined,
  evolve: (_, { data }) => data,
  decide: ({ data }, state) =>
    state?.again_on === data.again_on ? [] : [{ type: 'AgencyNotReached', data }],
};

/** Notes that a call has reached nobody. */
export const noteNotReached = (
  { store }: { readonly store: EventStore },
  data: NotReached,
  context: CommandContext,
): Promise<Outcome<NotReached | undefined, AgencyCallEvent>> =>
  execute(store, agencyCall, data.svc_id, { kind: 'not-reached', data }, context);

import {
  claimRulesStream,
  claimStream,
  type ClaimEnder,
  type ClaimEvent,
  type ClaimRulesEvent,
} from '../../../events/directory/upkeep/claim.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import type { Decider } from '../../command-handler.ts';
import type { ByTeam } from './suggestion-decider.ts';

export type ClaimData = Extract<ClaimEvent, { type: 'ClaimBegun' }>['data'];

/** A claim that there is. `link`: of the newest link, where one works. */
export interface ExistingClaim extends Omit<ClaimData, 'link'> {
  readonly status: 'begun' | 'proven' | 'approved' | 'refused' | 'ended';
  readonly link?: string;
  /** The link that proved it. */
  readonly usedLink?: string;
  readonly endedBy?: ClaimEnder;
  /** It had ended before a restore, nobody knows by whom: only the team lets its people in again. */
  readonly mustWait?: true;
  readonly erased: boolean;
}
export type ClaimState = ExistingClaim | undefined;

export type ClaimCommand =
  | { readonly kind: 'begin'; readonly data: ClaimData }
  | { readonly kind: 'prove'; readonly link: string }
  | ({ readonly kind: 'approve'; readonly link: string; readonly likeBefore?: true } & ByTeam)
  | ({ readonly kind: 'refuse'; readonly reason?: string } & ByTeam)
  | ({ readonly kind: 'end'; readonly by: ClaimEnder } & ByTeam)
  | ({ readonly kind: 'erase' } & ByTeam);

export const claim: Decider<ClaimState, ClaimCommand, ClaimEvent> = {
  stream: claimStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'ClaimBegun') {
      const mustWait = state?.endedBy === 'restore' || state?.mustWait;
      return { ...event.data, status: 'begun', erased: false, ...(mustWait && { mustWait }) };
    }
    if (!state) return undefined;
    const { link: _, ...unlinked } = state;
    switch (event.type) {
      case 'ClaimLinkRenewed':
        return { ...state, ...event.data };
      case 'ClaimProven':
        return { ...unlinked, status: 'proven', ...(state.link !== undefined && { usedLink: state.link }) };
      case 'ClaimApproved':
        return { ...state, status: 'approved', link: event.data.link };
      case 'ClaimRefused':
        return { ...unlinked, status: 'refused' };
      case 'ClaimEnded':
        return { ...unlinked, status: 'ended', endedBy: event.data.by, erased: true };
      case 'ClaimErased':
        return { ...unlinked, erased: true };
    }
  },
  decide(command, state) {
    if (command.kind === 'begin') return begun(command.data, state);
    if (command.kind === 'prove') {
      if (state?.status !== 'begun' || state.link !== command.link)
        throw new CommandRefused('not_found', 'This link no longer works.');
      return [{ type: 'ClaimProven', data: {} }];
    }
    const { status, erased, data_key } = requireClaim(command, state);
    switch (command.kind) {
      case 'approve': {
        if (status === 'approved') return [];
        if (status !== 'proven')
          throw new CommandRefused('conflict', `The claim is ${status}; only a proven one is approved.`);
        const { link, likeBefore } = command;
        return [{ type: 'ClaimApproved', data: { link, ...(likeBefore && { like_before: true }) } }];
      }
      case 'refuse': {
        if (status === 'refused') return [];
        if (status !== 'begun' && status !== 'proven')
          throw new CommandRefused('conflict', `The claim is ${status} already.`);
        const { reason } = command;
        return [{ type: 'ClaimRefused', data: reason === undefined ? {} : { reason } }];
      }
      case 'end':
        return status === 'ended' ? [] : [{ type: 'ClaimEnded', data: { by: command.by, data_key } }];
      case 'erase':
        return erased ? [] : [{ type: 'ClaimErased', data: { data_key } }];
    }
  },
};

/** Whether somebody who asks again gets a new link. Of an address that the team turned away, nothing comes. */
export const mayBegin = (state: ClaimState): boolean =>
  !state ||
  (state.status === 'begun' && state.erased) ||
  (state.status === 'ended' && state.endedBy !== 'team');

function begun(data: ClaimData, state: ClaimState): ClaimEvent[] {
  if (mayBegin(state)) return [{ type: 'ClaimBegun', data }];
  const isOpen = state?.erased === false && (state.status === 'begun' || state.status === 'approved');
  if (!isOpen) return [];
  return [{ type: 'ClaimLinkRenewed', data: { link: data.link, language: data.language } }];
}

/** @throws CommandRefused not_found */
export function requireClaim({ asTeam }: ByTeam, state: ClaimState): ExistingClaim {
  if (!state || (asTeam !== undefined && asTeam !== state.team)) throw noClaim();
  return state;
}

export const noClaim = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such claim in your directory.');

/** What a team has chosen. Undefined: it has never chosen, so everything waits. */
export type ClaimRulesState = ClaimRulesEvent['data'] | undefined;

export const claimRules: Decider<
  ClaimRulesState,
  { readonly kind: 'choose'; readonly data: ClaimRulesEvent['data'] },
  ClaimRulesEvent
> = {
  stream: claimRulesStream,
  initial: undefined,
  evolve: (_, { data }) => data,
  decide({ data }, state) {
    const isSame =
      data.changes === (state?.changes ?? 'wait') && data.later_claims === (state?.later_claims ?? 'wait');
    return isSame ? [] : [{ type: 'ClaimRulesChosen', data }];
  },
};

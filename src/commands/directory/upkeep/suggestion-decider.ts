import {
  suggestionStream,
  type SuggestedField,
  type SuggestionEvent,
} from '../../../events/directory/upkeep/suggestion.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import type { Decider } from '../../command-handler.ts';

export type SuggestionData = Extract<SuggestionEvent, { type: 'ChangeSuggested' }>['data'];

/** A suggestion that there is. */
export interface ExistingSuggestion extends SuggestionData {
  readonly status: 'open' | 'accepted' | 'dismissed';
  readonly erased: boolean;
}

export type SuggestionState = ExistingSuggestion | undefined;

/** The team that commands, where not the operator does: only its own suggestions exist for it. */
export interface ByTeam {
  readonly asTeam?: string;
}

export type SuggestionCommand =
  | { readonly kind: 'suggest'; readonly data: SuggestionData }
  | ({ readonly kind: 'accept'; readonly fields: readonly SuggestedField[] } & ByTeam)
  | ({ readonly kind: 'dismiss' } & ByTeam)
  | ({ readonly kind: 'erase' } & ByTeam);

export const suggestion: Decider<SuggestionState, SuggestionCommand, SuggestionEvent> = {
  stream: suggestionStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'ChangeSuggested') return { ...event.data, status: 'open', erased: false };
    if (!state) return undefined;
    if (event.type === 'SuggestionAccepted') return { ...state, status: 'accepted' };
    if (event.type === 'SuggestionDismissed') return { ...state, status: 'dismissed' };
    const { suggested: _, ...rest } = state;
    return { ...rest, erased: true };
  },
  decide(command, state) {
    if (command.kind === 'suggest') {
      if (state) throw new CommandRefused('conflict', 'There is such a suggestion already.');
      return [{ type: 'ChangeSuggested', data: command.data }];
    }
    const { status, erased } = requireSuggestion(command, state);
    if (command.kind === 'erase') return erased ? [] : [{ type: 'SuggestionErased', data: {} }];
    const settles = command.kind === 'accept' ? 'accepted' : 'dismissed';
    if (status === settles) return [];
    if (status !== 'open') throw new CommandRefused('conflict', `The suggestion is ${status} already.`);
    return command.kind === 'accept'
      ? [{ type: 'SuggestionAccepted', data: { fields: [...command.fields] } }]
      : [{ type: 'SuggestionDismissed', data: {} }];
  },
};

/** @throws CommandRefused not_found */
export function requireSuggestion({ asTeam }: ByTeam, state: SuggestionState): ExistingSuggestion {
  if (!state || (asTeam !== undefined && asTeam !== state.team)) throw noSuggestion();
  return state;
}

export const noSuggestion = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such suggestion in your directory.');

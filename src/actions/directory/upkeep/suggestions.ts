import { z } from 'zod';
import { acceptSuggestion } from '../../../commands/directory/upkeep/accept-suggestion.ts';
import { namesIn, type SuggestedContent } from '../../../commands/directory/upkeep/suggested-values.ts';
import { noSuggestion } from '../../../commands/directory/upkeep/suggestion-decider.ts';
import {
  dismissSuggestion,
  eraseSuggestion,
  openSuggestions,
} from '../../../commands/directory/upkeep/suggestion.ts';
import { suggestedFieldNames, type SuggestedField } from '../../../events/directory/upkeep/suggestion.ts';
import { suggestions, type SuggestionDocument } from '../../../projections/directory/upkeep/suggestions.ts';
import type { Change } from '../../../projections/until-shown.ts';
import { action, type ActionParts, type Performing } from '../../action.ts';
import { oneOf, type Listing } from '../../listing.ts';
import { byTeam, reviewed } from '../records.ts';

/** A suggested change of a public record, with what it says. */
export interface Suggestion
  extends
    Omit<SuggestionDocument, 'suggested' | 'rank' | 'sealed_since' | 'fields'>,
    Pick<SuggestedContent, 'note' | 'contact'> {
  /** Null: nothing. */
  readonly changes: readonly {
    readonly field: SuggestedField;
    readonly before: unknown;
    readonly suggested: unknown;
  }[];
}

/** The suggestions about records of a team: open ones first, the oldest first. */
export const suggestionList: Listing<SuggestionDocument, Suggestion> = {
  name: 'suggestions',
  ...reviewed,
  readModel: suggestions,
  orderBy: ['rank', 'suggested_at', 'suggestion'],
  id: z.uuid(),
  none: noSuggestion,
  async open({ personal }, docs) {
    const contents = await openSuggestions(personal, docs);
    return docs.map(({ suggested: _, rank: _rank, sealed_since: _since, fields: _names, ...doc }, place) => {
      const { fields = {}, before = {}, ...words } = contents[place] ?? {};
      const changes = namesIn(fields).map((field) => ({
        field,
        before: before[field] ?? null,
        suggested: fields[field],
      }));
      return { ...doc, changes, ...words };
    });
  },
};

const id = z.uuid();

/**
 * Takes over what was suggested. `fields`: the names of those to take; default: all. `seen`: the position of the newest event
 * of the record that whoever accepts has seen.
 */
export const accept = action({
  name: 'directory.accept-suggestion',
  ...reviewed,
  input: z.object({
    id,
    fields: z.array(z.enum(suggestedFieldNames)).min(1).max(100).optional(),
    overwrite: z.boolean().optional(),
    seen: z.bigint().optional(),
  }),
  async run(parts, { id: suggestion, fields, overwrite, seen }, by) {
    const accepting = { take: fields, overwrite, seen, ...byTeam(by.who) };
    const { suggestion: settled, record } = await acceptSuggestion(parts, suggestion, accepting, by.context);
    return shown(parts, suggestion, by, [...record, settled]);
  },
});

/** Leaves the record as it is. */
export const dismiss = action({
  name: 'directory.dismiss-suggestion',
  ...reviewed,
  input: z.object({ id }),
  run: async (parts, { id: suggestion }, by) =>
    shown(parts, suggestion, by, [await dismissSuggestion(parts, suggestion, byTeam(by.who), by.context)]),
});

/** Erases what was suggested, the note and how to reach whoever suggested it, for ever. */
export const erase = action({
  name: 'directory.erase-suggestion',
  ...reviewed,
  input: z.object({ id }),
  run: async (parts, { id: suggestion }, by) =>
    shown(parts, suggestion, by, [await eraseSuggestion(parts, suggestion, byTeam(by.who), by.context)]),
});

const shown = (parts: ActionParts, suggestion: string, { who }: Performing, changes: readonly Change[]) => ({
  changes,
  value: () => oneOf(suggestionList, parts, who.team, suggestion),
});

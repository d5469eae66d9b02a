import { z } from 'zod';
import type { Suggestion } from '../../../actions/directory/upkeep/suggestions.ts';
import {
  suggestedFieldNames,
  suggester,
  suggestionKind,
} from '../../../events/directory/upkeep/suggestion.ts';
import { suggestionStatuses } from '../../../projections/directory/upkeep/suggestions.ts';

const time = z.iso.datetime();
const fieldName = z.enum(suggestedFieldNames);
const value = z.unknown().describe('As the record has it. Null: nothing.');

/** A suggestion in answers. */
export const suggestion = z.object({
  id: z.uuid(),
  svc_id: z.string().describe('The record that it is about.'),
  by: suggester.describe(
    'visitor: on the page of the record; agency: by a link that was mailed to its contact; claimant: by who keeps the record.',
  ),
  what: suggestionKind.describe('change: fields; closed: take the record out; not_ours: it is not theirs.'),
  status: z.enum(suggestionStatuses),
  changes: z
    .array(z.object({ field: fieldName, before: value, suggested: value }))
    .describe('Field by field, what stood when it was suggested, and what should stand.'),
  note: z.string().nullable().describe('In their own words.'),
  contact: z.string().nullable().describe('An email address or a phone number, where they gave one.'),
  erased: z.boolean(),
  suggested_at: time,
  settled_at: time.nullable(),
  taken: z.array(fieldName).nullable().describe('The fields that were taken over.'),
});

/** A suggestion as its reviewers see it. */
export const showSuggestion = (shown: Suggestion): z.output<typeof suggestion> => ({
  id: shown.suggestion,
  svc_id: shown.svc_id,
  by: shown.by,
  what: shown.kind,
  status: shown.status,
  changes: [...shown.changes],
  note: shown.note ?? null,
  contact: shown.contact ?? null,
  erased: shown.erased === true,
  suggested_at: shown.suggested_at,
  settled_at: shown.settled_at ?? null,
  taken: shown.taken ? [...shown.taken] : null,
});

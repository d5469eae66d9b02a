import { z } from 'zod';
import { event, slug, stream, type EventOf } from '../../define.ts';
import { flatMemberNames, type FlatMember } from '../flat-members.ts';
import { resourceFieldRows, type PersonalFieldName, type ResourceFieldName } from '../resource-fields.ts';
import { svcId } from '../resource.ts';

/** Who suggests: anybody, on the page of the record; the agency, by a link that was mailed to a contact; or who has claimed it. */
export const suggesters = ['visitor', 'agency', 'claimant'] as const;
export type Suggester = (typeof suggesters)[number];

/** Fields should change; the service has closed; or it is not one of the agency that was asked. */
export const suggestionKinds = ['change', 'closed', 'not_ours'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

/** A field of which a change can be suggested: of those that are about no person. Or a flat member. */
export type SuggestedField = Exclude<ResourceFieldName, PersonalFieldName> | FlatMember;

/** In the order of the table of fields; the flat members come last. */
export const suggestedFieldNames = [
  ...resourceFieldRows.flatMap(({ name, ...row }) => ('personal' in row ? [] : [name])),
  ...flatMemberNames,
] as SuggestedField[];

const fieldNames = z
  .array(z.enum(suggestedFieldNames, { message: 'must be the name of a field' }))
  .max(suggestedFieldNames.length);

export const suggester = z.enum(suggesters, { message: `must be one of ${suggesters.join(', ')}` });
export const suggestionKind = z.enum(suggestionKinds, {
  message: `must be one of ${suggestionKinds.join(', ')}`,
});

/** The most characters of what is sealed: whole lists of places are long. */
const longestSealed = 300_000;

/** Each suggestion has a stream of its own, so that suggestions never meet in a conflict. */
export const suggestionStream = stream('suggestion', {
  ChangeSuggested: event(
    'Somebody suggested a change of a public record. Nothing of the record is changed yet. What is suggested is sealed with the suggestion’s own data key.',
    z.strictObject({
      suggestion: z.uuid(),
      svc_id: svcId,
      team: slug.describe('The team in whose directory the record is. It reviews the suggestion.'),
      by: suggester,
      kind: suggestionKind,
      fields: fieldNames.describe('The names of the fields that are to change.'),
      suggested: z
        .string()
        .max(longestSealed)
        .regex(/^[A-Za-z0-9_-]+$/)
        .meta({ title: 'sealed under the suggestion’s data key, base64url' })
        .optional()
        .describe('The values, what stood there, a note and how to reach whoever suggests it.'),
      ask: z.uuid().optional().describe('The mail that it answers.'),
    }),
  ),
  SuggestionAccepted: event(
    'The team took over what was suggested, or part of it. The events of the record that it led to name the suggestion as their correlation.',
    z.strictObject({ fields: fieldNames.describe('The names of the fields that were taken.') }),
  ),
  SuggestionDismissed: event('The team dismissed the suggestion.', z.strictObject({})),
  SuggestionErased: event(
    'What was suggested was erased. Its data key is destroyed, so nobody can read what was sealed with it.',
    z.strictObject({}),
  ),
});
export type SuggestionEvent = EventOf<typeof suggestionStream>;

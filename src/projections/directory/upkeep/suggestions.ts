import {
  suggestionStream,
  type SuggestedField,
  type Suggester,
  type SuggestionEvent,
  type SuggestionKind,
} from '../../../events/directory/upkeep/suggestion.ts';
import { streamId } from '../../../events/define.ts';
import type { Actor } from '../../../events/metadata.ts';
import { defined } from '../../../ground/defined.ts';
import { projection } from '../../engine/read-model.ts';

export const suggestionStatuses = ['open', 'accepted', 'dismissed'] as const;
export type SuggestionStatus = (typeof suggestionStatuses)[number];

/** A suggested change of a public record, for the reviewers of its team. */
export interface SuggestionDocument {
  readonly suggestion: string;
  readonly svc_id: string;
  readonly team: string;
  readonly by: Suggester;
  readonly kind: SuggestionKind;
  /** The names of the fields that are to change. */
  readonly fields: readonly SuggestedField[];
  readonly status: SuggestionStatus;
  /** 0 while it is open: lists begin with those. */
  readonly rank: 0 | 1;
  /** What is suggested, sealed under its data key. Absent when it says nothing, and when that is erased. */
  readonly suggested?: string;
  readonly erased?: true;
  /** The mail that it answers. */
  readonly ask?: string;
  readonly suggested_at: string;
  readonly settled_at?: string;
  readonly settled_by?: Actor;
  /** The names of the fields that were taken. */
  readonly taken?: readonly SuggestedField[];
  /** When it was settled, while it is not erased: by it the old ones are found. */
  readonly sealed_since?: string;
}

export const suggestions = projection<SuggestionDocument, SuggestionEvent>({
  version: 1,
  events: ['ChangeSuggested', 'SuggestionAccepted', 'SuggestionDismissed', 'SuggestionErased'],
  collection: {
    name: 'suggestions',
    fields: ['suggestion', 'svc_id', 'team', 'status', 'rank', 'suggested_at', 'sealed_since'],
    indexes: [
      ['team', 'rank', 'suggested_at', 'suggestion'],
      ['team', 'status', 'suggested_at', 'suggestion'],
      ['rank', 'suggested_at', 'suggestion'],
      ['status', 'suggested_at', 'suggestion'],
      ['svc_id', 'status', 'suggested_at', 'suggestion'],
      ['sealed_since', 'suggestion'],
    ],
  },
  idOf: (event) => streamId(event, suggestionStream),
  fold(doc, event) {
    const { at, actor } = event.metadata;
    if (event.type === 'ChangeSuggested')
      return { ...event.data, status: 'open', rank: 0, suggested_at: at } as SuggestionDocument;
    if (!doc) return undefined;
    if (event.type === 'SuggestionErased') {
      const { suggested: _, sealed_since: _since, ...rest } = doc;
      return { ...rest, erased: true };
    }
    const settled = {
      ...doc,
      rank: 1,
      settled_at: at,
      settled_by: actor,
      ...(doc.suggested === undefined ? {} : { sealed_since: at }),
    } as const;
    return event.type === 'SuggestionAccepted'
      ? { ...settled, status: 'accepted', taken: event.data.fields }
      : { ...settled, status: 'dismissed' };
  },
});

/** Suggestions in the order of a list: open ones first, then the oldest first. */
export const suggestionsQuery = (filter: {
  readonly team?: string | undefined;
  readonly status?: SuggestionStatus | undefined;
  readonly svc_id?: string | undefined;
}) => {
  const where = defined({ team: filter.team, status: filter.status, svc_id: filter.svc_id });
  const order = ['suggested_at', 'suggestion'] as const;
  return { where, orderBy: filter.status === undefined ? (['rank', ...order] as const) : order };
};

import { describe, expect, it } from 'vitest';
import type { SuggestionEvent } from '../../../../src/events/directory/upkeep/suggestion.ts';
import { svcIdOf } from '../../../../src/events/ids.ts';
import { suggestions } from '../../../../src/projections/directory/upkeep/suggestions.ts';
import { at, given, somebody } from '../../../support/fold.ts';

const suggestion = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
const stream = `suggestion-${suggestion}`;
const suggested: SuggestionEvent = {
  type: 'ChangeSuggested',
  data: {
    suggestion,
    svc_id: svcIdOf(7),
    team: 'harbour',
    by: 'agency',
    kind: 'change',
    fields: ['phone', 'cost'],
    suggested: 'c2VhbGVk',
  },
};
const accepted: SuggestionEvent = { type: 'SuggestionAccepted', data: { fields: ['phone'] } };
const dismissed: SuggestionEvent = { type: 'SuggestionDismissed', data: {} };
const erased: SuggestionEvent = { type: 'SuggestionErased', data: {} };

describe('the read model of suggestions', () => {
  it('shows a new suggestion as open, with what is suggested sealed', () => {
    expect(given(suggestions, [stream, suggested]).get(suggestion)).toEqual({
      ...suggested.data,
      status: 'open',
      rank: 0,
      suggested_at: at(0),
    });
  });

  it('shows what came of it, by whom, and since when it is only kept', () => {
    expect(given(suggestions, [stream, suggested], [stream, accepted]).get(suggestion)).toMatchObject({
      status: 'accepted',
      taken: ['phone'],
      rank: 1,
      settled_at: at(1),
      sealed_since: at(1),
      settled_by: somebody,
    });
    expect(given(suggestions, [stream, suggested], [stream, dismissed]).get(suggestion)).toMatchObject({
      status: 'dismissed',
      rank: 1,
    });
  });

  it('keeps nothing of what an erased one suggested', () => {
    const doc = given(suggestions, [stream, suggested], [stream, dismissed], [stream, erased]).get(
      suggestion,
    );
    expect(doc).toMatchObject({ status: 'dismissed', erased: true });
    for (const gone of ['suggested', 'sealed_since']) expect(doc).not.toHaveProperty(gone);
    const later = given(suggestions, [stream, suggested], [stream, erased], [stream, dismissed]);
    expect(later.get(suggestion)).not.toHaveProperty('sealed_since');
  });

  it('has no suggestion that was never made', () => {
    expect(given(suggestions, [stream, dismissed], [stream, erased])).toEqual(new Map());
  });
});

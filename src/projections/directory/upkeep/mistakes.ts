import {
  mistakeStream,
  type MistakeEvent,
  type MistakeKind,
  type MistakeOutcome,
} from '../../../events/directory/upkeep/mistake.ts';
import { streamId } from '../../../events/define.ts';
import type { Actor } from '../../../events/metadata.ts';
import { defined } from '../../../ground/defined.ts';
import { projection } from '../../engine/read-model.ts';

/** A report of a mistake in a public record, for the reviewers of its team. */
export interface MistakeDocument {
  readonly report: string;
  readonly svc_id: string;
  readonly team: string;
  readonly kind: MistakeKind;
  readonly status: 'open' | MistakeOutcome;
  /** 0 while it is open: lists begin with those. */
  readonly rank: 0 | 1;
  /** What it says, sealed under its data key. Absent when it says nothing, and when that is erased. */
  readonly said?: string;
  readonly erased?: true;
  readonly reported_at: string;
  readonly resolved_at?: string;
  readonly resolved_by?: Actor;
}

export const mistakes = projection<MistakeDocument, MistakeEvent>({
  version: 1,
  events: ['MistakeReported', 'MistakeResolved', 'MistakeReportErased'],
  collection: {
    name: 'mistakes',
    fields: ['report', 'team', 'status', 'rank', 'reported_at'],
    indexes: [
      ['team', 'rank', 'reported_at', 'report'],
      ['team', 'status', 'reported_at', 'report'],
      ['rank', 'reported_at', 'report'],
      ['status', 'reported_at', 'report'],
    ],
  },
  idOf: (event) => streamId(event, mistakeStream),
  fold(doc, event) {
    const { at, actor } = event.metadata;
    if (event.type === 'MistakeReported')
      return { ...event.data, status: 'open', rank: 0, reported_at: at } as MistakeDocument;
    if (!doc) return undefined;
    if (event.type === 'MistakeResolved')
      return { ...doc, status: event.data.outcome, rank: 1, resolved_at: at, resolved_by: actor };
    const { said: _, ...rest } = doc;
    return { ...rest, erased: true };
  },
});

/** Reports in the order of a list: open ones first, then the oldest first. */
export const reportsQuery = (filter: {
  readonly team?: string | undefined;
  readonly status?: MistakeDocument['status'] | undefined;
}) => {
  const where = defined({ team: filter.team, status: filter.status });
  const order = ['reported_at', 'report'] as const;
  return { where, orderBy: filter.status === undefined ? (['rank', ...order] as const) : order };
};

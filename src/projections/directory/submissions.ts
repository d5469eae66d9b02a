import type { Actor } from '../../events/metadata.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import { streamId } from '../../events/define.ts';
import { projection } from '../engine/define.ts';

/** A submission and what became of it: the reviewers' queue and its history. */
export interface SubmissionDocument {
  readonly svc_id: string;
  readonly team: string;
  readonly status: 'submitted' | 'approved' | 'rejected';
  readonly name: string;
  readonly category: string;
  readonly submitted_at: string;
  readonly submitted_by: Actor;
  readonly decided_at?: string;
  readonly decided_by?: Actor;
  readonly reason?: string;
}

export const submissions = projection<SubmissionDocument, ResourceEvent>({
  version: 1,
  events: ['ResourceSubmitted', 'ResourceApproved', 'ResourceRejected', 'ResourceRevised'],
  collection: {
    name: 'submissions',
    fields: ['team', 'status', 'submitted_at', 'svc_id'],
    indexes: [
      ['status', 'submitted_at', 'svc_id'],
      ['team', 'status', 'submitted_at', 'svc_id'],
    ],
  },
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    const { at, actor } = event.metadata;
    switch (event.type) {
      case 'ResourceSubmitted': {
        const { svc_id, team, fields } = event.data;
        const { name, category } = fields;
        return { svc_id, team, status: 'submitted', name, category, submitted_at: at, submitted_by: actor };
      }
      case 'ResourceRevised':
        return doc && { ...doc, name: event.data.fields.name, category: event.data.fields.category };
      case 'ResourceApproved':
        return doc && decided(doc, 'approved', at, actor, event.data.note);
      case 'ResourceRejected':
        return doc && decided(doc, 'rejected', at, actor, event.data.reason);
      case 'ResourceDeactivated':
      case 'ResourceReactivated':
        return doc;
    }
  },
});

function decided(
  { reason: _, ...doc }: SubmissionDocument,
  status: 'approved' | 'rejected',
  decided_at: string,
  decided_by: Actor,
  reason: string | undefined,
): SubmissionDocument {
  return { ...doc, status, decided_at, decided_by, ...(reason === undefined ? {} : { reason }) };
}

import { streamId } from '../../events/define.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import { shownName } from '../../events/directory/shown-name.ts';
import { projection } from '../engine/read-model.ts';

/** A record that a person has submitted, and what became of it. Those of imports and keys have none. */
export interface OwnSubmissionDocument {
  readonly svc_id: string;
  readonly team: string;
  /** Who submitted it. */
  readonly user: string;
  readonly name: string;
  readonly status: 'submitted' | 'approved' | 'rejected' | 'inactive';
  /** What stands beside the newest decision. */
  readonly note?: string;
  /** ISO 8601: of the newest decision, or since when it waits. */
  readonly since: string;
  /** Whoever submitted it brought it there. */
  readonly by_submitter?: true;
  /** ISO 8601: when it was last decided about while it waited. It stays when that is taken back. */
  readonly decided_at?: string;
}

export const ownSubmissions = projection<OwnSubmissionDocument, ResourceEvent>({
  version: 2,
  deferred: true,
  events: [
    'ResourceSubmitted',
    'ResourceApproved',
    'ResourceRejected',
    'ResourceRevised',
    'ResourceDeactivated',
    'ResourceReactivated',
    'ResourceWithdrawn',
    'ResourceResubmitted',
    'ResourceMerged',
    'ResourceUnmerged',
  ],
  collection: {
    name: 'own-submissions',
    fields: ['team', 'user', 'since', 'svc_id'],
    indexes: [
      ['team', 'user', 'since', 'svc_id'],
      ['user', 'since', 'svc_id'],
      ['since', 'svc_id'],
    ],
  },
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    const { at: since, actor } = event.metadata;
    if (event.type === 'ResourceSubmitted') {
      const { svc_id, team, source, fields } = event.data;
      if (actor.kind !== 'user' || source) return undefined;
      return {
        svc_id,
        team,
        user: actor.id,
        name: shownName(fields),
        status: 'submitted',
        since,
        by_submitter: true,
      };
    }
    if (!doc) return undefined;
    const becomes = (status: OwnSubmissionDocument['status'], note?: string): OwnSubmissionDocument => {
      const { note: _, by_submitter: __, ...rest } = doc;
      const isDecided = doc.status === 'submitted' && status !== 'submitted';
      return {
        ...rest,
        status,
        since,
        ...(note === undefined ? {} : { note }),
        ...(actor.kind === 'user' && actor.id === doc.user ? { by_submitter: true as const } : {}),
        ...(isDecided ? { decided_at: since } : {}),
      };
    };
    switch (event.type) {
      case 'ResourceApproved':
      case 'ResourceReactivated':
        return becomes('approved', event.data.note);
      case 'ResourceRejected':
      case 'ResourceDeactivated':
      case 'ResourceWithdrawn':
        return becomes(event.type === 'ResourceRejected' ? 'rejected' : 'inactive', event.data.reason);
      case 'ResourceResubmitted':
        return becomes('submitted');
      case 'ResourceRevised':
        return { ...doc, name: shownName(event.data.fields) };
      case 'ResourceMerged':
        return becomes('inactive');
      case 'ResourceUnmerged':
        return becomes(event.data.status);
      // They change neither its name nor what became of it.
      case 'ResourceConfirmed':
      case 'ResourceConfirmationLapsed':
      case 'ResourceReadFromSource':
      case 'ResourcePersonErased':
      case 'ResourceAbsorbed':
      case 'ResourceReleased':
        return doc;
    }
  },
});

import { teamStream, viewStream, type TeamEvent, type ViewEvent } from '../events/teams.ts';
import type { Documents } from '../stores/documents/port.ts';
import { defined } from '../ground/defined.ts';
import { streamId } from '../events/define.ts';
import { projection } from './engine/read-model.ts';

export interface TeamDocument {
  readonly team: string;
  readonly name: string;
  /** Team scopes that an administrator has enabled. */
  readonly scopes: readonly string[];
  /** Of its records that tell no other. */
  readonly time_zone?: string;
  readonly created_at: string;
  /** Of a team that is closed: since when. */
  readonly closed_at?: string;
}

export const teams = projection<TeamDocument, TeamEvent>({
  version: 4,
  events: [
    'TeamCreated',
    'TeamRenamed',
    'TeamClosed',
    'TeamReopened',
    'TeamScopesEnabled',
    'TeamTimeZoneSet',
  ],
  collection: { name: 'teams', fields: ['team'], indexes: [['team']] },
  idOf: (event) => streamId(event, teamStream),
  fold(doc, event) {
    switch (event.type) {
      case 'TeamCreated':
        return { team: event.data.team, name: event.data.name, scopes: [], created_at: event.metadata.at };
      case 'TeamRenamed':
        return doc && { ...doc, name: event.data.name };
      case 'TeamClosed':
        return doc && { ...doc, closed_at: event.metadata.at };
      case 'TeamReopened': {
        if (!doc) return undefined;
        const { closed_at: _, ...open } = doc;
        return open;
      }
      case 'TeamScopesEnabled':
        return doc && { ...doc, scopes: event.data.scopes };
      case 'TeamTimeZoneSet':
        return doc && withTimeZone(doc, event.data.time_zone);
      case 'MemberInvited':
      case 'InvitationLinkDisclosed':
      case 'TeamPasskeysRequired':
      case 'InvitationWithdrawn':
      case 'InvitationExpired':
      case 'MemberJoined':
      case 'MemberRoleChanged':
      case 'MemberLeft':
        return doc;
    }
  },
});

function withTimeZone({ time_zone: _, ...doc }: TeamDocument, time_zone: string | undefined): TeamDocument {
  return { ...doc, ...defined({ time_zone }) };
}

/** A view of its directory that a team has saved. */
export interface ViewDocument {
  readonly view: string;
  readonly team: string;
  readonly name: string;
  /** The name without case, by which views are listed. */
  readonly key: string;
  /** As in the address of the table. */
  readonly query: string;
  readonly saved_at: string;
}

export const viewOrder = ['key', 'view'] as const;

export const views = projection<ViewDocument, ViewEvent>({
  version: 1,
  events: ['ViewSaved', 'ViewRemoved'],
  collection: { name: 'views', fields: ['team', 'key', 'view'], indexes: [['team', ...viewOrder]] },
  idOf: (event) => streamId(event, viewStream),
  fold(_, event) {
    if (event.type === 'ViewRemoved') return undefined;
    const { team, name, query } = event.data;
    const view = streamId(event, viewStream);
    return { view, team, name, key: name.toLowerCase(), query, saved_at: event.metadata.at };
  },
});

/** More are not shown above a table, and a team cannot save more. */
export const mostViews = 50;

export const viewsOf = (documents: Pick<Documents, 'collection'>, team: string): Promise<ViewDocument[]> =>
  documents.collection(views.collection).page({ where: { team }, orderBy: viewOrder, limit: mostViews });

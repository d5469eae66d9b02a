import { teamStream, type TeamEvent } from '../events/teams.ts';
import { streamId } from '../events/define.ts';
import { projection } from './engine/define.ts';

export interface TeamDocument {
  readonly team: string;
  readonly name: string;
  /** Team scopes that an administrator has enabled. */
  readonly scopes: readonly string[];
  readonly created_at: string;
}

export const teams = projection<TeamDocument, TeamEvent>({
  version: 1,
  events: ['TeamCreated', 'TeamScopesEnabled'],
  collection: { name: 'teams', fields: ['team'], indexes: [['team']] },
  idOf: (event) => streamId(event, teamStream),
  fold(doc, event) {
    switch (event.type) {
      case 'TeamCreated':
        return { team: event.data.team, name: event.data.name, scopes: [], created_at: event.metadata.at };
      case 'TeamScopesEnabled':
        return doc && { ...doc, scopes: event.data.scopes };
      case 'MemberInvited':
      case 'InvitationWithdrawn':
      case 'InvitationExpired':
      case 'MemberJoined':
      case 'MemberRoleChanged':
      case 'MemberLeft':
        return doc;
    }
  },
});

import { teamStream, type TeamEvent } from '../events/teams.ts';
import { defined } from '../ground/defined.ts';
import { streamId } from '../events/define.ts';
import { projection } from './engine/define.ts';

export interface TeamDocument {
  readonly team: string;
  readonly name: string;
  /** Team scopes that an administrator has enabled. */
  readonly scopes: readonly string[];
  /** Of its records that tell no other. */
  readonly time_zone?: string;
  readonly created_at: string;
}

export const teams = projection<TeamDocument, TeamEvent>({
  version: 2,
  events: ['TeamCreated', 'TeamScopesEnabled', 'TeamTimeZoneSet'],
  collection: { name: 'teams', fields: ['team'], indexes: [['team']] },
  idOf: (event) => streamId(event, teamStream),
  fold(doc, event) {
    switch (event.type) {
      case 'TeamCreated':
        return { team: event.data.team, name: event.data.name, scopes: [], created_at: event.metadata.at };
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

import type { MemberRole, TeamEvent } from '../events/teams.ts';
import { projection } from './engine/read-model.ts';

type MemberEvent = Extract<TeamEvent, { type: 'MemberJoined' | 'MemberRoleChanged' | 'MemberLeft' }>;

/**
 * One person in one team. Somebody who left is marked. `person` opens to the name and email address at the time of
 * joining.
 */
export interface MemberDocument {
  readonly team: string;
  readonly user: string;
  readonly role: MemberRole;
  readonly status: 'member' | 'left';
  readonly person: string;
  readonly joined_at: string;
  readonly left_at?: string;
}

/** The id of a person's membership of a team. */
export const memberId = (team: string, user: string): string => `${team}.${user}`;

export const members = projection<MemberDocument, MemberEvent>({
  version: 1,
  events: ['MemberJoined', 'MemberRoleChanged', 'MemberLeft'],
  collection: {
    name: 'members',
    fields: ['team', 'user', 'status', 'joined_at'],
    indexes: [
      ['user', 'status', 'team'],
      ['team', 'status', 'joined_at', 'user'],
    ],
  },
  idOf: ({ data: { team, user } }) => memberId(team, user),
  fold(doc, event) {
    const { at } = event.metadata;
    switch (event.type) {
      case 'MemberJoined': {
        const { team, user, role, person } = event.data;
        return { team, user, role, status: 'member', person, joined_at: at };
      }
      case 'MemberRoleChanged':
        return doc && { ...doc, role: event.data.role };
      case 'MemberLeft':
        return doc && { ...doc, status: 'left', left_at: at };
    }
  },
});

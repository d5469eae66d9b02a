import { z } from 'zod';
import { commandApiKey } from '../../commands/keys.ts';
import { withLabels } from '../../commands/keys-label.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { changeMemberRole, endMembership, joinTeam } from '../../commands/teams/member.ts';
import { slug } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import { userId } from '../../events/oauth/values.ts';
import { memberRole } from '../../events/teams.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { apiKeys, isValid, type ApiKeyDocument } from '../../projections/keys.ts';
import { members, type MemberDocument } from '../../projections/teams-members.ts';
import type { Change } from '../../projections/until-shown.ts';
import { peopleNamed } from '../accounts/people-named.ts';
import { action, personOf, type ActionParts } from '../action.ts';
import type { Listing } from '../listing.ts';
import { removeEndedInvitationMails } from './invitation-mails.ts';

/** A member with what their account says now. Null, both, when the person is erased. */
export interface Member extends Pick<MemberDocument, 'user' | 'role' | 'joined_at'> {
  readonly name: string | null;
  readonly email: string | null;
}

/** The members of a team, who joined first first. */
export const memberList: Listing<MemberDocument, Member> = {
  name: 'members',
  right: 'see the team',
  scope: 'members:read',
  readModel: members,
  where: { status: 'member' },
  orderBy: ['joined_at', 'user'],
  id: z.string(),
  none: () => new CommandRefused('not_found', 'There is no such member.'),
  async open(parts, docs) {
    const named = await peopleNamed(
      parts,
      docs.map(({ user }) => user),
    );
    return docs.map(({ user, role, joined_at }) => {
      const { name, email } = named.get(user) ?? { name: null, email: null };
      return { user, role, joined_at, name, email };
    });
  },
};

/** Adds a person who has an account. An open invitation to their address ends. */
export const add = action({
  name: 'members.add',
  right: 'administrator',
  input: z.object({ user: userId, role: memberRole }),
  async run(
    parts: ActionParts & { readonly outbox: Outbox },
    { user, role },
    { who: { team = '' }, context },
  ) {
    const changes = await joinTeam(parts, { team, user, role }, context);
    await removeEndedInvitationMails(parts.outbox, changes);
    return { changes, value: () => ({ team, role, user }) };
  },
});

/** Changes the role of a member. A team keeps at least one admin. */
export const changeRole = action({
  name: 'members.change-role',
  right: 'change members',
  input: z.object({ user: userId, role: memberRole }),
  async run(parts, { user, role }, { who: { team = '' }, context }) {
    const changes = await changeMemberRole(parts, { team, user, role }, context);
    return { changes, value: () => ({ team, role, user }) };
  },
});

/** A key that the person made for the team and that worked when they were removed. */
export type KeyOfMember = Pick<ApiKeyDocument, 'key_id' | 'label' | 'scopes' | 'created_at'>;

/**
 * Removes a member. Returns the keys that they made for the team, which work on unless they are revoked: who has seen
 * a key may have copied it. When it resolves, nothing that the role or a revoked key allowed is allowed any more. A
 * repeat goes on where an earlier call stopped.
 */
export const remove = action({
  name: 'members.remove',
  right: 'change members',
  input: z.object({ user: userId, revoke_keys: z.boolean().default(false) }),
  async run(
    { store, personal, documents },
    { user, revoke_keys },
    { who: { team = '' }, context, untilShown },
  ) {
    const ended = await endMembership({ store }, { team, user }, context);
    // A key that was made just before must be among the keys.
    await untilShown([ended, { types: ['ApiKeyCreated'], position: ended.position }]);
    const made = await paginateAll(documents.collection(apiKeys.collection), {
      where: { team, created_by: user },
      orderBy: ['created_at', 'key_id'],
    });
    const valid = await withLabels(
      personal,
      made.filter((key) => isValid(key, context.at)),
    );
    const revoked: Change[] = [];
    for (const { key_id } of revoke_keys ? valid : []) {
      const command = { kind: 'revoke', reason: 'Its maker was removed from the team.' } as const;
      const own = { ...context, commandId: uuidOf(context.commandId, 'key', key_id) };
      revoked.push(await commandApiKey(store, key_id, command, own));
    }
    const keys: readonly KeyOfMember[] = valid.map(({ key_id, label, scopes, created_at }) => ({
      key_id,
      label,
      scopes,
      created_at,
    }));
    return { changes: revoked, value: () => ({ team, user, keys, keys_revoked: revoke_keys }) };
  },
});

/** Leaves a team. Its last admin stays. */
export const leave = action({
  name: 'members.leave',
  input: z.object({ team: z.string() }),
  async run(parts, { team }, { who, context }) {
    // A text that is no slug must not begin a stream name.
    if (!slug.safeParse(team).success) throw new CommandRefused('not_found', 'There is no such team.');
    return { changes: await endMembership(parts, { team, user: personOf(who) }, context), value: () => team };
  },
});

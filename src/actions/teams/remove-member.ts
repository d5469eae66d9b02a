import { commandApiKey } from '../../commands/keys/api-key.ts';
import { withLabels } from '../../commands/keys/key-label.ts';
import { endMembership, type MemberParts } from '../../commands/teams/member.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { apiKeys, type ApiKeyDocument } from '../../projections/keys/api-keys.ts';
import type { Change } from '../../projections/until-shown.ts';
import type { Documents } from '../../stores/documents/port.ts';

export interface RemovalParts extends MemberParts {
  readonly documents: Documents;
  /** Resolves when the read models show the changes. */
  readonly untilShown: (changes: Change | readonly Change[]) => Promise<void>;
}

export interface Removal {
  readonly team: string;
  readonly user: string;
  /** Also revokes the keys that the person made for the team. */
  readonly revokeKeys: boolean;
}

/** A key that the person made for the team and that was active when they were removed. */
export type KeyOfMember = Pick<ApiKeyDocument, 'key_id' | 'label' | 'scopes' | 'created_at'>;

/**
 * Removes a member. Returns the keys that they made for the team, which work on unless they are revoked: who has seen
 * a key may have copied it. When it resolves, nothing that the role or a revoked key allowed is allowed any more. A
 * repeat goes on where an earlier call stopped.
 * @throws CommandRefused not_found (team), conflict (the last admin)
 */
export async function removeMember(
  { store, personal, documents, untilShown }: RemovalParts,
  { team, user, revokeKeys }: Removal,
  context: CommandContext,
): Promise<readonly KeyOfMember[]> {
  const ended = await endMembership({ store }, { team, user }, context);
  // A key that was made just before must be among the keys.
  await untilShown([ended, { types: ['ApiKeyCreated'], position: ended.position }]);
  const made = await paginateAll(documents.collection(apiKeys.collection), {
    where: { team, created_by: user },
    orderBy: ['created_at', 'key_id'],
  });
  const active = await withLabels(
    personal,
    made.filter(({ status }) => status === 'active'),
  );
  if (revokeKeys) {
    const revoked: Change[] = [];
    for (const { key_id } of active) {
      const command = { kind: 'revoke', reason: 'Its maker was removed from the team.' } as const;
      const own = { ...context, commandId: uuidOf(context.commandId, 'key', key_id) };
      revoked.push(await commandApiKey(store, key_id, command, own));
    }
    await untilShown(revoked);
  }
  return active.map(({ key_id, label, scopes, created_at }) => ({ key_id, label, scopes, created_at }));
}

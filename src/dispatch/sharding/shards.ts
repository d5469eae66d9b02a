import { createHash } from 'node:crypto';

/**
 * Subscriptions are divided into shards. Each shard has one owner at a time, which makes all attempts for its
 * subscriptions, so a lane's concurrency limit holds with any number of dispatchers.
 *
 * All dispatchers must use the same number of shards: with different numbers two could send the same delivery under
 * different leases.
 */
export function shardOf(subscriptionId: string, shards: number): number {
  return createHash('sha256').update(subscriptionId).digest().readUInt32BE(0) % shards;
}

/** The name of a shard's lease. */
export const shardLease = (shard: number): string => `dispatch-shard-${String(shard).padStart(2, '0')}`;

/** How many shards a member should hold. All shares add up to all shards. The first members get the remainder. */
export function fairShare(shards: number, members: readonly string[], member: string): number {
  const place = members.indexOf(member);
  if (place === -1) return 0;
  return Math.floor(shards / members.length) + (place < shards % members.length ? 1 : 0);
}

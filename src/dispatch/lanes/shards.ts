import { hash } from 'node:crypto';

/**
 * Subscriptions are divided into shards. Each shard has one owner at a time, which makes all attempts for its
 * subscriptions, so a lane's concurrency limit holds with any number of dispatchers.
 *
 * All dispatchers must use the same number of shards: with different numbers two could send the same delivery under
 * different leases.
 */
export function shardOf(subscriptionId: string, shards: number): number {
  return shards === 1 ? 0 : numberOf(subscriptionId) % shards;
}

const numberOf = (subscriptionId: string): number => hash('sha256', subscriptionId, 'buffer').readUInt32BE(0);

/** The groups of the attempt journal. Each possible number of shards divides it, so that a shard has whole groups. */
const journalGroups = 64;

export const journalGroupOf = (subscriptionId: string): string =>
  String(numberOf(subscriptionId) % journalGroups);

/** The journal groups of a shard's subscriptions. */
export const journalGroupsOf = (shard: number, shards: number): string[] =>
  Array.from({ length: journalGroups }, (_, group) => group)
    .filter((group) => group % shards === shard)
    .map(String);

/** The name of a shard's lease. */
export const shardLease = (shard: number): string => `dispatch-shard-${String(shard).padStart(2, '0')}`;

/** How many shards a member should hold. All shares add up to all shards. The first members get the remainder. */
export function fairShare(shards: number, members: readonly string[], member: string): number {
  const place = members.indexOf(member);
  if (place === -1) return 0;
  return Math.floor(shards / members.length) + (place < shards % members.length ? 1 : 0);
}

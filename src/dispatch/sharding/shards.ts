import { createHash } from 'node:crypto';

/**
 * Subscriptions are divided into shards, and each shard has one owner at a time, who makes all attempts for its
 * subscriptions: so a lane's concurrency and its timers hold however many dispatchers there are.
 *
 * How many there are is part of what the stores hold: dispatchers that counted differently would each send the
 * same delivery under leases that do not exclude one another.
 */
export function shardOf(subscriptionId: string, shards: number): number {
  return createHash('sha256').update(subscriptionId).digest().readUInt32BE(0) % shards;
}

/** The name of the lease without which nobody makes an attempt for a shard. */
export const shardLease = (shard: number): string => `dispatch-shard-${String(shard).padStart(2, '0')}`;

/**
 * How many shards one of several members should hold. The shares of all add up to all shards, so whoever has
 * more than its share knows that somebody has less; the first in the order of members get what does not divide.
 */
export function fairShare(shards: number, members: readonly string[], member: string): number {
  const place = members.indexOf(member);
  if (place === -1) return 0;
  return Math.floor(shards / members.length) + (place < shards % members.length ? 1 : 0);
}

import { z } from 'zod';
import {
  commandFollowing,
  followingKeyName,
  followingKey,
  followingOf,
  notFollowed,
  storeFollowingKey,
  type Following,
} from '../../../commands/directory/upkeep/following.ts';
import { commandSource } from '../../../commands/directory/source.ts';
import { text } from '../../../events/define.ts';
import { sourceId, sourceName } from '../../../events/directory/source.ts';
import {
  followingStreamId,
  needsAcceptance,
  verifierKey,
} from '../../../events/directory/upkeep/following.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import { findSource } from '../../../imports/choose-source.ts';
import { sourcesOf } from '../../../projections/directory/sources.ts';
import { action, type ActionParts, type Performing } from '../../action.ts';
import { contactsOf } from './following-list.ts';
import { looked, type FollowingParts } from './look-at-directory.ts';

const right = 'import records';

/** The base address of an installation: what somebody pastes, without what follows the host. */
const address = text(2_000)
  .transform((typed) => typed.trim())
  .transform((typed) => (/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`))
  .transform((typed) => URL.parse(typed)?.origin ?? typed)
  .refine((base) => /^https?:\/\/[^/]+$/.test(base), {
    message: 'must be the address of another directory, such as https://directory.example.org',
  });

/** An API key of the other installation. */
const key = text(500)
  .transform((typed) => typed.trim())
  .refine((typed) => /^[\x21-\x7e]*$/.test(typed), { message: 'must be an API key, without spaces' })
  .transform((typed) => (typed === '' ? undefined : typed))
  .optional();

/** Looks at another directory before it is followed. Nothing is recorded. */
export const lookAtDirectory = action({
  name: 'directory.look-at-directory',
  right,
  input: z.object({ address, key }),
  wrongField: { conflict: 'address' },
  run: async (parts: FollowingParts, input) => {
    const seen = await looked(parts, input);
    return { changes: [], value: () => seen };
  },
});

/** Looks at a followed directory as it shows itself now, with the key that is stored. Nothing is recorded. */
export const lookAtFollowed = action({
  name: 'directory.look-at-followed',
  right,
  input: z.object({ source: sourceId }),
  wrongField: { not_found: 'source', conflict: 'source' },
  async run(parts: FollowingParts, { source }, { who }) {
    const of = await followedSource(parts, who, source);
    const state = await requireFollowed(parts, of);
    const seen = await looked(parts, {
      address: state.address,
      key: await followingKey(parts.vault, of),
    });
    return { changes: [], value: () => seen };
  },
});

/** Follows another directory: its records become records of a source of the team. `vkey`: the key that somebody has seen. */
export const followDirectory = action({
  name: 'directory.follow',
  right,
  input: z.object({
    address,
    vkey: verifierKey,
    key,
    name: sourceName.optional(),
    approve: z.boolean().default(false),
  }),
  wrongField: { conflict: 'address' },
  async run(parts: FollowingParts, { address: base, vkey, key: apiKey, name, approve }, by) {
    const { who, context, another } = by;
    const { team = '' } = who;
    const seen = await looked(parts, { address: base, key: apiKey, vkey });
    const of = { team, source: seen.name };
    const before = await followingOf(parts.store, of);
    if (before && before.phase !== 'ended')
      throw new CommandRefused('conflict', 'Your team follows this directory already.');
    await requireNewSource(parts, of, before);
    // Before the event, so that it is never followed without its key.
    if (apiKey === undefined) await parts.vault.delete(followingKeyName(of));
    else await storeFollowingKey(parts.vault, of, apiKey);
    await contactsOf(parts).forget(followingStreamId(team, seen.name));
    const named = await commandSource(
      parts.store,
      { kind: name === undefined ? 'name' : 'rename', ...of, name: name ?? new URL(base).host },
      another(),
    );
    const data = {
      ...of,
      ...{ address: base, vkey, approve },
      ...(apiKey === undefined ? {} : { with_key: true as const }),
    };
    const begun = await commandFollowing(parts.store, of, { kind: 'begin', data }, context);
    return { changes: [named, begun], value: () => ({ ...of, ...seen, approve }) };
  },
});

/** So long as many records are taken out as are gone, once somebody has accepted that. */
const manyGoneMs = 24 * 60 * 60_000;

/**
 * Goes on with a directory that is paused. Where its past is another one than the one that was followed, `vkey` is the key of
 * its log, which somebody has looked at. `key`: another API key.
 */
export const resumeFollowing = action({
  name: 'directory.resume-following',
  right,
  input: z.object({ source: sourceId, vkey: verifierKey.optional(), key }),
  wrongField: { not_found: 'source', conflict: 'vkey' },
  async run(parts: FollowingParts, { source, vkey, key: apiKey }, { who, context }) {
    const of = await followedSource(parts, who, source);
    const state = await requireFollowed(parts, of);
    const isOfPast = needsAcceptance(state.paused?.why);
    if (isOfPast && vkey !== undefined)
      await looked(parts, {
        address: state.address,
        key: apiKey ?? (await followingKey(parts.vault, of)),
        vkey,
      });
    if (apiKey !== undefined) await storeFollowingKey(parts.vault, of, apiKey);
    // What was seen of the past that was followed says nothing of the other one.
    await contactsOf(parts).forget(followingStreamId(of.team, of.source));
    const changes = await commandFollowing(
      parts.store,
      of,
      {
        kind: 'resume',
        ...(isOfPast && vkey !== undefined ? { anew: { vkey } } : {}),
        manyGoneUntil: new Date(context.at.getTime() + manyGoneMs).toISOString(),
        withKey: apiKey !== undefined,
      },
      context,
    );
    return { changes, value: () => of };
  },
});

/** Stops reading for a while. What came from it stays. */
export const pauseFollowing = action({
  name: 'directory.pause-following',
  right,
  input: z.object({ source: sourceId }),
  wrongField: { not_found: 'source' },
  async run(parts: ActionParts, { source }, { who, context }) {
    const of = await followedSource(parts, who, source);
    const changes = await commandFollowing(parts.store, of, { kind: 'pause', why: 'team' }, context);
    return { changes, value: () => of };
  },
});

/** Follows it no longer. What came from it stays, and its API key is forgotten. */
export const stopFollowing = action({
  name: 'directory.stop-following',
  right,
  input: z.object({ source: sourceId }),
  wrongField: { not_found: 'source' },
  async run(parts: ActionParts, { source }, { who, context }) {
    const of = await followedSource(parts, who, source);
    const changes = await commandFollowing(parts.store, of, { kind: 'end' }, context);
    await parts.vault.delete(followingKeyName(of));
    return { changes, value: () => of };
  },
});

/** A source of files is not mixed up with one that is followed. */
async function requireNewSource(
  { documents }: ActionParts,
  { team, source }: { readonly team: string; readonly source: string },
  before: Following | undefined,
): Promise<void> {
  const all = await sourcesOf(documents, team);
  if (!before && all.some((each) => each.source === source))
    throw new CommandRefused(
      'conflict',
      `Your team has a source ${source} already, whose records came by files.`,
    );
}

/** The source that a text names, by its name, id or address. @throws CommandRefused not_found */
async function followedSource(
  { documents }: ActionParts,
  { team = '' }: Performing['who'],
  named: string,
): Promise<{ readonly team: string; readonly source: string }> {
  const found = findSource(await sourcesOf(documents, team), named);
  return { team, source: found?.source ?? named };
}

async function requireFollowed(
  { store }: ActionParts,
  of: { readonly team: string; readonly source: string },
): Promise<Following> {
  const state = await followingOf(store, of);
  if (!state || state.phase === 'ended') throw notFollowed();
  return state;
}

import {
  followedStream,
  followedStreamId,
  followingStream,
  followingStreamId,
  needsAcceptance,
  type FollowedEvent,
  type FollowingEvent,
  type PauseReason,
} from '../../../events/directory/upkeep/following.ts';
import type { CommandContext } from '../../../events/metadata.ts';
import { defined } from '../../../ground/defined.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { Vault } from '../../../stores/vault/port.ts';
import { execute, load, type Decider, type Outcome } from '../../command-handler.ts';

type BegunData = Extract<FollowingEvent, { type: 'FollowingBegun' }>['data'];

/** What a team follows: a source of it. */
export interface OfTeam {
  readonly team: string;
  readonly source: string;
}

/** The subscription of a team to another directory. */
export interface Following extends OfTeam {
  readonly address: string;
  readonly vkey: string;
  readonly approve: boolean;
  readonly phase: 'following' | 'paused' | 'ended';
  readonly paused?: { readonly why: PauseReason; readonly detail?: string | undefined } | undefined;
  /** How often it was begun, or another past was accepted, before. What was read in one does not count in the next. */
  readonly epoch: number;
  /** That many records are gone was accepted, until then. ISO 8601 UTC. */
  readonly manyGoneUntil?: string | undefined;
}

export type FollowingState = Following | undefined;

export type FollowingCommand =
  | { readonly kind: 'begin'; readonly data: BegunData }
  | { readonly kind: 'replace-key'; readonly vkey: string }
  | { readonly kind: 'pause'; readonly why: PauseReason; readonly detail?: string | undefined }
  | {
      readonly kind: 'resume';
      /** Its past is another one, and its log has this key. */
      readonly anew?: { readonly vkey: string } | undefined;
      /** Where many records are gone: until when as many are taken out. ISO 8601 UTC. */
      readonly manyGoneUntil: string;
      readonly withKey?: boolean;
    }
  /** It has signed something new. Nothing happens where it is paused for another reason than silence. */
  | { readonly kind: 'answers-again' }
  | { readonly kind: 'end' };

export const following: Decider<FollowingState, FollowingCommand, FollowingEvent> = {
  stream: followingStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'FollowingBegun') {
      const { with_key: _, ...data } = event.data;
      return { ...data, phase: 'following', epoch: state ? state.epoch + 1 : 0 };
    }
    if (!state) return undefined;
    const { paused: _, ...running } = state;
    switch (event.type) {
      case 'FollowingKeyReplaced':
        return { ...state, vkey: event.data.vkey };
      case 'FollowingPaused': {
        const { why, detail } = event.data;
        return { ...state, phase: 'paused', paused: { why, ...defined({ detail }) } };
      }
      case 'FollowingResumed': {
        const { anew, many_gone_until: manyGoneUntil } = event.data;
        const resumed = { ...running, phase: 'following', ...defined({ manyGoneUntil }) } as const;
        return anew ? { ...resumed, vkey: anew.vkey, epoch: state.epoch + 1 } : resumed;
      }
      case 'FollowingEnded':
        return { ...running, phase: 'ended' };
    }
  },
  decide(command, state) {
    if (command.kind === 'begin') {
      if (state && state.phase !== 'ended')
        throw new CommandRefused('conflict', 'Your team follows this directory already.');
      return [{ type: 'FollowingBegun', data: command.data }];
    }
    if (!state || state.phase === 'ended') throw notFollowed();
    const { team, source, phase, paused } = state;
    const of = { team, source };
    switch (command.kind) {
      case 'replace-key':
        if (state.vkey === command.vkey) return [];
        return [{ type: 'FollowingKeyReplaced', data: { ...of, vkey: command.vkey } }];
      case 'pause': {
        const { why, detail } = command;
        // What is silent goes on by itself, unless somebody pauses it or something else is found.
        if (phase === 'paused' && (paused?.why !== 'silent' || why === 'silent')) return [];
        return [{ type: 'FollowingPaused', data: { ...of, why, ...defined({ detail }) } }];
      }
      case 'answers-again':
        return paused?.why === 'silent' ? [{ type: 'FollowingResumed', data: of }] : [];
      case 'resume': {
        if (phase === 'following') return [];
        const isOfPast = needsAcceptance(paused?.why);
        if (isOfPast && !command.anew)
          throw new CommandRefused(
            'conflict',
            'Its past is not the one that was followed. Look at the key of its log, and accept that.',
          );
        const anew = isOfPast ? command.anew : undefined;
        const takesMany = isOfPast || paused?.why === 'many-gone';
        const data = {
          ...of,
          ...defined({ anew }),
          ...(takesMany ? { many_gone_until: command.manyGoneUntil } : {}),
          ...(command.withKey ? { with_key: true as const } : {}),
        };
        return [{ type: 'FollowingResumed', data }];
      }
      case 'end':
        return [{ type: 'FollowingEnded', data: of }];
    }
  },
};

export const notFollowed = (): CommandRefused =>
  new CommandRefused('not_found', 'Your team does not follow this directory.');

export const commandFollowing = (
  store: EventStore,
  { team, source }: OfTeam,
  command: FollowingCommand,
  context: CommandContext,
): Promise<Outcome<FollowingState, FollowingEvent>> =>
  execute(store, following, followingStreamId(team, source), command, context);

/** Undefined: the team has never followed it. */
export const followingOf = async (store: EventStore, { team, source }: OfTeam): Promise<FollowingState> =>
  (await load(store, following, followingStreamId(team, source))).state;

/** How far a directory was read. Undefined: not at all in this epoch. */
export type ReadState = FollowedEvent['data'] | undefined;

/** `after`: the cursor at which it was read. Where another one stands, another process has read it. */
interface ReadCommand {
  readonly after: string | undefined;
  readonly data: FollowedEvent['data'];
}

export const changesRead: Decider<ReadState, ReadCommand, FollowedEvent> = {
  stream: followedStream,
  initial: undefined,
  evolve: (_, { data }) => data,
  decide: ({ after, data }, state) =>
    state?.cursor === after ? [{ type: 'FollowedChangesRead', data }] : [],
};

const epochStream = ({ team, source, epoch }: Following): string => followedStreamId(team, source, epoch);

/** Records what was read of a followed directory, once its records have taken it. */
export const recordRead = (
  store: EventStore,
  of: Following,
  command: ReadCommand,
  context: CommandContext,
): Promise<Outcome<ReadState, FollowedEvent>> =>
  execute(store, changesRead, epochStream(of), command, context, { newestOnly: true });

export async function readSoFar(store: EventStore, of: Following): Promise<ReadState> {
  const stream = `${followedStream.name}-${epochStream(of)}`;
  const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  return newest && (newest.data as FollowedEvent['data']);
}

/** Where the vault has the API key of a followed directory. It is in no event, and never shown. */
export const followingKeyName = ({ team, source }: OfTeam): string =>
  `following-key/${followingStreamId(team, source)}`;

export const storeFollowingKey = (vault: Pick<Vault, 'put'>, of: OfTeam, key: string): Promise<void> =>
  vault.put(followingKeyName(of), Buffer.from(key));

/** Undefined: it is read without a key. */
export async function followingKey(vault: Pick<Vault, 'get'>, of: OfTeam): Promise<string | undefined> {
  const secret = await vault.get(followingKeyName(of));
  return secret && Buffer.from(secret).toString();
}

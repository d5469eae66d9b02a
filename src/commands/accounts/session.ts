import type { CommandContext } from '../../events/metadata.ts';
import { sessionStream, type SessionEvent } from '../../events/accounts/session.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, type Decider, type Outcome } from '../command-handler.ts';
import { requirePerson } from './person.ts';
import { newSessionToken, sessionIdOf, sessionSha256 } from '../../events/accounts/session-format.ts';

type Started = Extract<SessionEvent, { type: 'SessionStarted' }>['data'];
type EndReason = Extract<SessionEvent, { type: 'SessionEnded' }>['data']['reason'];

export type SessionState = { readonly status: 'open' | 'ended'; readonly user: string } | undefined;

export type SessionCommand =
  | { readonly kind: 'start'; readonly data: Started }
  | { readonly kind: 'end'; readonly session: string; readonly reason: EndReason };

/** How long a session lasts, however often it is used, in seconds. */
export const sessionLifeSeconds = 90 * 86_400;

export const session: Decider<SessionState, SessionCommand, SessionEvent> = {
  stream: sessionStream,
  initial: undefined,
  evolve(state, event) {
    switch (event.type) {
      case 'SessionStarted':
        return { status: 'open', user: event.data.user };
      case 'SessionEnded':
        return state && { ...state, status: 'ended' };
    }
  },
  decide(command, state) {
    switch (command.kind) {
      case 'start':
        if (state) throw new CommandRefused('conflict', 'This session exists already.');
        return [{ type: 'SessionStarted', data: command.data }];
      case 'end':
        if (state?.status !== 'open') return [];
        return [
          {
            type: 'SessionEnded',
            data: { session: command.session, user: state.user, reason: command.reason },
          },
        ];
    }
  },
};

type SessionOutcome = Outcome<SessionState, SessionEvent>;

/** Who signed in, and how. */
export interface Authentication {
  readonly user: string;
  /** RFC 8176. */
  readonly amr: readonly string[];
  /** With what they signed in, sealed under their data key. */
  readonly device?: string;
  /** Default: `sessionLifeSeconds`. */
  readonly lifeSeconds?: number;
}

/**
 * Starts a session for somebody who has just authenticated. `token` is for the cookie only. Wait with `untilShown`
 * before answering.
 * @throws CommandRefused not_found
 */
export async function startSession(
  store: EventStore,
  { user, amr, device, lifeSeconds = sessionLifeSeconds }: Authentication,
  random: Uint8Array,
  context: CommandContext,
): Promise<{
  token: string;
  sessionId: string;
  sessionEpoch: number;
  authTime: number;
  outcome: SessionOutcome;
}> {
  const { sessionEpoch } = await requirePerson({ store }, user);
  const sessionId = sessionIdOf(context.commandId);
  const token = newSessionToken(sessionId, random);
  const authTime = Math.floor(context.at.getTime() / 1_000);
  const data: Started = {
    session: sessionId,
    user,
    epoch: sessionEpoch,
    auth_time: authTime,
    amr: [...amr],
    ends: authTime + lifeSeconds,
    secret_sha256: sessionSha256(token),
    ...(device === undefined ? {} : { device }),
  };
  const outcome = await execute(store, session, sessionId, { kind: 'start', data }, context, {
    from: 'no_stream',
  });
  return { token, sessionId, sessionEpoch, authTime, outcome };
}

/** Ends one session. `commandPerson` with `end-sessions`, or a new password, ends all sessions of a person. */
export function endSession(
  store: EventStore,
  sessionId: string,
  reason: EndReason,
  context: CommandContext,
): Promise<SessionOutcome> {
  return execute(store, session, sessionId, { kind: 'end', session: sessionId, reason }, context);
}

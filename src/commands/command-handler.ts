import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { upcast, type DomainEvent } from '../events/catalogue.ts';
import { streamName, typesOf, type StreamDefinition } from '../events/define.ts';
import type { CommandContext } from '../events/metadata.ts';
import { newEvent } from '../events/new-event.ts';
import { backOff } from '../ground/back-off.ts';
import { WrongExpectedRevision } from '../stores/errors.ts';
import {
  beginning,
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../stores/event-store/port.ts';
import { CommandRefused, ConcurrencyConflict } from '../ground/refusals.ts';
import { measured } from './measured.ts';
import { runInStreamQueue } from './stream-queue.ts';

/** The rules of one kind of stream, as pure functions: from events to a state, and from a command on it to new events. */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly stream: StreamDefinition;
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  /** `evolve` over many events, for a state that is too large to copy for each of them. */
  readonly evolveAll?: (state: State, events: readonly Event[]) => State;
  /** The events to append. Empty when the state is already as the command asks. Throws CommandRefused. */
  readonly decide: (command: Command, state: State) => readonly Event[];
}

export interface Outcome<State, Event extends DomainEvent = DomainEvent, Prepared = unknown> {
  readonly state: State;
  /** The events of this command, appended now or by an earlier call with the same command id. */
  readonly events: readonly Event[];
  /** The caller can show the result when the read models that fold `types` have passed this position. */
  readonly position: Position;
  /**
   * The appended types. When nothing was appended: all types of the stream, because the result rests on what was
   * read.
   */
  readonly types: readonly string[];
  /** True when an earlier call has handled the command. `events` are those of that call. */
  readonly repeated: boolean;
  /** What `prepare` returned. */
  readonly prepared: Prepared;
}

/** A stream after a decision, before or after the append. */
export type Decided<State, Event extends DomainEvent = DomainEvent> = Pick<
  Outcome<State, Event>,
  'state' | 'events'
>;

/** A command, or a function that makes one from the state on which it will be decided. */
type CommandOn<State, Command> = Command | ((state: State, position: Position) => Command | Promise<Command>);

export interface ExecuteOptions<State, Event extends DomainEvent, Prepared> {
  /**
   * Decides on this state and appends without reading the stream first. The caller has just loaded the state, or
   * passes `no_stream` for a stream that this command begins. On a conflict, or when there is nothing to append, the
   * stream is read. Ignored for a command whose id was chosen by a caller, because its events may already be in the
   * stream.
   */
  readonly from?: 'no_stream' | { readonly state: State; readonly revision: number };
  /**
   * For streams in which every event repeats the whole state: reads the newest event only. Does not look for the
   * command's id, so a repeated command is decided again.
   */
  readonly newestOnly?: boolean;
  /** Runs after the decision and before the append. When it throws, nothing has been appended. */
  readonly prepare?: (decided: Decided<State, Event>) => Promise<Prepared>;
}

/** How often a command is decided before it fails with `ConcurrencyConflict`. */
const maximumAttempts = 8;
/** The longest wait before the second attempt, and before the last. */
const waits = { firstMs: 5, longestMs: 320 };

/**
 * Handles a command: reads the stream, decides, and appends at the revision that was read. On a conflict it waits a
 * random time, reads the stream and decides again. When the stream already holds events of this command id, the
 * command is not decided again: a retry after an unknown outcome returns the first result.
 *
 * @throws CommandRefused when the decider refuses the command
 * @throws ConcurrencyConflict when every attempt ended in a conflict; nothing was appended
 */
export const execute = <State, Command, Event extends DomainEvent, Prepared = undefined>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  id: string,
  command: CommandOn<State, Command>,
  context: CommandContext,
  options: ExecuteOptions<State, Event, Prepared> = {},
): Promise<Outcome<State, Event, Prepared>> =>
  measured(decider.stream.name, command, context, () =>
    decideUntilAppended(store, decider, id, command, context, options),
  );

async function decideUntilAppended<State, Command, Event extends DomainEvent, Prepared>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  id: string,
  command: CommandOn<State, Command>,
  context: CommandContext,
  options: ExecuteOptions<State, Event, Prepared>,
): Promise<Outcome<State, Event, Prepared>> {
  const { from, newestOnly = false } = options;
  const stream = streamName(decider.stream, id);
  const tryOn = (current: Current<State>) =>
    decideAndAppend(store, decider, stream, current, command, context, options);
  if (from && context.requestHash === undefined) {
    const outcome = await tryOn({
      position: beginning,
      ...(from === 'no_stream' ? { state: decider.initial, revision: -1 } : from),
    });
    // Nothing was appended, so nothing has verified the given state.
    if (outcome && outcome.events.length > 0) return outcome;
  }
  const readAndTry = async () => {
    const history = await store.readStream(stream, newestOnly ? { direction: 'backwards', limit: 1 } : {});
    const repeated = newestOnly ? undefined : firstResult(history, decider, context);
    return repeated
      ? { ...repeated, prepared: await prepared(repeated, options) }
      : tryOn(currentOf(decider, history));
  };
  for (let attempt = 1; attempt <= maximumAttempts; attempt++) {
    if (attempt > 1) await sleep(fullJitter(attempt - 1));
    const outcome = await (attempt === 1 ? readAndTry() : runInStreamQueue(store, stream, readAndTry));
    if (outcome) return outcome;
  }
  throw new ConcurrencyConflict(stream, maximumAttempts);
}

/** A random part of the full wait, so that commands that met in a conflict do not meet again. */
const fullJitter = (conflicts: number, random = Math.random): number => random() * backOff(conflicts, waits);

/** One attempt. Undefined on a conflict. */
async function decideAndAppend<State, Command, Event extends DomainEvent, Prepared>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  stream: string,
  { state, position, revision }: Current<State>,
  command: CommandOn<State, Command>,
  context: CommandContext,
  options: ExecuteOptions<State, Event, Prepared>,
): Promise<Outcome<State, Event, Prepared> | undefined> {
  const resolved =
    typeof command === 'function'
      ? await (command as (state: State, position: Position) => Command | Promise<Command>)(state, position)
      : command;
  const events = decider.decide(resolved, state);
  if (events.length === 0) {
    const decided = { state, events };
    return {
      ...decided,
      position,
      types: typesOf(decider.stream),
      repeated: false,
      prepared: await prepared(decided, options),
    };
  }
  const appended = events.map((event, index) => newEvent(stream, event, index, context));
  const decided = made(decider, state, appended);
  const result = { ...decided, repeated: false, prepared: await prepared(decided, options) };
  try {
    const written = await store.append(stream, appended, revision < 0 ? 'no_stream' : revision);
    const mayBeAnothers = context.requestHash !== undefined && options.newestOnly !== true;
    if (mayBeAnothers && !(await areOurs(store, stream, appended, written.revision))) return undefined;
    return { ...result, position: written.position, types: events.map(({ type }) => type) };
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return undefined;
    throw error;
  }
}

const prepared = async <State, Event extends DomainEvent, Prepared>(
  decided: Decided<State, Event>,
  { prepare }: ExecuteOptions<State, Event, Prepared>,
): Promise<Prepared> => (await prepare?.(decided)) as Prepared;

/**
 * The state of a stream in which every event repeats the whole state. Reads one event, however long the stream is.
 */
export async function loadNewest<State, Event extends DomainEvent>(
  store: EventStore,
  decider: Folded<State, Event> & Pick<Decider<State, never, Event>, 'stream'>,
  id: string,
): Promise<State> {
  const newest = await store.readStream(streamName(decider.stream, id), { direction: 'backwards', limit: 1 });
  return fold(decider, newest);
}

/** The state of a stream, with the position and revision of its newest event. */
export async function load<State, Event extends DomainEvent>(
  store: EventStore,
  decider: Folded<State, Event> & Pick<Decider<State, never, Event>, 'stream'>,
  id: string,
): Promise<Current<State>> {
  return currentOf(decider, await store.readStream(streamName(decider.stream, id)));
}

/** A stream as read. */
interface Current<State> {
  readonly state: State;
  readonly position: Position;
  /** Of the newest event. -1 for an empty stream. */
  readonly revision: number;
}

export function currentOf<State, Event extends DomainEvent>(
  decider: Folded<State, Event>,
  history: readonly RecordedEvent[],
): Current<State> {
  const newest = history.at(-1);
  return {
    state: fold(decider, history),
    position: newest?.position ?? beginning,
    revision: newest?.revision ?? -1,
  };
}

/**
 * Whether the events in the stream are those that this call appended. Two requests with the same Idempotency-Key can
 * run at once. Their events have the same ids, and a store takes the second append for a repeat of the first,
 * whatever its data.
 */
async function areOurs(
  store: EventStore,
  stream: string,
  appended: readonly NewEvent[],
  revision: number,
): Promise<boolean> {
  const from = revision - appended.length + 1;
  const written = await store.readStream(stream, { from, limit: appended.length });
  return written.every(({ data, metadata }, index) => {
    const event = appended[index];
    if (!event) return false;
    // The store adds the installation.
    const { installation: _, ...ours } = metadata;
    return isDeepStrictEqual([data, ours], JSON.parse(JSON.stringify([event.data, event.metadata])));
  });
}

/** The appended events with data as their schemas normalised it, and the state after them. */
function made<State, Event extends DomainEvent>(
  decider: Folded<State, Event>,
  before: State,
  appended: readonly Pick<NewEvent, 'type' | 'data'>[],
): Decided<State, Event> {
  const events = appended.map(({ type, data }) => ({ type, data }) as Event);
  return { state: evolved(decider, before, events), events };
}

export type Folded<State, Event extends DomainEvent> = Pick<
  Decider<State, never, Event>,
  'initial' | 'evolve' | 'evolveAll'
>;

export const evolved = <State, Event extends DomainEvent>(
  { evolve, evolveAll }: Folded<State, Event>,
  state: State,
  events: readonly Event[],
): State => (evolveAll ? evolveAll(state, events) : events.reduce(evolve, state));

function fold<State, Event extends DomainEvent>(
  decider: Folded<State, Event>,
  history: readonly RecordedEvent[],
): State {
  const events = history.map((event) => upcast(event) as Event);
  return evolved(decider, decider.initial, events);
}

function firstResult<State, Event extends DomainEvent>(
  history: readonly RecordedEvent[],
  decider: Folded<State, Event> & Pick<Decider<State, never, Event>, 'stream'>,
  context: CommandContext,
): Omit<Outcome<State, Event>, 'prepared'> | undefined {
  const last = history.findLastIndex((event) => event.metadata['command_id'] === context.commandId);
  const event = history[last];
  if (!event) return undefined;
  const made = event.metadata['request_hash'];
  if (made !== context.requestHash && !context.formerRequestHashes?.includes(String(made))) {
    throw new CommandRefused(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with a different request; use a new key for a new request.',
    );
  }
  const upTo = history.slice(0, last + 1);
  return {
    state: fold(decider, upTo),
    events: upTo
      .filter((each) => each.metadata['command_id'] === context.commandId)
      .map((each) => upcast(each) as Event),
    position: history.at(-1)?.position ?? beginning,
    types: typesOf(decider.stream),
    repeated: true,
  };
}

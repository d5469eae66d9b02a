import { isDeepStrictEqual } from 'node:util';
import { upcast, type DomainEvent } from '../events/catalogue.ts';
import { streamName, type StreamDefinition } from '../events/define.ts';
import type { CommandContext } from '../events/metadata.ts';
import { newEvent } from '../events/new-event.ts';
import { WrongExpectedRevision } from '../stores/errors.ts';
import {
  beginning,
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../stores/event-store/port.ts';
import { CommandRefused } from './errors.ts';

/** Pure rules of one kind of stream: what state its events make, and what events a command makes of a state. */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly stream: StreamDefinition;
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  /** What `evolve` makes of many events one after another, where copying the state for each would cost too much. */
  readonly evolveAll?: (state: State, events: readonly Event[]) => State;
  /** The events that should happen; none when all is so already. Throws CommandRefused. */
  readonly decide: (command: Command, state: State) => readonly Event[];
}

export interface Outcome<State, Event extends DomainEvent = DomainEvent> {
  readonly state: State;
  /** What this command made happen, now or when it was first sent. */
  readonly events: readonly Event[];
  /** Reading models that have passed this show everything the answer rests on. */
  readonly position: Position;
  /** True when an earlier sending of the same command had done it. */
  readonly repeated: boolean;
}

/** What a decision makes of a stream, appended or about to be. */
export type Decided<State, Event extends DomainEvent = DomainEvent> = Pick<
  Outcome<State, Event>,
  'state' | 'events'
>;

/** How often a command that lost a race looks again and decides anew; of n racers one wins each round. */
const attempts = 100;

/**
 * Loads a stream, decides, appends at the revision that was read. A conflict means that somebody else was
 * first: the stream is loaded and decided again. A command whose events stand in the stream is not decided
 * again, so a retry after an unknown outcome returns the first result.
 */
export async function execute<State, Command, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  id: string,
  command: Command,
  context: CommandContext,
): Promise<Outcome<State, Event>> {
  const stream = streamName(decider.stream, id);
  for (let attempt = 1; ; attempt++) {
    const history = await store.readStream(stream);
    const repeated = firstResult(history, decider, context);
    if (repeated) return repeated;

    const state = fold(decider, history);
    const events = decider.decide(command, state);
    const newest = history.at(-1);
    if (events.length === 0) {
      return { state, events, position: newest?.position ?? beginning, repeated: false };
    }
    const appended = events.map((event, index) => newEvent(stream, event, index, context));
    try {
      const { position, revision } = await store.append(
        stream,
        appended,
        newest ? newest.revision : 'no_stream',
      );
      if (context.requestHash !== undefined && !(await areOurs(store, stream, appended, revision))) continue;
      return { ...made(decider, state, appended), position, repeated: false };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || attempt === attempts) throw error;
    }
  }
}

/**
 * Like `execute`, for who has just seen how a stream stands: appends at that without reading again. Where the stream
 * has gone on since, `execute` has the word. On a server that is one round trip instead of two. For commands whose id
 * cannot stand in what was seen, as the stores take a repeated append for done; one with a caller's own id is looked
 * for first.
 */
export async function executeFrom<State, Command, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  id: string,
  { state, revision }: { readonly state: State; readonly revision: number },
  command: Command,
  context: CommandContext,
): Promise<Outcome<State, Event>> {
  if (context.requestHash === undefined) {
    const stream = streamName(decider.stream, id);
    const appended = decider
      .decide(command, state)
      .map((event, index) => newEvent(stream, event, index, context));
    try {
      if (appended.length > 0) {
        const { position } = await store.append(stream, appended, revision < 0 ? 'no_stream' : revision);
        return { ...made(decider, state, appended), position, repeated: false };
      }
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }
  return execute(store, decider, id, command, context);
}

/** Like `execute`, for a stream that this command begins: it stands to reason that nothing is there. */
export function executeNew<State, Command, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  id: string,
  command: Command,
  context: CommandContext,
): Promise<Outcome<State, Event>> {
  return executeFrom(store, decider, id, { state: decider.initial, revision: -1 }, command, context);
}

/**
 * Like `execute`, for streams whose every event repeats all there is: reads the newest event alone, asks what
 * to command of the state it shows, decides, and appends. A conflict begins anew, reading what is newest then.
 * It does not look for the command's id: a repeat is decided like any other command.
 *
 * `prepare` reads what else the answer needs, once it is decided and before anything is appended: when that
 * fails, nothing has happened.
 */
export async function executeNewest<State, Command, Event extends DomainEvent, Prepared = undefined>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  id: string,
  commandOn: (state: State, position: Position) => Command | Promise<Command>,
  context: CommandContext,
  prepare: (decided: Decided<State, Event>) => Promise<Prepared> = () =>
    Promise.resolve(undefined as Prepared),
): Promise<Omit<Outcome<State, Event>, 'repeated'> & { readonly prepared: Prepared }> {
  const stream = streamName(decider.stream, id);
  for (let attempt = 1; ; attempt++) {
    const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
    const state = fold(decider, newest ? [newest] : []);
    const standsAt = newest?.position ?? beginning;
    const events = decider.decide(await commandOn(state, standsAt), state);
    if (events.length === 0) {
      return { state, events, position: standsAt, prepared: await prepare({ state, events }) };
    }
    const appended = events.map((event, index) => newEvent(stream, event, index, context));
    const decided = made(decider, state, appended);
    const prepared = await prepare(decided);
    try {
      const { position } = await store.append(stream, appended, newest ? newest.revision : 'no_stream');
      return { ...decided, position, prepared };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || attempt === attempts) throw error;
    }
  }
}

/** Where a stream stands whose every event repeats all there is: one backward read, however long the stream. */
export async function loadNewest<State, Event extends DomainEvent>(
  store: EventStore,
  decider: Folded<State, Event> & Pick<Decider<State, never, Event>, 'stream'>,
  id: string,
): Promise<State> {
  const newest = await store.readStream(streamName(decider.stream, id), { direction: 'backwards', limit: 1 });
  return fold(decider, newest);
}

/** The state of a stream, and where it stands. */
export async function load<State, Event extends DomainEvent>(
  store: EventStore,
  decider: Folded<State, Event> & Pick<Decider<State, never, Event>, 'stream'>,
  id: string,
): Promise<{ state: State; position: Position; revision: number }> {
  const history = await store.readStream(streamName(decider.stream, id));
  const newest = history.at(-1);
  return {
    state: fold(decider, history),
    position: newest?.position ?? beginning,
    revision: newest?.revision ?? -1,
  };
}

/**
 * Whether what stands there is what we appended. A caller's own command id can be running twice at once, and
 * then a store takes the second append, with the same event ids, for a repeat of the first whatever it holds.
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
    // Whose event it is, the store adds.
    const { installation: _, ...ours } = metadata;
    return isDeepStrictEqual([data, ours], JSON.parse(JSON.stringify([event.data, event.metadata])));
  });
}

/** What was appended, as the schemas have tidied it and a reader of the stream will see it, and what that made. */
function made<State, Event extends DomainEvent>(
  decider: Folded<State, Event>,
  before: State,
  appended: readonly Pick<NewEvent, 'type' | 'data'>[],
): Decided<State, Event> {
  const events = appended.map(({ type, data }) => ({ type, data }) as Event);
  return { state: evolved(decider, before, events), events };
}

type Folded<State, Event extends DomainEvent> = Pick<
  Decider<State, never, Event>,
  'initial' | 'evolve' | 'evolveAll'
>;

const evolved = <State, Event extends DomainEvent>(
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
  decider: Folded<State, Event>,
  context: CommandContext,
): Outcome<State, Event> | undefined {
  const last = history.findLastIndex((event) => event.metadata['command_id'] === context.commandId);
  const event = history[last];
  if (!event) return undefined;
  if (event.metadata['request_hash'] !== context.requestHash) {
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
    repeated: true,
  };
}

import { CommandRefused } from '../../ground/refusals.ts';
import type { SideStore } from '../../stores/side/port.ts';
import type { EventStore, Position, RecordedEvent } from '../../stores/event-store/port.ts';
import { LogTimes, scanForLastNotAfter, timeOf } from './log-times.ts';

/** A time or a position at which a question is asked, as the asker wrote it. */
export interface MomentRequest {
  /** ISO 8601 with its zone. */
  readonly at?: string | undefined;
  /** A position of the log, decimal. */
  readonly position?: string | undefined;
}

/** The place in the log at which a question is answered. */
export interface Moment {
  /** Everything at or before it is included. */
  readonly position: Position;
  /** Against it, the expiry of codes, tokens, sessions and invitations is computed. */
  readonly at: Date;
  /** The event at the position. */
  readonly event: RecordedEvent;
  /** Events before it with a later time than `at`: they are included, since clocks disagreed. */
  readonly laterBefore: number;
  /** False when there may be more of them than were counted. */
  readonly countedAll: boolean;
}

/** There is no such moment to ask about. The message is a sentence for a person. */
export class NoSuchMoment extends CommandRefused {
  readonly parameter: 'at' | 'position';

  constructor(parameter: 'at' | 'position', message: string) {
    super('invalid', message);
    this.name = 'NoSuchMoment';
    this.parameter = parameter;
  }
}

/**
 * The rule of time: the state as of T is the state at the position of the last event in log order whose `metadata.at` is
 * not after T. What precedes it in the log is included, even with a later time: an event was decided on those before it
 * in the log, whatever the clocks said. At a given position, the time is that of the last event at or before it.
 */
export class Moments {
  readonly #store: EventStore;
  readonly #times: LogTimes;
  readonly #now: () => Date;

  constructor({
    store,
    side,
    now = () => new Date(),
  }: {
    readonly store: EventStore;
    readonly side: SideStore;
    readonly now?: (() => Date) | undefined;
  }) {
    this.#store = store;
    this.#times = new LogTimes({ store, side });
    this.#now = now;
  }

  /** `scan`: reads the whole log instead of the side table of times. @throws NoSuchMoment */
  async of(request: MomentRequest, { scan = false }: { readonly scan?: boolean } = {}): Promise<Moment> {
    if (request.at !== undefined && request.position !== undefined)
      throw new NoSuchMoment('position', 'Give a time (at) or a position, not both.');
    if (request.at !== undefined) return this.#atTime(request.at, scan);
    if (request.position !== undefined) return this.#atPosition(request.position);
    throw new NoSuchMoment(
      'at',
      'Say as of when: a time (at), such as 2026-01-31T12:00:00Z, or a position of the log.',
    );
  }

  async #atTime(text: string, scan: boolean): Promise<Moment> {
    const at = timeIn(text);
    const now = this.#now();
    if (at > now)
      throw new NoSuchMoment(
        'at',
        `${at.toISOString()} is in the future: it is ${now.toISOString()} now. Nobody knows what will be true then.`,
      );
    const found = scan
      ? await scanForLastNotAfter(this.#store, at.getTime())
      : await this.#times.lastNotAfter(at.getTime());
    if (found) return { at, position: found.event.position, ...found };
    const first = await this.#times.first();
    throw new NoSuchMoment(
      'at',
      first
        ? `${at.toISOString()} is before the first event of the log, which is of ${String(first.metadata['at'])}. Nothing had happened by then.`
        : 'The log has no events yet.',
    );
  }

  async #atPosition(text: string): Promise<Moment> {
    if (!/^\d{1,19}$/.test(text))
      throw new NoSuchMoment('position', 'position must be a position of the log: a whole number.');
    const position = BigInt(text);
    const head = await this.#store.head();
    if (position > head)
      throw new NoSuchMoment(
        'position',
        head < 0n
          ? 'The log has no events yet.'
          : `Position ${text} is beyond the end of the log, which is at ${head}.`,
      );
    const event = await this.#times.lastUpTo(position);
    if (!event)
      throw new NoSuchMoment(
        'position',
        `Nothing had happened by position ${text}: the first event is later.`,
      );
    return {
      position: event.position,
      at: new Date(timeOf(event)),
      event,
      laterBefore: 0,
      countedAll: true,
    };
  }
}

const zonedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

/** @throws NoSuchMoment for what is no time with its zone */
function timeIn(text: string): Date {
  const at = zonedTime.test(text) ? new Date(text) : undefined;
  if (at && !Number.isNaN(at.getTime()) && isOnCalendar(text)) return at;
  throw new NoSuchMoment('at', 'at must be a time with its zone, such as 2026-01-31T12:00:00Z.');
}

/** JavaScript reads 30 February as 2 March. */
function isOnCalendar(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** How the moment is said in an answer. */
export const momentJson = ({ at, position, event, laterBefore, countedAll }: Moment) => ({
  at: at.toISOString(),
  position: String(position),
  event: {
    id: event.id,
    stream: event.stream,
    revision: event.revision,
    type: event.type,
    at: String(event.metadata['at']),
  },
  later_events_included: laterBefore,
  counted_all: countedAll,
});

import { channel } from 'node:diagnostics_channel';
import type { NewEvent } from './event-store/port.ts';

/** An append, when it has ended. */
export interface MeasuredAppend {
  readonly events: readonly NewEvent[];
  readonly seconds: number;
  /** Why it failed. */
  readonly error?: unknown;
}

/** What the stores tell of their work, for metrics. While nobody listens, nothing is published. */
export const appends = channel('commonweal:append');

/** A connection to a store was lost and is made anew. */
export interface MeasuredReconnect {
  readonly store: 'eventstore' | 'mongodb';
}

export const reconnects = channel('commonweal:store-reconnect');

import { channel } from 'node:diagnostics_channel';

/** What became of spans: sent to the collector, dropped because too many waited, or dropped because it did not take them. */
export interface MeasuredSpans {
  readonly outcome: 'exported' | 'queue_full' | 'not_taken';
  readonly count: number;
}

/** For metrics. While nobody listens, nothing is published. */
export const spans = channel('commonweal:trace-spans');

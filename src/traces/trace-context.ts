import { hash } from 'node:crypto';

/** Where a span is: 32 and 16 lower-case hexadecimal digits, neither of them zeros alone (W3C Trace Context, section 3.2.2). */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
}

/** The span of a caller, as its `traceparent` names it. */
export interface CallerSpan extends SpanPlace {
  /** Whether the caller says that it records its trace. */
  readonly sampled: boolean;
}

/**
 * The trace of everything with this correlation id: the first 16 bytes of its SHA-256. So each thread and node finds the trace
 * of an event by the event alone, and no event holds what a caller sent.
 */
export const traceIdOf = (correlationId: string): string => hash('sha256', correlationId, 'hex').slice(0, 32);

/** The span that appended an event: the first 8 bytes of the SHA-256 of the event's id. */
export const spanIdOf = (eventId: string): string => hash('sha256', eventId, 'hex').slice(0, 16);

/** version-traceid-parentid-flags. Later versions may add something behind the flags (section 4). */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent`. Undefined for what is not valid: it then counts as not sent (W3C Trace Context, section 4.3). */
export function readTraceparent(header: string | readonly string[] | undefined): CallerSpan | undefined {
  if (typeof header !== 'string' || header.length > 512) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = form.exec(header.trim()) ?? [];
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId) || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The `traceparent` of a request that a span makes. */
export const traceparentOf = ({ traceId, spanId }: SpanPlace, sampled: boolean): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

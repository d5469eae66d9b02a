import { beginning, type EventFilter, type Position, type RecordedEvent } from './port.ts';

/**
 * Since when each part of a group's filter counts. Written for a new group and again when its filter grows, under a
 * lease, so that nodes that start at the same time agree.
 *
 * Later releases may add fields. A writer keeps fields that it does not know.
 */
export interface GroupStart {
  /** The position after which events count, a decimal string, by event type or stream prefix. */
  readonly since: Readonly<Record<string, string>>;
  /** Up to position `up_to` the reconciler skips events whose time (`metadata.at`) is before `before`. */
  readonly pass_over?: { readonly before: string; readonly up_to: string };
}

/** The progress of the reconciler. The checkpoint holds for the filter in `covers`. */
export interface Progress {
  /** A decimal string. Everything at or before it has been handled or is parked. */
  readonly checkpoint: string;
  readonly covers: EventFilter;
  /** The group's last event at or before the checkpoint. Tells this log from a different one. */
  readonly last_event?: { readonly position: string; readonly id: string };
  /** Events that the feed had not delivered, in total. */
  readonly repaired: number;
  readonly repaired_at?: string;
}

/** How far back the reconciler looks for a group that the store knows and whose start it does not. */
const lookedBackMs = 30 * 24 * 3_600_000;

/** The types or stream prefixes of a filter. */
export const partsOf = (filter: EventFilter): readonly string[] =>
  'types' in filter ? filter.types : filter.streamPrefixes;

export interface GroupStartInput {
  readonly stored: GroupStart | undefined;
  readonly parts: readonly string[];
  readonly existed: boolean;
  readonly head: Position;
  readonly now: Date;
}

/** Since when each part of the filter counts: those of a new group from the first event, those that it gets later from then on. */
export function groupStartWith({ stored, parts, existed, head, now }: GroupStartInput): GroupStart {
  const fromNow = head.toString();
  const from = (part: string): string => {
    if (stored) return stored.since[part] ?? fromNow;
    return beginning.toString();
  };
  const since = { ...stored?.since, ...Object.fromEntries(parts.map((part) => [part, from(part)])) };
  if (stored) return { ...stored, since };
  if (!existed) return { since };
  const before = new Date(now.getTime() - lookedBackMs).toISOString();
  return { since, pass_over: { before, up_to: fromNow } };
}

/**
 * The position after which reading starts: the checkpoint for parts that it covers, the recorded start for others.
 */
export function startingPosition(
  announced: GroupStart,
  progress: Progress | undefined,
  filter: EventFilter,
): Position {
  const covered = progress ? partsOf(progress.covers) : [];
  const each = partsOf(filter).map((part) =>
    progress && covered.includes(part) ? BigInt(progress.checkpoint) : since(announced, part),
  );
  return each.reduce((lowest, position) => (position < lowest ? position : lowest), each[0] ?? beginning);
}

/** Whether an event is after the start of its part of the filter. */
export function isAfterStart(announced: GroupStart, filter: EventFilter): (event: RecordedEvent) => boolean {
  if ('types' in filter) return ({ type, position }) => position > since(announced, type);
  return ({ stream, position }) =>
    filter.streamPrefixes.some((prefix) => stream.startsWith(prefix) && position > since(announced, prefix));
}

/** Whether an event is too old for the reconciler. False for an event without a valid time. */
export function isTooOld({ pass_over }: GroupStart, { position, metadata }: RecordedEvent): boolean {
  if (!pass_over || position > BigInt(pass_over.up_to)) return false;
  return Date.parse(String(metadata['at'])) < Date.parse(pass_over.before);
}

const since = (announced: GroupStart, part: string): Position => BigInt(announced.since[part] ?? beginning);

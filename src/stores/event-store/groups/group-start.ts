import { beginning, type EventFilter, type Position, type RecordedEvent } from '../port.ts';

/**
 * What a group is about, and since when: kept for as long as the group. Written once for a new group and again
 * when its filter grows, under a lease of its own, so that nodes that start together agree.
 *
 * Later versions may add fields: whoever writes it anew keeps those that it does not know.
 */
export interface GroupStart {
  /** The position after which events count, a decimal string, by event type or by beginning of a stream name. */
  readonly since: Readonly<Record<string, string>>;
  /** Up to this position the reconciler passes over events whose own time (`metadata.at`) is earlier. */
  readonly pass_over?: { readonly before: string; readonly up_to: string };
}

/** How far the reconciler is: the checkpoint is true of what the filter lets through that it names. */
export interface Progress {
  /** A decimal string: everything at or before it has been handled, or is parked. */
  readonly checkpoint: string;
  readonly covers: EventFilter;
  /** The last event at or before the checkpoint that was the group's: tells this log from another. */
  readonly last_event?: { readonly position: string; readonly id: string };
  /** Events that the feed had not brought, ever since there is a reconciler. */
  readonly repaired: number;
  readonly repaired_at?: string;
}

/** How far back a group is looked through that was at work before there was a reconciler. */
const lookedBackMs = 30 * 24 * 3_600_000;

/** The types, or beginnings of stream names, that a filter lets through. */
export const partsOf = (filter: EventFilter): readonly string[] =>
  'types' in filter ? filter.types : filter.streamPrefixes;

export interface GroupStartInput {
  readonly known: GroupStart | undefined;
  readonly parts: readonly string[];
  /** What the group was fed before such notes were taken; all of the filter when nobody knows. */
  readonly formerParts?: readonly string[];
  readonly existed: boolean;
  readonly head: Position;
  readonly now: Date;
}

/** Since when each part counts: a new group's from the first event, one that joins a group from now on. */
export function groupStartWith({
  known,
  parts,
  formerParts,
  existed,
  head,
  now,
}: GroupStartInput): GroupStart {
  const fromNow = head.toString();
  const from = (part: string): string => {
    if (known) return known.since[part] ?? fromNow;
    return !existed || !formerParts || formerParts.includes(part) ? beginning.toString() : fromNow;
  };
  const since = { ...known?.since, ...Object.fromEntries(parts.map((part) => [part, from(part)])) };
  if (known) return { ...known, since };
  if (!existed) return { since };
  const before = new Date(now.getTime() - lookedBackMs).toISOString();
  return { since, pass_over: { before, up_to: fromNow } };
}

/** Where everything is handled that stands at or before it; what was never covered counts from its announcement. */
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

/** Whether an event is one of those that the group was announced for. */
export function isAfterStart(announced: GroupStart, filter: EventFilter): (event: RecordedEvent) => boolean {
  if ('types' in filter) return ({ type, position }) => position > since(announced, type);
  return ({ stream, position }) =>
    filter.streamPrefixes.some((prefix) => stream.startsWith(prefix) && position > since(announced, prefix));
}

/** Whether an event is too old to be looked for. One without a readable time is not. */
export function isTooOld({ pass_over }: GroupStart, { position, metadata }: RecordedEvent): boolean {
  if (!pass_over || position > BigInt(pass_over.up_to)) return false;
  return Date.parse(String(metadata['at'])) < Date.parse(pass_over.before);
}

const since = (announced: GroupStart, part: string): Position => BigInt(announced.since[part] ?? beginning);

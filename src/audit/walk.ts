import type { FoundEvent, SearchParts } from './search.ts';
import { eventOf, searchEvents } from './search.ts';

/** The most events of one walk. */
const mostEvents = 1_000;

/**
 * What caused an event: the request itself, an event of another request, one that this reader may not see or that does
 * not exist, or its own effect.
 */
export type Cause =
  | { readonly kind: 'request' }
  | { readonly kind: 'event'; readonly id: string; readonly event: FoundEvent }
  | { readonly kind: 'unknown'; readonly id: string }
  | { readonly kind: 'cycle'; readonly id: string };

export interface WalkNode {
  readonly found: FoundEvent;
  /** Of the first of a tree: why it happened. */
  readonly cause?: Cause;
  readonly effects: readonly WalkNode[];
}

export interface Walk {
  readonly correlation: string;
  /** All events of the request, in the order of the log. */
  readonly events: readonly FoundEvent[];
  /** Whether there are more than are shown. */
  readonly truncated: boolean;
  /** What the request caused, each with its effects. */
  readonly roots: readonly WalkNode[];
}

/**
 * The events of one request, as a tree of causes and effects. `id`: the correlation id, or the id of one of its events.
 * Undefined when there is no such event that the reader may see.
 */
export async function walk(
  parts: SearchParts,
  id: string,
  team: string | undefined,
): Promise<Walk | undefined> {
  const page = await eventsOf(parts, id, team);
  if (page.found.length > 0) return walkOf(parts, id, page, team);
  const one = await eventOf(parts, id, team);
  const correlation = one?.event?.metadata.correlation_id;
  return correlation === undefined
    ? undefined
    : walkOf(parts, correlation, await eventsOf(parts, correlation, team), team);
}

const eventsOf = (parts: SearchParts, correlation: string, team: string | undefined) =>
  searchEvents(parts, {
    conditions: { correlation },
    team,
    newestFirst: false,
    withParts: true,
    limit: mostEvents,
  });

async function walkOf(
  parts: SearchParts,
  correlation: string,
  { found, next }: { readonly found: readonly FoundEvent[]; readonly next?: number },
  team: string | undefined,
): Promise<Walk> {
  const forest = treesOf(correlation, found);
  const elsewhere = new Map<string, FoundEvent | undefined>();
  for (const { cause } of forest)
    if (cause.kind === 'unknown' && !elsewhere.has(cause.id))
      elsewhere.set(cause.id, await eventOf(parts, cause.id, team));
  const roots = forest.map((root) => {
    const event = root.cause.kind === 'unknown' ? elsewhere.get(root.cause.id) : undefined;
    return event ? { ...root, cause: { kind: 'event', id: event.recorded.id, event } as const } : root;
  });
  return { correlation, events: found, truncated: next !== undefined, roots };
}

/** Trees of events by what caused them, in the order of the log. Each event is in one of them, once. */
export function treesOf(
  correlation: string,
  found: readonly FoundEvent[],
): (WalkNode & { readonly cause: Cause })[] {
  const byId = new Map(found.map((each) => [each.recorded.id, each]));
  const effects = Map.groupBy(found, causeOf);
  const reached = new Set<string>();
  const nodeOf = (each: FoundEvent): WalkNode => {
    reached.add(each.recorded.id);
    const own = (effects.get(each.recorded.id) ?? []).filter(({ recorded }) => !reached.has(recorded.id));
    return { found: each, effects: own.map(nodeOf) };
  };
  const rootOf = (each: FoundEvent, cause: Cause) => ({ ...nodeOf(each), cause });
  const roots = found
    .filter((each) => !byId.has(causeOf(each)))
    .map((each) => {
      const id = causeOf(each);
      const isRequest = id === correlation || id === each.recorded.metadata['command_id'];
      return rootOf(each, isRequest ? { kind: 'request' } : { kind: 'unknown', id });
    });
  // Whatever is left causes itself, through others or not.
  for (const each of found)
    if (!reached.has(each.recorded.id)) roots.push(rootOf(each, { kind: 'cycle', id: causeOf(each) }));
  return roots;
}

const causeOf = ({ recorded }: FoundEvent): string => String(recorded.metadata['causation_id']);

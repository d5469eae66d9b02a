import { isTracing, recordSpan } from './spans.ts';

/** An event, as far as a span needs it. */
interface HandledEvent {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The most spans of one round: a round of many events would otherwise be spent on telling of it. */
const mostSpans = 100;
const mostLinks = 10;

/** What a round did for one request. */
interface Part {
  /** In the order of the log. */
  readonly events: Set<HandledEvent>;
  readonly models: Set<string>;
}

/**
 * Records a span for each request of which a round of a projector has folded events, by read model. All of them took as long as
 * the round: its read models are written together.
 */
export function recordRound(
  folded: () => Iterable<readonly [model: string, events: readonly HandledEvent[]]>,
  tookMs: number,
): void {
  if (!isTracing()) return;
  for (const [correlationId, { events, models }] of partsOf(folded())) {
    const [first, ...others] = [...events].map(({ id }) => id);
    recordSpan({
      name: 'project',
      kind: 'consumer',
      correlationId,
      causedBy: first,
      links: others.slice(0, mostLinks),
      tookMs,
      attributes: {
        'commonweal.projection.events': events.size,
        'commonweal.projection.read_models': [...models],
      },
    });
  }
}

function partsOf(
  folded: Iterable<readonly [model: string, events: readonly HandledEvent[]]>,
): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  for (const [model, events] of folded)
    for (const event of events) {
      const correlationId = String(event.metadata['correlation_id']);
      let part = parts.get(correlationId);
      if (!part) {
        if (parts.size >= mostSpans) continue;
        part = { events: new Set(), models: new Set() };
        parts.set(correlationId, part);
      }
      part.events.add(event);
      part.models.add(model);
    }
  return parts;
}

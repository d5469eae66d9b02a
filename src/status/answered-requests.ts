import type { AnsweredRequests } from '../stores/leases/nodes-port.ts';

/** How requests were answered lately, by all nodes that serve any. */
export interface RequestStatus {
  /** ISO 8601 UTC. Counted from here on: an hour ago, or the start where that is later. */
  readonly since: string;
  readonly requests: number;
  /** Answered with an error of ours: 5xx. */
  readonly errors: number;
  /** Refused, or not found: 4xx. */
  readonly refused: number;
  /** Half of them took at most so long; null when there were none. An estimate: durations are counted in steps. */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

/** Of several nodes together. Null when none of them has told it: none serves, or all are of an older release. */
export function requestStatus(
  nodes: readonly { readonly answered?: AnsweredRequests }[],
): RequestStatus | null {
  const answered = nodes.flatMap(({ answered }) => (answered ? [answered] : []));
  const [first] = answered.map(({ since }) => since).sort();
  if (first === undefined) return null;
  const ofClass = (status: string) => sumOf(answered.map(({ by_status }) => by_status[status] ?? 0));
  const steps = mergedSteps(answered);
  return {
    since: first,
    requests: sumOf(answered.flatMap(({ by_status }) => Object.values(by_status))),
    errors: ofClass('5xx'),
    refused: ofClass('4xx'),
    p50_ms: percentile(steps, 0.5),
    p95_ms: percentile(steps, 0.95),
  };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

type Step = readonly [atMost: number, requests: number];

function mergedSteps(answered: readonly AnsweredRequests[]): readonly Step[] {
  const counts = new Map<number, number>();
  for (const [atMost, requests] of answered.flatMap(({ seconds }) => seconds)) {
    const bound = atMost ?? Infinity;
    counts.set(bound, (counts.get(bound) ?? 0) + requests);
  }
  return [...counts].sort(([one], [other]) => one - other);
}

/** In milliseconds. Within a step they are taken to be spread evenly; beyond the last bound nothing is known but the bound. */
function percentile(steps: readonly Step[], part: number): number | null {
  const wanted = part * sumOf(steps.map(([, requests]) => requests));
  let [from, before] = [0, 0];
  for (const [atMost, requests] of steps) {
    if (requests > 0 && before + requests >= wanted) {
      const seconds = atMost === Infinity ? from : from + ((atMost - from) * (wanted - before)) / requests;
      return Math.round(seconds * 10_000) / 10;
    }
    [from, before] = [atMost, before + requests];
  }
  return null;
}

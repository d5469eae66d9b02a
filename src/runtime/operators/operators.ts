import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '../../api/dependencies.ts';
import type { MetricsPort } from '../../config.ts';
import type { System } from '../../container.ts';
import type { RequestDurations } from '../../status/request-durations.ts';
import { gatherStatus, type Status } from '../../status/status.ts';
import { retryProjection } from '../../projections/retry-projection.ts';
import type { Thread } from '../threads/thread.ts';
import { startMeasuring } from './measuring.ts';
import { openOperatorsPort } from './port.ts';
import { scrape } from './scrape.ts';

/** A status is used for so long: several scrapers cost as much as one. */
const freshMs = 2_000;
/** A store that takes longer counts as away. */
const answerMs = 5_000;

export interface OperatorsOptions {
  readonly system: System;
  readonly ready: () => Promise<Readiness>;
  /** Whether the stores have been checked at the start. Before that they are not asked. */
  readonly isStarted: () => boolean;
  readonly threads: () => readonly Thread[];
  /** What counts the requests of this process. */
  readonly requests: RequestDurations;
}

/** Measures this process, and opens the operators' port. @throws ConfigError when the port cannot be opened */
export async function startOperators(
  at: MetricsPort,
  { system, ready, isStarted, threads, requests }: OperatorsOptions,
) {
  const { measurements, stop } = startMeasuring('main', requests);
  const status = remembered(() => gatherStatus(system));
  const refuseBeforeStart = () => {
    if (!isStarted()) throw new Error('Waiting for the stores.');
  };
  const port = await openOperatorsPort(at, {
    ready,
    metrics: () =>
      scrape({
        measurements,
        threads,
        status: async () => (isStarted() ? status().catch(() => undefined) : undefined),
        ready: async () => (await ready()).ready,
      }),
    status: () => {
      refuseBeforeStart();
      return status();
    },
    retry: (model) => {
      refuseBeforeStart();
      return retryProjection(system, model);
    },
  });
  return {
    address: port.address,
    async close() {
      stop();
      await port.close();
    },
  };
}

/** The newest answer while it is fresh. One question at a time. */
function remembered(gather: () => Promise<Status>): () => Promise<Status> {
  let newest: { readonly at: number; readonly status: Promise<Status> } | undefined;
  return () => {
    const now = performance.now();
    if (!newest || now - newest.at > freshMs) newest = { at: now, status: inTime(gather()) };
    return newest.status;
  };
}

async function inTime(gathering: Promise<Status>): Promise<Status> {
  const early = new AbortController();
  try {
    return await Promise.race([
      gathering,
      sleep(answerMs, undefined, { signal: early.signal }).then(() => {
        throw new Error('The stores do not answer.');
      }),
    ]);
  } finally {
    early.abort();
  }
}

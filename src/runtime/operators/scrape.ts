import { contentType, gauge, merged, rendered, type Family } from '../../status/metric-families.ts';
import type { Measurements } from '../../status/measurements.ts';
import { release } from '../../release.ts';
import type { Status } from '../../status/status.ts';
import type { Thread } from '../threads/thread.ts';
import { statusFamilies } from './status-families.ts';

export interface ScrapeParts {
  readonly measurements: Measurements;
  /** The threads that run now. */
  readonly threads: () => readonly Thread[];
  /** Undefined when a store does not answer. */
  readonly status: () => Promise<Status | undefined>;
  readonly ready: () => Promise<boolean>;
}

/** All metrics of this node: what its threads have measured, and the status. A store that is away leaves out the status. */
export async function scrape(parts: ScrapeParts): Promise<{ readonly type: string; readonly text: string }> {
  const threads = parts.threads();
  const [main, status, isReady, ...answers] = await Promise.all([
    parts.measurements.families(),
    parts.status(),
    parts.ready(),
    ...threads.map((each) => each.measured()),
  ]);
  const node: Family[] = [
    gauge('commonweal_info', 'The running release.', [{ labels: { release }, value: 1 }]),
    gauge('commonweal_ready', '1 when this node is ready, as /readyz says.', [
      { labels: {}, value: isReady ? 1 : 0 },
    ]),
    gauge('commonweal_status_available', '1 when the stores have told the status.', [
      { labels: {}, value: status ? 1 : 0 },
    ]),
    gauge(
      'commonweal_thread_answers',
      '0 when the event loop of a thread is blocked.',
      threads.map(({ name }, index) => ({ labels: { thread: name }, value: answers[index] ? 1 : 0 })),
    ),
  ];
  const measured = answers.filter((each) => each !== undefined);
  return {
    type: contentType,
    text: await rendered(merged([main, ...measured, node, status ? statusFamilies(status) : []])),
  };
}

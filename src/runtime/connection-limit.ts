import { readFileSync } from 'node:fs';

/** What most systems give a process at least. */
const usualDescriptors = 1_024;
const mostConnections = 10_000;

/**
 * How many connections a server takes when MAX_CONNECTIONS is unset: three quarters of the file descriptors that
 * the process may have open, so that its stores, its threads and its webhooks always have theirs.
 */
export const defaultMaximumConnections = (descriptors = fileDescriptorLimit()): number =>
  Math.min(Math.floor(descriptors * 0.75), mostConnections);

/** The limit in force (RLIMIT_NOFILE), where the system tells it. */
function fileDescriptorLimit(): number {
  try {
    const [, soft] =
      /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === 'unlimited' ? Infinity : Number(soft ?? usualDescriptors);
  } catch {
    // Not Linux.
    return usualDescriptors;
  }
}

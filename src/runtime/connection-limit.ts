import { readFileSync } from 'node:fs';

/** The usual limit on most systems. */
const usualDescriptors = 1_024;
const mostConnections = 10_000;

/**
 * The default of MAX_CONNECTIONS: three quarters of the process's file descriptors, so that stores, threads and
 * webhooks always have some left.
 */
export const defaultMaximumConnections = (descriptors = fileDescriptorLimit()): number =>
  Math.min(Math.floor(descriptors * 0.75), mostConnections);

/** The soft limit of file descriptors (RLIMIT_NOFILE), if known. */
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

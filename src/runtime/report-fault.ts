import { messageOf } from '../ground/store-error.ts';

/** Failures that are tried again fail in the same way, which is said at most this often. */
const againAfterMs = 10 * 60_000;

/** Says what has failed. A failure that differs from an earlier one in its numbers alone, such as a time, is the same. */
export function faultReporter(
  say: (line: string) => void,
  now: () => number = () => performance.now(),
): (who: string, error: unknown) => void {
  const reportedAt = new Map<string, number>();
  return (who, error) => {
    const line = `${who}: ${messageOf(error)}`;
    const kind = line.replace(/\d+/g, '0');
    const at = now();
    if (at - (reportedAt.get(kind) ?? -Infinity) < againAfterMs) return;
    // Bounds the map when messages differ each time.
    if (reportedAt.size >= 1_000) reportedAt.clear();
    reportedAt.set(kind, at);
    say(line);
  };
}

/** How long the stop of a server may take after its drain, in milliseconds: an answer or an attempt under way takes 10 s. */
export const stopWithinMs = 20_000;
/** The same after a second signal. */
export const hurriedWithinMs = 3_000;

/** The stop of a server. */
export interface Stopping {
  /** Aborts at the first SIGTERM or SIGINT. */
  readonly requested: AbortSignal;
  /** Aborts at the second: nothing that takes long is waited for. */
  readonly hurried: AbortSignal;
}

/**
 * Listens for stop signals of this process. Ends it with 0 when it has not ended by itself `drainMs` and 20 s after the
 * first, or 3 s after the second: before whoever stops it kills it. What was acknowledged is stored by then, and what is cut
 * off is taken up again by the next start, as after a kill. A third signal ends it at once.
 */
export function onStopSignals({ drainMs }: { readonly drainMs: number }): Stopping {
  const requested = new AbortController();
  const hurried = new AbortController();
  const onSignal = () => {
    if (!requested.signal.aborted) {
      requested.abort();
      endWithin(drainMs + stopWithinMs);
      return;
    }
    for (const name of signals) process.off(name, onSignal);
    hurried.abort();
    endWithin(hurriedWithinMs);
  };
  for (const name of signals) process.on(name, onSignal);
  return { requested: requested.signal, hurried: hurried.signal };
}

const signals = ['SIGTERM', 'SIGINT'] as const;

function endWithin(ms: number): void {
  setTimeout(() => {
    console.error(
      `The stop has taken ${String(ms / 1_000)} s. What is still under way is cut off, as by a kill: nothing that was acknowledged is lost.`,
    );
    process.exit(0);
  }, ms).unref();
}

/** Resolves when a signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

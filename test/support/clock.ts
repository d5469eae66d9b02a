/** A clock that goes on when the test says so, with the timers that wait for it. */
export function clock(start = Date.now()) {
  let at = start;
  const timers = new Set<{ readonly at: number; readonly then: () => void }>();
  return {
    now: () => new Date(at),
    setTimer: (ms: number, then: () => void) => {
      const timer = { at: at + ms, then };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** Goes on by so many milliseconds, at once, and runs the timers whose time has come. */
    advance(ms: number): void {
      at += ms;
      for (const timer of timers) {
        if (timer.at > at || !timers.delete(timer)) continue;
        timer.then();
      }
    },
    /** What was begun without waiting for anything outside has been done. */
    settled: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
}

/** Two clocks to measure elapsed time. One is not enough when a machine may be suspended. */
export interface Clock {
  /** Monotonic milliseconds. Stops while the machine is suspended. */
  monotonic(): number;
  /** Milliseconds of the time of day. Jumps when the clock is set. */
  wall(): number;
}

export const systemClock: Clock = { monotonic: () => performance.now(), wall: () => Date.now() };

export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export const momentOf = (clock: Clock): Moment => ({ monotonic: clock.monotonic(), wall: clock.wall() });

/** The most milliseconds that may have passed since a moment. For a holder that may have been suspended. */
export const atMostSince = (clock: Clock, moment: Moment): number =>
  Math.max(clock.monotonic() - moment.monotonic, clock.wall() - moment.wall);

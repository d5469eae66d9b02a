/** What tells how long ago something was; one clock cannot, where a machine may sleep. */
export interface Clock {
  /** Milliseconds that never go back; stands still while the machine is suspended. */
  monotonic(): number;
  /** Milliseconds of the time of day; whoever sets the clock makes it jump. */
  wall(): number;
}

export const systemClock: Clock = { monotonic: () => performance.now(), wall: () => Date.now() };

export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export const momentOf = (clock: Clock): Moment => ({ monotonic: clock.monotonic(), wall: clock.wall() });

/** Milliseconds since a moment, at most: for one who may have been suspended and must not believe too long. */
export const atMostSince = (clock: Clock, moment: Moment): number =>
  Math.max(clock.monotonic() - moment.monotonic, clock.wall() - moment.wall);

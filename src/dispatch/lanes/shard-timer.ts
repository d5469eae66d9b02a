/** Calls back once after a delay. Returns how to cancel it. */
export type SetTimer = (ms: number, then: () => void) => () => void;

/** Times closer together than this share one timer. */
const togetherMs = 5;
/** A clock can be set, and a machine can sleep: a time is looked at again after this long at the latest. */
const longestMs = 1_000;

const nodeTimer: SetTimer = (ms, then) => {
  const timeout = setTimeout(then, ms);
  return () => clearTimeout(timeout);
};

export interface ShardTimerOptions {
  readonly now: () => Date;
  readonly setTimer?: SetTimer | undefined;
}

/** One timer for many things that each wait for a time. */
export class ShardTimer<Thing> {
  readonly #times = new Map<Thing, number>();
  readonly #onTime: (thing: Thing) => void;
  readonly #now: () => Date;
  readonly #setTimer: SetTimer;
  #set: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(onTime: (thing: Thing) => void, { now, setTimer = nodeTimer }: ShardTimerOptions) {
    this.#onTime = onTime;
    this.#now = now;
    this.#setTimer = setTimer;
  }

  /** Infinity: nothing is waited for. */
  set(thing: Thing, at: number, now: number): void {
    if (at === Infinity) {
      this.#times.delete(thing);
      return;
    }
    this.#times.set(thing, at);
    const due = Math.max(at, now + togetherMs);
    if (!this.#set || this.#set.at > due) this.#start(due, now);
  }

  delete(thing: Thing): void {
    this.#times.delete(thing);
  }

  close(): void {
    this.#times.clear();
    this.#set?.cancel();
    this.#set = undefined;
  }

  #start(at: number, now: number): void {
    this.#set?.cancel();
    const cancel = this.#setTimer(Math.min(at - now, longestMs), () => this.#ring());
    this.#set = { at, cancel };
  }

  #ring(): void {
    this.#set = undefined;
    const now = this.#now().getTime();
    let next = Infinity;
    const rung: Thing[] = [];
    for (const [thing, at] of this.#times) {
      if (at <= now) rung.push(thing);
      else next = Math.min(next, at);
    }
    for (const thing of rung) this.#times.delete(thing);
    if (next !== Infinity) this.#start(Math.max(next, now + togetherMs), now);
    for (const thing of rung) this.#onTime(thing);
  }
}

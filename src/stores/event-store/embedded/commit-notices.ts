import { BroadcastChannel } from 'node:worker_threads';

/** Tells that there are new events. */
export interface CommitNotice {
  /** The position of the newest. */
  readonly upTo: number;
  /** Their types. Undefined when some of them came from another process, whose types are not known. */
  readonly types: readonly string[] | undefined;
}

/** The channel on which the writer thread announces commits to the threads of this process. */
export const commitChannel = (path: string): BroadcastChannel =>
  new BroadcastChannel(`commonweal-events:${path}`);

/** How often a process looks for commits of others (`PRAGMA data_version` takes three microseconds). */
export const lookEveryMs = 10;

/**
 * After this many commits within `restMs` notices are shared: one per `restMs`, until there are fewer commits. Each notice
 * wakes two threads, which costs each of them a tenth of a millisecond, mostly to find a single event.
 */
const rush = 4;
const restMs = 50;

/**
 * In a rush of some types, others come after this long: a webhook goes through four commits, and had waited for three notices
 * while a large event of another team was sent.
 */
const calmMs = 4;

/** How many commits had each type, in a time. */
type Counts = Map<string, number>;

/** Announces commits: each at once, or several together while they come in a rush. */
export class CommitNotices {
  readonly #announce: (notice: CommitNotice) => void;
  #upTo: number;
  #announced: number;
  #announcedAt = -Infinity;
  /** The types since the last notice; undefined when they are not known. */
  #types: Set<string> | undefined = new Set();
  #countedFrom = -Infinity;
  #counted = 0;
  #counts: Counts = new Map();
  /** Of the time before, while it was a rush. */
  #before: Counts | undefined;
  #dueAt = Infinity;
  #resting: NodeJS.Timeout | undefined;

  /** `head`: the position up to which nothing is announced any more. */
  constructor(head: number, announce: (notice: CommitNotice) => void) {
    this.#announce = announce;
    this.#upTo = this.#announced = head;
  }

  /** A commit of this process. A gap before its first event is a commit of another process. */
  committed(first: number, last: number, types: Iterable<string>): void {
    if (last > this.#upTo) this.#add(last, first === this.#upTo + 1 ? types : undefined);
  }

  /** The newest position may have risen by commits of other processes. */
  newest(head: number): void {
    if (head > this.#upTo) this.#add(head, undefined);
  }

  close(): void {
    clearTimeout(this.#resting);
  }

  #add(upTo: number, types: Iterable<string> | undefined): void {
    this.#upTo = upTo;
    const now = performance.now();
    if (now - this.#countedFrom >= restMs) {
      const isNext = now - this.#countedFrom < 2 * restMs;
      this.#before = isNext && this.#counted > rush ? this.#counts : undefined;
      this.#countedFrom = now;
      this.#counted = 0;
      this.#counts = new Map();
    }
    this.#counted += 1;
    const hasCalm = this.#note(types);
    const rests = this.#before === undefined && this.#counted <= rush ? 0 : hasCalm ? calmMs : restMs;
    const dueAt = this.#announcedAt + rests;
    if (dueAt <= now) this.#send();
    else if (dueAt < this.#dueAt) {
      clearTimeout(this.#resting);
      this.#dueAt = dueAt;
      this.#resting = setTimeout(() => this.#send(), dueAt - now);
    }
  }

  /** Notes the types of a commit. Returns whether one of them does not come in a rush. */
  #note(types: Iterable<string> | undefined): boolean {
    if (types === undefined) {
      this.#types = undefined;
      return false;
    }
    let hasCalm = false;
    for (const type of types) {
      this.#types?.add(type);
      const count = (this.#counts.get(type) ?? 0) + 1;
      this.#counts.set(type, count);
      hasCalm ||= count <= rush && (this.#before?.get(type) ?? 0) <= rush;
    }
    return hasCalm;
  }

  #send(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#dueAt = Infinity;
    if (this.#upTo === this.#announced) return;
    const types = this.#types && [...this.#types];
    this.#types = new Set();
    this.#announced = this.#upTo;
    this.#announcedAt = performance.now();
    this.#announce({ upTo: this.#upTo, types });
  }
}

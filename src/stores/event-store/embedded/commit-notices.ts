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
 * After this many commits within `restMs` there is one notice per `restMs`, until there are fewer commits. Each notice
 * wakes two threads, which costs each of them a tenth of a millisecond, mostly to find a single event.
 */
const rush = 4;
const restMs = 50;

/** Announces commits: each at once, or several together while they come in a rush. */
export class CommitNotices {
  readonly #announce: (notice: CommitNotice) => void;
  #upTo: number;
  #announced: number;
  /** The types since the last notice; undefined when they are not known. */
  #types: Set<string> | undefined = new Set();
  #countedFrom = -Infinity;
  #counted = 0;
  #rushing = false;
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
    if (types === undefined) this.#types = undefined;
    else for (const type of types) this.#types?.add(type);
    const now = performance.now();
    if (now - this.#countedFrom >= restMs) {
      this.#rushing = now - this.#countedFrom < 2 * restMs && this.#counted > rush;
      this.#countedFrom = now;
      this.#counted = 0;
    }
    this.#counted += 1;
    const left = this.#rushing || this.#counted > rush ? this.#countedFrom + restMs - now : 0;
    if (left <= 0) this.#send();
    else
      this.#resting ??= setTimeout(() => {
        this.#send();
      }, left);
  }

  #send(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    if (this.#upTo === this.#announced) return;
    const types = this.#types && [...this.#types];
    this.#types = new Set();
    this.#announced = this.#upTo;
    this.#announce({ upTo: this.#upTo, types });
  }
}

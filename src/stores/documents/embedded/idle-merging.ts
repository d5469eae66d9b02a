import type { TermWriter } from './term-writer.ts';

/** A break of writing in milliseconds after which merging begins. */
const usualBreakMs = 500;

/**
 * An index with more segments than this is merged. Each term of a query is looked up in each segment, so the 21 that a
 * load of 100,000 documents leaves took searches four times as long at p95 (46 ms instead of 12.6 ms).
 */
const mostSegments = 8;

/**
 * Merges the segments of indexes while nothing is written, in steps of some 10 ms, each a commit of its own. The first
 * write stops it, and a step rests for as long as it took, so that others can write.
 *
 * Only what a load has left is merged, not each small write: it begins with more than `mostSegments`, and merges only
 * segments of one level, so that large ones wait for others of their size. Measured with 100,000 documents: 40,000 more in
 * batches of 300 left nine segments, of which 0.6 s in 127 steps made three; the longest step took 24 ms. When each of
 * 3,000 writes of one document was followed by a break, there were five segments in place of 19, for 1.1 ms a write.
 */
export class IdleMerging {
  readonly #breakMs: number;
  readonly #written = new Set<TermWriter>();
  /** Those whose merging has begun. It goes on after a write. */
  readonly #split = new Set<TermWriter>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(breakMs = usualBreakMs) {
    this.#breakMs = breakMs;
  }

  /** Called after each write. */
  written(terms: TermWriter): void {
    this.#written.add(terms);
    this.#wait(this.#breakMs, () => this.#begin());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #begin(): void {
    for (const terms of this.#written) if (attempted(() => isSplit(terms))) this.#split.add(terms);
    this.#written.clear();
    this.#step();
  }

  #step(): void {
    const [terms] = this.#split;
    if (!terms) return;
    const began = performance.now();
    if (!attempted(() => terms.mergeSome())) this.#split.delete(terms);
    this.#wait(performance.now() - began, () => this.#step());
  }

  #wait(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(then, ms);
    this.#timer.unref();
  }
}

function isSplit(terms: TermWriter): boolean {
  if (terms.segments() <= mostSegments) return false;
  terms.mergePairs();
  return true;
}

/** False after a failure: its cause, such as a full disk or a dropped generation, is told by the next write. */
function attempted(work: () => boolean): boolean {
  try {
    return work();
  } catch {
    return false;
  }
}

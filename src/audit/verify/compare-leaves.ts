import { hashBytes } from '../proof-log/format/tiles.ts';
import {
  block,
  DueLeaves,
  firstWindow,
  FoundLeaves,
  keyOf,
  type ExpectedLeaves,
  type FoundLeaf,
  type LeafBatch,
} from './leaf-windows.ts';

export type { ExpectedLeaves, FoundLeaf, LeafBatch } from './leaf-windows.ts';

export type Difference<Ref> =
  /** Something else is where the leaf must be. */
  | {
      readonly kind: 'changed';
      readonly index: number;
      readonly expected: Buffer;
      readonly found: FoundLeaf<Ref>;
    }
  /** From the leaf `index` on, all whose hashes these are. */
  | {
      readonly kind: 'missing';
      readonly index: number;
      readonly expected: Buffer[];
      /** The last that was found before them. */
      readonly previous: FoundLeaf<Ref> | undefined;
    }
  /** Found before the leaf `index`, and not expected there. */
  | { readonly kind: 'added'; readonly index: number; readonly found: FoundLeaf<Ref> }
  /** The leaf `index` is in the wrong place: it was found before the leaf `before`. */
  | {
      readonly kind: 'moved';
      readonly index: number;
      readonly before: number;
      readonly found: FoundLeaf<Ref>;
    }
  /** The leaf `index` is there twice: also before the leaf `before`. */
  | {
      readonly kind: 'duplicated';
      readonly index: number;
      readonly before: number;
      readonly found: FoundLeaf<Ref>;
    };

export interface Comparison<Ref> {
  readonly differences: readonly Difference<Ref>[];
  /** Found after the last expected leaf. */
  readonly beyond: number;
  /** The comparison ended early: there were too many differences to name each. */
  readonly brokenOff: boolean;
}

const largestWindow = 131_072;
/** When none of so many is in its place, more is missing or added than the window holds. */
const few = 8;
const mostDifferences = 1_000;

/**
 * Compares what was found with the leaves that there must be, in order, and names every difference: which leaf was
 * changed, is missing, was added, duplicated or moved. Reads both once and keeps a window of each.
 */
export async function compareLeaves<Ref>(
  found: AsyncIterable<LeafBatch<Ref>>,
  expected: ExpectedLeaves,
): Promise<Comparison<Ref>> {
  const iterator = found[Symbol.asyncIterator]();
  try {
    return await new Comparing(expected, iterator).run();
  } finally {
    // Files and threads of a comparison that ended early.
    await iterator.return?.();
  }
}

class Comparing<Ref> {
  readonly #expected: ExpectedLeaves;
  readonly #found: FoundLeaves<Ref>;
  readonly #due: DueLeaves;
  readonly #differences: Difference<Ref>[] = [];
  /** The next leaf that is expected. */
  #index = 0;
  /** Leaves that were found before their place. */
  readonly #foundEarly = new Set<string>();
  /** Leaves that were found before their place and in it. */
  readonly #foundTwice = new Set<string>();
  /** Leaves that will be found after their place. */
  readonly #foundLate = new Set<string>();
  #window = firstWindow;

  constructor(expected: ExpectedLeaves, found: AsyncIterator<LeafBatch<Ref>>) {
    this.#expected = expected;
    this.#due = new DueLeaves(expected);
    this.#found = new FoundLeaves(found);
  }

  async run(): Promise<Comparison<Ref>> {
    let beyond = 0;
    for (;;) {
      const leaf = this.#found.first() ?? (await this.#nextUnequal());
      if (!leaf || this.#differences.length >= mostDifferences) break;
      if (this.#index < this.#expected.size) await this.#compare(leaf);
      else {
        if (!this.#foundLate.delete(keyOf(leaf.hash))) beyond += 1;
        this.#found.take();
      }
    }
    const brokenOff = this.#differences.length >= mostDifferences;
    if (!brokenOff) await this.#restIsMissing();
    return { differences: reconciled(this.#differences, this.#foundTwice), beyond, brokenOff };
  }

  /** Passes over what is as expected, in blocks. */
  async #nextUnequal(): Promise<FoundLeaf<Ref> | undefined> {
    for (;;) {
      const batch = await this.#found.next();
      if (!batch) return undefined;
      const equal = this.#foundEarly.size + this.#foundLate.size > 0 ? 0 : await this.#equalFrom(batch);
      this.#found.enqueue(batch, equal);
      const first = this.#found.first();
      if (first) return first;
    }
  }

  /** How many of a batch are as expected, from its first. */
  async #equalFrom({ hashes }: LeafBatch<Ref>): Promise<number> {
    const count = hashes.length / hashBytes;
    let equal = 0;
    while (equal < count && this.#index < this.#expected.size) {
      const wanted = await this.#expected.read(this.#index, Math.min(block, count - equal));
      const actual = hashes.subarray(equal * hashBytes, equal * hashBytes + wanted.length);
      if (!actual.equals(wanted)) break;
      equal += wanted.length / hashBytes;
      this.#index += wanted.length / hashBytes;
    }
    return equal;
  }

  async #compare(leaf: FoundLeaf<Ref>): Promise<void> {
    const wanted = await this.#due.at(this.#index);
    if (wanted.equals(leaf.hash)) {
      if (this.#foundEarly.delete(keyOf(wanted))) this.#foundTwice.add(keyOf(wanted));
      this.#found.take();
      this.#index += 1;
    } else if (this.#foundEarly.delete(keyOf(wanted))) {
      this.#index += 1;
    } else if (this.#foundLate.delete(keyOf(leaf.hash))) {
      this.#found.take();
    } else {
      await this.#difference(leaf, wanted);
    }
  }

  async #difference(found: FoundLeaf<Ref>, expected: Buffer): Promise<void> {
    await this.#lookAhead();
    let ahead = this.#due.distance(found.hash, this.#index);
    let later = this.#found.distance(expected);
    if (
      ahead === undefined &&
      later === undefined &&
      this.#window < largestWindow &&
      !(await this.#goesOn())
    ) {
      this.#window = largestWindow;
      await this.#lookAhead();
      ahead = this.#due.distance(found.hash, this.#index);
      later = this.#found.distance(expected);
    }
    const index = this.#index;
    if (ahead === undefined && later === undefined) {
      this.#differences.push({ kind: 'changed', index, expected, found });
      this.#index += 1;
      this.#found.take();
    } else if (ahead === undefined) {
      this.#differences.push({ kind: 'added', index, found });
      this.#found.take();
    } else if (later === undefined) {
      this.#isMissing(expected);
    } else if (ahead > later || (ahead === later && this.#foundEarly.size === 0)) {
      // The leaf that is farther from its place was moved, and the other only made room for it. When two were swapped, one
      // was found early before, and the other is late now.
      this.#differences.push({ kind: 'moved', index: index + ahead, before: index, found });
      this.#foundEarly.add(keyOf(found.hash));
      this.#found.take();
    } else {
      const moved = this.#found.at(later);
      this.#differences.push({ kind: 'moved', index, before: index + later + 1, found: moved });
      this.#foundLate.add(keyOf(expected));
      this.#index += 1;
    }
  }

  async #lookAhead(): Promise<void> {
    await this.#found.fill(this.#window);
    await this.#due.lookAhead(this.#index, this.#window);
  }

  /** Whether one of the next few leaves is in its place. Then this one alone was changed. */
  async #goesOn(): Promise<boolean> {
    for (let next = 1; next <= few && this.#index + next < this.#expected.size; next += 1) {
      const found = this.#found.atMost(next);
      if (found && (await this.#due.at(this.#index + next)).equals(found.hash)) return true;
    }
    return this.#index + few >= this.#expected.size || this.#found.atMost(few) === undefined;
  }

  #isMissing(expected: Buffer): void {
    const last = this.#differences.at(-1);
    if (last?.kind === 'missing' && last.index + last.expected.length === this.#index)
      last.expected.push(expected);
    else {
      const { previous } = this.#found;
      this.#differences.push({ kind: 'missing', index: this.#index, expected: [expected], previous });
    }
    this.#index += 1;
  }

  async #restIsMissing(): Promise<void> {
    while (this.#index < this.#expected.size) {
      const expected = await this.#due.at(this.#index);
      if (this.#foundEarly.delete(keyOf(expected))) this.#index += 1;
      else this.#isMissing(expected);
    }
  }
}

/**
 * Puts together what the window was too small for: a leaf that is missing in one place and found in another was moved.
 */
function reconciled<Ref>(
  differences: readonly Difference<Ref>[],
  foundTwice: ReadonlySet<string>,
): Difference<Ref>[] {
  const wanted = new Map<string, number>();
  const strays = new Set<string>();
  for (const each of differences) {
    if (each.kind === 'changed') wanted.set(keyOf(each.expected), each.index);
    if (each.kind === 'missing')
      for (const [place, hash] of each.expected.entries()) wanted.set(keyOf(hash), each.index + place);
    if (each.kind === 'added') strays.add(keyOf(each.found.hash));
  }
  return differences.flatMap((each): Difference<Ref>[] => {
    if (each.kind === 'missing') {
      const [only, ...more] = each.expected;
      return only && more.length === 0 && strays.has(keyOf(only)) ? [] : [each];
    }
    const key = keyOf(each.found.hash);
    if (each.kind === 'moved') return [foundTwice.has(key) ? { ...each, kind: 'duplicated' } : each];
    const index = wanted.get(key);
    return [index === undefined ? each : { kind: 'moved', index, before: each.index, found: each.found }];
  });
}

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedDocuments } from '../../src/stores/documents/embedded/documents.ts';
import { IdleMerging } from '../../src/stores/documents/embedded/idle-merging.ts';
import { termTables } from '../../src/stores/documents/embedded/term-index.ts';
import { TermWriter } from '../../src/stores/documents/embedded/term-writer.ts';
import type { CollectionWriter } from '../../src/stores/documents/port.ts';
import { aPlace, buildNew, put, remove, servePlaces, type Place } from '../contract/places.ts';
import { termsSpec } from '../contract/term-texts.ts';
import { temporaryFolder } from '../support/folder.ts';

const spec = termsSpec('places', true);
const tables = termTables(spec, 'places.1');
/** Enough that each batch leaves a segment, and that segments are too many in the end. */
const batches = 120;

/** A place of batch n: all have `a`, and their number in one of ten. */
const placed = (n: number) => put(aPlace(n, { terms: `a b${n % 10} ${'x'.repeat(n % 90)}y` }), BigInt(n + 2));

describe('an index that has grown by many small writes', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let documents: EmbeddedDocuments;

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await documents.close();
    folder.remove();
  });

  function segments(): number {
    const db = new DatabaseSync(join(folder.path, 'views.db'), { readOnly: true });
    try {
      return new TermWriter(db, tables).segments();
    } finally {
      db.close();
    }
  }

  async function grown(mergeAfterMs: number): Promise<CollectionWriter<Place>> {
    documents = new EmbeddedDocuments(folder.path, { mergeAfterMs });
    const writer = await servePlaces(documents, spec);
    for (let n = 0; n < batches; n++) await writer.write([placed(n)], BigInt(n + 2));
    return writer;
  }

  const found = async (term: string) => {
    const query = { orderBy: ['number'], matching: { every: [['a'], [term]] }, limit: batches } as const;
    return (await documents.collection(spec).select(query, ['number'])).map(({ number }) => number);
  };
  const numbers = (digit: number) =>
    Array.from({ length: batches }, (_, n) => n).filter((n) => n % 10 === digit);

  it('has few segments after a break, without a rebuild, and is searched meanwhile', async () => {
    const writer = await grown(100_000);
    expect(segments()).toBeGreaterThan(8);
    await documents.close();
    // The next process merges what this one has left.
    documents = new EmbeddedDocuments(folder.path, { mergeAfterMs: 0 });
    const next = await documents.writer(spec, 1);
    await next.load(['place-3']);
    await next.write([remove(3, 1_000n)], 1_000n);
    await vi.waitUntil(async () => {
      expect(await found('b3')).toEqual(numbers(3).filter((n) => n !== 3));
      expect(await found('b7')).toEqual(numbers(7));
      return segments() <= 5;
    });
    expect(writer.checkpoint).toBe(BigInt(batches + 1));
  });
});

describe('an index while many documents are loaded', () => {
  let folder: ReturnType<typeof temporaryFolder>;

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** The options that were set: those that are absent are FTS5's own. */
  function options(): Readonly<Record<string, unknown>> {
    const db = new DatabaseSync(join(folder.path, 'views.db'), { readOnly: true });
    try {
      const rows = db.prepare(`SELECT k, v FROM "places.1.terms_config" WHERE k <> 'version'`).all();
      return Object.fromEntries(rows.map(({ k, v }) => [String(k), v]));
    } finally {
      db.close();
    }
  }

  it('merges seldom until the load has ended, also when a process dies in it, and then as always', async () => {
    const first = new EmbeddedDocuments(folder.path);
    const { writer } = await buildNew(first, spec);
    await writer.write([placed(1)], 3n);
    expect(options()).toMatchObject({ automerge: 16, crisismerge: 64 });
    await first.close();

    const next = new EmbeddedDocuments(folder.path);
    const goesOn = await next.writer(spec, 1);
    await goesOn.write([placed(2)], 4n);
    await goesOn.finish();
    await next.serve(spec.name, 1);
    expect(options()).toEqual({ automerge: 4, crisismerge: 16, hashsize: 1_048_576 });
    await next.close();

    const follows = new EmbeddedDocuments(folder.path);
    await (await follows.writer(spec, 1)).write([placed(3)], 5n);
    expect(options()).toMatchObject({ automerge: 4 });
    const query = { orderBy: ['number'], matching: { every: [['a']] }, limit: 5 } as const;
    expect(await follows.collection(spec).select(query, ['number'])).toEqual([
      { number: 1 },
      { number: 2 },
      { number: 3 },
    ]);
    await follows.close();
  });
});

describe('merging in breaks of writing', () => {
  const db = new DatabaseSync(':memory:');
  const breakMs = 500;
  let merging: IdleMerging;
  let terms: TermWriter;
  let key = 0;

  beforeEach(() => {
    vi.useFakeTimers();
    db.exec(tables.drop + tables.create);
    terms = new TermWriter(db, tables);
    merging = new IdleMerging(breakMs);
  });
  afterEach(() => {
    merging.close();
    vi.useRealTimers();
  });

  /** So many commits of some documents each, with a different text each. */
  function write(commits: number, documentsEach: number): void {
    for (let commit = 0; commit < commits; commit++) {
      db.exec('BEGIN');
      for (let n = 0; n < documentsEach; n++) {
        key++;
        terms.add(key, Array.from({ length: 40 }, (_, each) => `w${(key * (each + 7)) % 100_003}`).join(' '));
      }
      db.exec('COMMIT');
      merging.written(terms);
    }
  }

  it('leaves a few segments as they are', () => {
    write(3, 1);
    const before = terms.segments();
    vi.advanceTimersByTime(60_000);
    expect([before, terms.segments(), vi.getTimerCount()]).toEqual([3, 3, 0]);
  });

  it('begins after the break, and ends when nothing is left to do', () => {
    write(12, 1);
    const before = terms.segments();
    vi.advanceTimersByTime(breakMs - 1);
    expect([before, terms.segments()]).toEqual([12, 12]);
    vi.advanceTimersByTime(60_000);
    expect(terms.segments()).toBeLessThanOrEqual(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is stopped by a write between two steps, and goes on after the next break', () => {
    write(12, 60);
    const steps = vi.spyOn(terms, 'mergeSome');
    vi.advanceTimersToNextTimer();
    expect(steps).toHaveLastReturnedWith(true);
    write(1, 1);
    vi.advanceTimersByTime(breakMs - 1);
    expect(steps).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(steps).toHaveLastReturnedWith(false);
    expect(terms.segments()).toBeLessThanOrEqual(4);
  });

  it('ends with closing', () => {
    write(12, 1);
    merging.close();
    expect(vi.getTimerCount()).toBe(0);
    merging.written(terms);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends for an index that is dropped', () => {
    write(12, 1);
    db.exec(tables.drop);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

import { expect, it } from 'vitest';
import {
  beginning,
  pagesOf,
  type EventBatch,
  type ReadAllOptions,
} from '../../src/stores/event-store/port.ts';

/** A log of ten positions, of which each read passes over so many. */
function log(): {
  readonly store: { readAll(options: ReadAllOptions): Promise<EventBatch> };
  readonly asked: bigint[];
} {
  const asked: bigint[] = [];
  return {
    asked,
    store: {
      async readAll({ after, limit }) {
        asked.push(after);
        const next = after + BigInt(limit);
        return { events: [], position: next < 9n ? next : 9n };
      },
    },
  };
}

async function positions(options: Parameters<typeof pagesOf>[1]) {
  const { store, asked } = log();
  const found: bigint[] = [];
  for await (const { position } of pagesOf(store, options)) found.push(position);
  return { found, asked };
}

it('a log is read from its beginning to its end, which a page that does not go on tells', async () => {
  expect(await positions({ limit: 4 })).toEqual({
    found: [3n, 7n, 9n],
    asked: [beginning, 3n, 7n, 9n],
  });
});

it('a log is read after a position, and no further than to the page that reaches another', async () => {
  expect(await positions({ after: 1n, upTo: 5n, limit: 2 })).toEqual({ found: [3n, 5n], asked: [1n, 3n] });
  expect((await positions({ after: 5n, upTo: 5n, limit: 2 })).asked).toEqual([]);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { action } from '../../../src/actions/action.ts';
import type { PageDependencies } from '../../../src/api/dashboard-dependencies.ts';
import { performFor } from '../../../src/api/pages/action-form.ts';
import type { SignedInPageContext } from '../../../src/api/pages/page-context.ts';
import { CommandRefused } from '../../../src/ground/refusals.ts';
import { aCommand } from '../../support/context.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const logged: unknown[] = [];
const pageContext = {
  currentUser: { person: { user: 'ada', role: undefined } },
  request: { log: { error: (error: unknown) => logged.push(error) } },
  context: aCommand,
} as unknown as SignedInPageContext;

/** Answers after so long, or fails. */
const work = (afterMs: number, failure?: Error) =>
  performFor(
    {} as PageDependencies,
    pageContext,
    action({
      name: 'tests.work',
      input: z.object({}),
      async run(_parts: object, _input, { inTime, watched }) {
        const working = watched({
          name: 'Working',
          total: () => Promise.reject(new Error('Nobody looks.')),
          work: () =>
            new Promise<string>((resolve, reject) => {
              setTimeout(() => {
                if (failure) reject(failure);
                else resolve('done');
              }, afterMs);
            }),
        });
        const done = await inTime(working);
        return { changes: [], value: () => done };
      },
    }),
    {},
  );

const after = async <Value>(ms: number, performing: Promise<Value>): Promise<Value> => {
  await vi.advanceTimersByTimeAsync(ms);
  return performing;
};

test('a page waits for work that ends within five seconds, and says what came of it', async () => {
  expect(await after(4_900, work(4_900))).toEqual({ kind: 'done', value: 'done' });
  const refusal = new CommandRefused('conflict', 'It is active.');
  expect(await after(100, work(100, refusal))).toMatchObject({ kind: 'refused', refusal });
});

test('work that takes longer goes on by itself, and its failure is logged', async () => {
  const failure = new Error('The store is gone.');
  expect(await after(5_000, work(9_000, failure))).toEqual({ kind: 'done', value: undefined });
  expect(logged).toEqual([]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(logged).toEqual([failure]);
});

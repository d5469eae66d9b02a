import { describe, expect, test } from 'vitest';
import { AttemptSlots } from '../../src/dispatch/lanes/attempt-slots.ts';
import type { AttemptResult } from '../../src/dispatch/attempts/attempt-outcome.ts';
import { Lanes } from '../../src/dispatch/lanes/lanes.ts';
import { nextPace, receiverStateOf, type ReceiverState } from '../../src/dispatch/lanes/pace.ts';
import { laneConcurrency } from '../../src/dispatch/delivery-policy.ts';
import type { SendOutcome } from '../../src/dispatch/attempts/sender.ts';
import { until } from '../support/until.ts';

describe('the pace', () => {
  test('is one attempt at a time after trouble, and doubles with each success up to the full pace', () => {
    const paces: number[] = [];
    let pace = laneConcurrency;
    for (const receiver of ['well', 'unwell', 'well', 'well', 'well', 'well', 'well'] as const) {
      pace = nextPace(pace, receiver);
      paces.push(pace);
    }
    expect(paces).toEqual([10, 1, 2, 4, 8, 10, 10]);
  });

  test('stays as it is after an answer that says nothing of the receiver', () => {
    expect([1, 4, 10].map((pace) => nextPace(pace, undefined))).toEqual([1, 4, 10]);
  });
});

describe('a receiver', () => {
  const answered = (status: number): SendOutcome => ({
    kind: 'answered',
    status,
    durationMs: 1,
    responseHeaders: {},
    responseText: '',
    truncated: false,
  });

  test.each<[number, ReceiverState]>([
    [200, 'well'],
    [204, 'well'],
    [301, undefined],
    [400, undefined],
    [410, undefined],
    [429, 'unwell'],
    [500, 'unwell'],
    [503, 'unwell'],
  ])('that answers %i is %s', (status, state) => {
    expect(receiverStateOf(answered(status))).toBe(state);
  });

  test('that does not answer is unwell', () => {
    expect(receiverStateOf({ kind: 'failed', reason: 'timeout', message: 'No.', durationMs: 10_000 })).toBe(
      'unwell',
    );
  });
});

describe('a lane', () => {
  /** Attempts that end when the test says so. */
  function lane() {
    const underWay = new Map<string, PromiseWithResolvers<AttemptResult>>();
    const begun: string[] = [];
    const lanes = new Lanes({
      attempt: ({ delivery: id }) => {
        const attempt = Promise.withResolvers<AttemptResult>();
        underWay.set(id, attempt);
        begun.push(id);
        return attempt.promise;
      },
      readPage: async () => ({ due: [], nextDue: Infinity, shownTo: 0n }),
      park: async () => undefined,
      isTransient: () => false,
      slots: new AttemptSlots(200),
      onFault: () => undefined,
      now: () => new Date(),
    });
    const end = (result: AttemptResult, id = [...underWay.keys()][0] ?? '') => {
      underWay.get(id)?.resolve(result);
      underWay.delete(id);
    };
    const add = (count: number) => {
      for (let n = 0; n < count; n++) {
        const delivery = `delivery-${begun.length}-${n}`;
        lanes.add({ subscription: 'one', delivery, dueAt: new Date(0), position: 1n });
      }
    };
    const holds = (count: number) => until(() => underWay.size === count);
    return { lanes, underWay, begun, end, add, holds };
  }
  const success: AttemptResult = { kind: 'settled', receiver: 'well' };
  const trouble: AttemptResult = { kind: 'settled', receiver: 'unwell' };

  test('has ten attempts under way, and after trouble begins again with one', async () => {
    const { lanes, add, end, holds, underWay } = lane();
    add(60);
    expect(underWay.size).toBe(10);
    end(trouble);
    for (let left = 9; left >= 1; left--) {
      // Those under way end; nothing takes their places until one is left.
      await holds(left);
      end(trouble);
    }
    await holds(1);
    // A success makes room for two, two for eight in all, and then the lane is full.
    end(success);
    await holds(2);
    end(success);
    await holds(4);
    end(success);
    await holds(8);
    end(success);
    await holds(10);
    end(success);
    await holds(10);
    for (const id of underWay.keys()) end({ kind: 'lost' }, id);
    await lanes.close();
  });

  test('begins nothing more when it is closed, whatever waits for its turn', async () => {
    const { lanes, add, end, begun, underWay } = lane();
    add(30);
    const closed = lanes.close();
    expect(begun).toHaveLength(10);
    for (const id of [...underWay.keys()]) end(success, id);
    await closed;
    expect(begun).toHaveLength(10);
  });
});

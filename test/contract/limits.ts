import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Allowance, Limit, RateLimiter, AttemptLimiter } from '../../src/stores/limits/port.ts';
import { until } from '../support/until.ts';

/** What a suite needs to know of an adapter: how a client of it is made, for which all clients count together. */
export interface LimitsUnderTest {
  open(limit: Limit): RateLimiter;
  /** Whether several clients count together. */
  readonly shared: boolean;
  dispose(): Promise<void>;
}

export interface AttemptLimiterUnderTest extends Omit<LimitsUnderTest, 'open'> {
  readonly open: (name: string, limit: Limit) => AttemptLimiter;
}

/** Every adapter of the Limits port passes this. Keys are unique to a run: the store may be shared. */
export function limitsContract(adapter: string, open: () => Promise<LimitsUnderTest>): void {
  describe(`the limits contract, ${adapter}`, () => {
    let under: LimitsUnderTest;
    let key: string;

    beforeEach(async () => {
      under = await open();
      key = randomUUID();
    });
    afterEach(async () => {
      await under.dispose();
    });

    const threeAMinute = { points: 3, windowSeconds: 60 };
    const told = ({ allowed, remaining }: Allowance) =>
      `${allowed ? 'allowed' : 'refused'}, ${remaining} left`;
    const times = async (count: number, ask: () => Promise<Allowance>) => {
      const answers: string[] = [];
      for (let n = 0; n < count; n++) answers.push(told(await ask()));
      return answers;
    };
    const all = [
      'allowed, 2 left',
      'allowed, 1 left',
      'allowed, 0 left',
      'refused, 0 left',
      'refused, 0 left',
    ];

    it('lets a key ask so often, says how often it still may, and refuses it after that', async () => {
      const limits = under.open(threeAMinute);
      expect(await times(5, () => limits.consume(key))).toEqual(all);
    });

    it('says what its limit is', () => {
      expect(under.open(threeAMinute)).toMatchObject(threeAMinute);
    });

    it('says when the window ends, the same moment to all of its requests', async () => {
      const limits = under.open(threeAMinute);
      const start = Date.now();
      for (let n = 0; n < 5; n++) {
        const { resetMs } = await limits.consume(key);
        expect(resetMs).toBeLessThanOrEqual(60_000);
        expect(Date.now() + resetMs).toBeGreaterThanOrEqual(start + 60_000);
      }
    });

    it('gives everything back when the window has ended', async () => {
      const limits = under.open({ points: 2, windowSeconds: 1 });
      await times(4, () => limits.consume(key));
      await until(async () => (await limits.consume(key)).allowed);
      expect(await times(2, () => limits.consume(key))).toEqual(['allowed, 0 left', 'refused, 0 left']);
    });

    it('counts keys apart, whatever they are made of', async () => {
      const limits = under.open(threeAMinute);
      const keys = ['', '$a.b', '__proto__', 'a\u0000b', 'a', 'A', '🏠', '{"$gt":""}'].map(
        (end) => key + end,
      );
      for (const each of keys) expect(told(await limits.consume(each)), each).toBe('allowed, 2 left');
      for (const each of keys) expect(told(await limits.consume(each)), each).toBe('allowed, 1 left');
    });

    it('counts every one of requests that come at once, and lets just so many through', async () => {
      const limits = under.open({ points: 10, windowSeconds: 60 });
      const answers = await Promise.all(Array.from({ length: 25 }, () => limits.consume(key)));
      expect(answers.map(({ allowed }) => allowed)).toEqual(Array.from({ length: 25 }, (_, n) => n < 10));
      expect(answers.slice(0, 10).map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
      expect((await limits.consume(key)).allowed).toBe(false);
    });

    it('counts every one of requests that come while others are counted', async () => {
      const limits = under.open({ points: 60, windowSeconds: 60 });
      const answers: Promise<Allowance>[] = [];
      for (let turn = 0; turn < 50; turn++) {
        answers.push(limits.consume(key), limits.consume(key));
        await new Promise((resolve) => setImmediate(resolve));
      }
      const allowed = (await Promise.all(answers)).filter((answer) => answer.allowed);
      expect(allowed).toHaveLength(60);
      expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(60);
    });

    it('keeps one limit on all clients where they count together, and one on each where they do not', async () => {
      const clients = [under.open(threeAMinute), under.open(threeAMinute)];
      const answers: string[] = [];
      for (let n = 0; n < 6; n++) answers.push(told(await (clients[n % 2] as RateLimiter).consume(key)));
      const left = under.shared ? [2, 1, 0, 0, 0, 0] : [2, 2, 1, 1, 0, 0];
      expect(answers).toEqual(
        left.map((each, n) => `${n < 3 || !under.shared ? 'allowed' : 'refused'}, ${each} left`),
      );
    });
  });
}

/** Every adapter of the `AttemptLimiter` port passes this. */
export function attemptLimiterContract(adapter: string, open: () => Promise<AttemptLimiterUnderTest>): void {
  describe(`the attempt limiter contract, ${adapter}`, () => {
    const three = { points: 3, windowSeconds: 60 };
    let under: AttemptLimiterUnderTest;
    let key: string;

    beforeEach(async () => {
      under = await open();
      key = randomUUID();
    });
    afterEach(async () => {
      await under.dispose();
    });

    const waits = async (limiter: AttemptLimiter, count: number, of = key) => {
      const seconds: number[] = [];
      for (let n = 0; n < count; n++) seconds.push(await limiter.take(of));
      return seconds;
    };

    it('lets a key try so often, and says after that how long to wait', async () => {
      const said = await waits(under.open('guess', three), 5);
      expect(said.slice(0, 3)).toEqual([0, 0, 0]);
      for (const seconds of said.slice(3)) expect(seconds).toBeGreaterThan(50);
      for (const seconds of said) expect(seconds).toBeLessThanOrEqual(60);
    });

    it('gives back one, or all', async () => {
      const limiter = under.open('guess', three);
      await waits(limiter, 3);
      await limiter.giveBack(key);
      expect((await waits(limiter, 2)).map((seconds) => seconds > 0)).toEqual([false, true]);
      // What was refused is no attempt.
      await limiter.giveBack(key);
      expect((await waits(limiter, 2)).map((seconds) => seconds > 0)).toEqual([false, true]);
      await limiter.forget(key);
      expect(await waits(limiter, 3)).toEqual([0, 0, 0]);
      // Of what was never taken nothing is left to forget.
      await limiter.forget(randomUUID());
    });

    it('starts anew when the window has ended', async () => {
      const limiter = under.open('guess', { points: 1, windowSeconds: 1 });
      await waits(limiter, 2);
      await until(async () => (await limiter.take(key)) === 0);
    });

    it('counts names and keys apart, and what comes at once as many', async () => {
      const [one, other] = [under.open('guess', three), under.open('mail', three)];
      const said = await Promise.all(Array.from({ length: 10 }, () => one.take(key)));
      expect(said.filter((seconds) => seconds === 0)).toHaveLength(3);
      expect(await waits(other, 1)).toEqual([0]);
      expect(await waits(one, 1, randomUUID())).toEqual([0]);
    });

    it('counts with all clients together where they share, and alone where they do not', async () => {
      const clients = [under.open('guess', three), under.open('guess', three)] as const;
      const refused = [];
      for (const each of clients) {
        for (const seconds of await waits(each, 2)) refused.push(seconds > 0);
      }
      expect(refused).toEqual([false, false, false, under.shared]);
      await clients[0].forget(key);
      expect(await waits(clients[1], 1)).toEqual([0]);
    });
  });
}

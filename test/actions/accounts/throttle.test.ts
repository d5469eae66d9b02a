import { describe, expect, it } from 'vitest';
import { Throttle, type Guess } from '../../../src/actions/accounts/throttle.ts';
import { networksOf } from '../../../src/ground/network.ts';
import { MemoryAttemptLimiter } from '../../../src/stores/limits/memory-attempt-limiter.ts';
import { memoryLimits } from '../../support/limits.ts';

const account = 'ada@example.org';
const from = (address: string, rest: Partial<Guess> = {}): Guess => ({
  account,
  networks: networksOf(address),
  ...rest,
});

/** Limits that several nodes share; notes every key. */
function sharedTries() {
  const keys: string[] = [];
  const limits = memoryLimits({}, (_, limit) => {
    const limiter = new MemoryAttemptLimiter(limit);
    return {
      take: (key) => (keys.push(key), limiter.take(key)),
      giveBack: (key) => (keys.push(key), limiter.giveBack(key)),
      forget: (key) => (keys.push(key), limiter.forget(key)),
    };
  });
  return { keys, limits };
}
const aThrottle = () => new Throttle(memoryLimits());

/** How many of so many guesses were let through. */
async function through(throttle: Throttle, count: number, guess: (n: number) => Guess): Promise<number> {
  let passed = 0;
  for (let n = 0; n < count; n++) if ((await throttle.guess(guess(n))) === 0) passed += 1;
  return passed;
}

describe('the throttle of guesses', () => {
  it('counts what is guessed at several nodes together', async () => {
    const limits = memoryLimits();
    const nodes = [new Throttle(limits), new Throttle(limits)];
    const refused: boolean[] = [];
    for (let n = 0; n < 12; n++) {
      const node = nodes[n % 2] as Throttle;
      refused.push((await node.guess(from('192.0.2.1'))) > 0);
    }
    expect(refused).toEqual(Array.from({ length: 12 }, (_, n) => n >= 10));
  });

  it('forgets the wrong ones once it was right, and takes it for no guess', async () => {
    const throttle = aThrottle();
    // The network may guess 60 times: nine wrong ones and a right one, four times over; a wider pair has 40.
    for (let round = 0; round < 4; round++) {
      expect(await through(throttle, 10, () => from('192.0.2.1'))).toBe(10);
      await throttle.succeeded(from('192.0.2.1'));
    }
    expect(await through(throttle, 10, () => from('192.0.2.1'))).toBe(4);
  });

  it.each([
    ['/24 networks of one /16', (n: number) => `198.51.${n}.7`],
    ['/64 networks of one /48', (n: number) => `2001:db8:7:${n.toString(16)}::1`],
  ])('counts %s as one wider network', async (_, address) => {
    expect(await through(aThrottle(), 60, (n) => from(address(n)))).toBe(40);
    const other = await through(aThrottle(), 700, (n) => from(address(n % 60), { account: `person ${n}` }));
    expect(other).toBe(600);
  });

  it('gives a known browser a budget of its own, which nobody else uses up', async () => {
    const throttle = aThrottle();
    // 17 networks, seven guesses each.
    expect(await through(throttle, 119, (n) => from(`192.${n % 17}.2.1`))).toBe(100);
    expect(await throttle.guess(from('203.0.113.9'))).toBeGreaterThan(0);
    const known = from('203.0.113.9', { browser: 'one that was here before' });
    expect(await through(throttle, 12, () => known)).toBe(10);
    const other = from('203.0.113.9', { browser: 'another' });
    expect(await throttle.guess(other)).toBe(0);
    await throttle.succeeded(known);
    expect(await throttle.guess(known)).toBe(0);
  });

  it('keeps neither the account nor the network nor the browser in clear', async () => {
    const { limits, keys } = sharedTries();
    const throttle = new Throttle(limits);
    for (const guess of [from('192.0.2.1'), from('192.0.2.1', { browser: 'known' })]) {
      await throttle.guess(guess);
      await throttle.succeeded(guess);
      await throttle.forget(guess);
    }
    await throttle.passkey('credential');
    await throttle.mailDelay(account, 'reset', 'known');
    await throttle.mailDelay(account, 'reset');
    await throttle.askForMail(networksOf('192.0.2.1'));
    expect(keys.length).toBeGreaterThan(12);
    for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
    const other = sharedTries();
    await new Throttle(other.limits).guess(from('192.0.2.1'));
    expect(other.keys.some((key) => keys.includes(key))).toBe(false);
  });
});

describe('the throttle of mails', () => {
  it('delays what is too much for an address, one of a kind, and drops none', async () => {
    const throttle = aThrottle();
    const delays: (number | undefined)[] = [];
    for (let n = 0; n < 7; n++) delays.push(await throttle.mailDelay(account, 'reset'));
    expect(delays).toEqual([0, 0, 0, 0, 0, 900, undefined]);
    expect(await throttle.mailDelay(account, 'another kind')).toBe(900);
  });

  it('sends what somebody asks for at a known browser at once, whatever others have asked for', async () => {
    const throttle = aThrottle();
    for (let n = 0; n < 7; n++) await throttle.mailDelay(account, 'reset');
    const delays: (number | undefined)[] = [];
    for (let n = 0; n < 4; n++) delays.push(await throttle.mailDelay(account, 'reset', 'known'));
    expect(delays).toEqual([0, 0, 0, undefined]);
  });

  it('starts anew with another password', async () => {
    const throttle = aThrottle();
    for (let n = 0; n < 7; n++) await throttle.mailDelay(account, 'reset');
    await throttle.forget(from('192.0.2.1'));
    expect(await throttle.mailDelay(account, 'reset')).toBe(0);
  });
});

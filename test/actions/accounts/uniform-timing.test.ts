import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inUniformTime } from '../../../src/actions/accounts/uniform-timing.ts';

/** A timer may fire this much before its time. */
const early = 2;

async function tookMs(settings: { uniformStepMs?: number }, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await inUniformTime(settings, work).catch(() => undefined);
  return performance.now() - start;
}

describe('an answer in uniform time', () => {
  it('takes a quarter of a second when its work takes none', async () => {
    expect(await tookMs({}, () => Promise.resolve())).toBeGreaterThanOrEqual(250 - early);
  });

  it('takes a second step when its work takes longer than the first', async () => {
    const took = await tookMs({ uniformStepMs: 40 }, () => pause(45));
    expect(took).toBeGreaterThanOrEqual(80 - early);
  });

  it('takes as long when its work fails, and fails then', async () => {
    const fails = () => Promise.reject(new Error('The work failed.'));
    expect(await tookMs({ uniformStepMs: 40 }, fails)).toBeGreaterThanOrEqual(40 - early);
    await expect(inUniformTime({ uniformStepMs: 1 }, fails)).rejects.toThrow('The work failed.');
  });

  it('is what its work answers', async () => {
    expect(await inUniformTime({ uniformStepMs: 1 }, () => Promise.resolve('done'))).toBe('done');
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jobFailures } from '../../src/ground/job-failures.ts';
import { runJob, startJob, type JobOptions } from '../../src/ground/job.ts';
import { StoreError } from '../../src/stores/errors.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';
import { until } from '../support/until.ts';

let folder: DataFolder;
let stores: Stores;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

const endless = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

function start(options: Partial<JobOptions> & Pick<JobOptions, 'work'>, { side, leases } = stores) {
  const faults: string[] = [];
  const onFault = (job: string, error: unknown) => faults.push(`${job}: ${String(error)}`);
  const job = startJob({ side, leases, onFault }, { name: 'a-job', firstMs: 1, longestMs: 2, ...options });
  return { job, faults };
}

describe('a background job', () => {
  test('that fails is started again, and is listed from the second failure until it succeeds', async () => {
    let failing = true;
    const { job, faults } = start({
      work: (signal, progress) => {
        if (failing) return Promise.reject(new Error('The shelf is empty.'));
        progress.succeeded();
        return endless(signal);
      },
    });
    const [listed] = await until(async () => {
      const all = await jobFailures(stores.side);
      return all.length > 0 && all;
    });
    expect(listed).toMatchObject({ job: 'a-job', error: 'The shelf is empty.' });
    expect(faults.length).toBeGreaterThanOrEqual(2);
    failing = false;
    await until(async () => (await jobFailures(stores.side)).length === 0);
    await job.stop();
  });

  test('is not listed for one failure', async () => {
    let runs = 0;
    const { job } = start({
      work: (signal, progress) => {
        runs += 1;
        if (runs === 1) return Promise.reject(new Error('Once.'));
        progress.succeeded();
        return endless(signal);
      },
    });
    await until(() => runs === 2);
    expect(await jobFailures(stores.side)).toEqual([]);
    await job.stop();
  });

  test('that handles its errors itself says so, and is listed', async () => {
    const { job } = start({
      work: (signal, { failed }) => {
        failed(new Error('First.'));
        failed(new Error('Second.'));
        return endless(signal);
      },
    });
    await until(async () => (await jobFailures(stores.side)).some(({ error }) => error === 'Second.'));
    await job.stop();
    expect(await jobFailures(stores.side)).toEqual([]);
  });

  test('with a lease works in one process at a time, and in the next when that one stops', async () => {
    const working: string[] = [];
    const as = (name: string) => ({
      lease: 'only-one',
      work: async (signal: AbortSignal) => {
        working.push(name);
        await endless(signal);
        working.splice(working.indexOf(name), 1);
      },
    });
    const first = start(as('first'));
    await until(() => working.length === 1);
    const second = start(as('second'), folder.open());
    expect(await folder.open().leases.tryAcquire('only-one')).toBeUndefined();
    expect(working).toEqual(['first']);
    await first.job.stop();
    await until(() => working.includes('second'));
    expect(working).toEqual(['second']);
    await second.job.stop();
  });

  test('ends for good when the files of a store were replaced', async () => {
    const replaced = new StoreError('replaced', 'events.db was replaced.');
    const { side, leases } = stores;
    const supervision = { side, leases, onFault: () => undefined };
    const work = () => Promise.reject(replaced);
    await expect(runJob(supervision, { name: 'a-job', work }, new AbortController().signal)).rejects.toBe(
      replaced,
    );
  });
});

import { expect, it } from 'vitest';
import { RunningConsumers } from '../../src/stores/event-store/running-consumers.ts';

it('a store that is closed waits for what consumes, also for what fails', async () => {
  const running = new RunningConsumers();
  const [one, other] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const first = running.run(one.promise.then(() => undefined));
  const second = running.run(other.promise.then(() => undefined));
  let over = false;
  const ended = running.ended().then(() => (over = true));
  one.reject(new Error('it failed'));
  await expect(first).rejects.toThrow('it failed');
  expect(over).toBe(false);
  other.resolve(undefined);
  await second;
  await ended;
  expect(over).toBe(true);
});

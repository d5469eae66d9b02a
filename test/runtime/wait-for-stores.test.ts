import { expect, test } from 'vitest';
import { onceStoresAnswer } from '../../src/runtime/wait-for-stores.ts';
import { StoreError } from '../../src/stores/errors.ts';

test('work that loses a store on the way is done again from its beginning, and the wait is reported', async () => {
  const done: string[] = [];
  const said: string[] = [];
  let away = true;
  const work = () => {
    done.push('first');
    if (away) {
      away = false;
      return Promise.reject(new StoreError('unavailable', 'EventStoreDB is not available.'));
    }
    done.push('second');
    return Promise.resolve('prepared');
  };
  const result = await onceStoresAnswer(work, new AbortController().signal, (line) => {
    said.push(line);
  });
  expect(result).toBe('prepared');
  expect(done).toEqual(['first', 'first', 'second']);
  expect(said).toEqual(['Waiting: EventStoreDB is not available.']);
});

test('what no waiting helps against ends it, and so does a stop', async () => {
  const refused = () => Promise.reject(new StoreError('incompatible', 'The vault is missing.'));
  const signal = new AbortController().signal;
  await expect(onceStoresAnswer(refused, signal, () => undefined)).rejects.toThrow('The vault is missing.');
  const stopping = new AbortController();
  const away = (): Promise<string> => {
    stopping.abort();
    return Promise.reject(new StoreError('unavailable', 'Away.'));
  };
  expect(await onceStoresAnswer(away, stopping.signal, () => undefined)).toBeUndefined();
});

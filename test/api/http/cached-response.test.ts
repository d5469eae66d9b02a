import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { ResponseCache, responseOf } from '../../../src/api/http/responses/cached-response.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Of the heap, where keys are. */
const heldBytes = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

const MiB = 1024 * 1024;
/** A text that shares its memory with no other. */
const long = (length: number, n: number) => Buffer.alloc(length, `${n}&`).toString('latin1');

describe('the cache of responses', () => {
  test('keeps a response from the second time on, under its stamp alone', () => {
    const cache = new ResponseCache(MiB);
    const response = responseOf('"body"', 'etag');
    cache.put('key', 'one', response);
    expect(cache.get('key', 'one')).toBeUndefined();
    cache.put('key', 'one', response);
    expect(cache.get('key', 'one')).toMatchObject({ etag: 'etag' });
    expect(cache.get('key', 'two')).toBeUndefined();
    cache.put('other', 'two', response);
    expect(cache.get('key', 'one')).toBeUndefined();
    cache.put('key', undefined, response);
    expect(cache.get('key', undefined)).toBeUndefined();
  });

  test('keeps what was asked for before at once when it is made anew under another stamp', () => {
    const cache = new ResponseCache(MiB);
    cache.put('key', 'one', responseOf('"old"', 'old'));
    cache.put('key', 'two', responseOf('"new"', 'new'));
    expect(cache.get('key', 'one')).toBeUndefined();
    expect(cache.get('key', 'two')).toMatchObject({ etag: 'new' });
  });

  test('keeps what later requests made when a slow one ends, which began before the last change', () => {
    const cache = new ResponseCache(MiB);
    const request = (key: string, stamp: string) => {
      expect(cache.get(key, stamp)).toBeUndefined();
      return { end: () => cache.put(key, stamp, responseOf(`"${stamp}"`, stamp)) };
    };
    request('slow', 'one').end();
    request('key', 'one').end();
    const slow = request('slow', 'one');
    request('key', 'two').end();
    expect(cache.get('key', 'two')).toMatchObject({ etag: 'two' });
    slow.end();
    expect(cache.get('key', 'two')).toMatchObject({ etag: 'two' });
    expect(cache.get('slow', 'two')).toBeUndefined();
    expect(cache.get('slow', 'one')).toBeUndefined();
    // The next change drops it.
    request('slow', 'three').end();
    expect(cache.get('slow', 'three')).toMatchObject({ etag: 'three' });
    expect(cache.get('key', 'two')).toBeUndefined();
  });

  test.each([
    ['that are asked for once', 1],
    ['that are kept', 2],
  ])('holds no more than its limit whatever its keys are: long ones %s', (_name, times) => {
    const cache = new ResponseCache(MiB);
    const before = heldBytes();
    for (let n = 0; n < 2_000; n++) {
      const key = long(16_000, n);
      for (let time = 0; time < times; time++) cache.put(key, 'stamp', responseOf('{}', 'etag'));
    }
    const held = heldBytes() - before;
    // The keys alone are 31 MiB; what the runtime itself takes up meanwhile is some of it.
    expect(held).toBeLessThan(8 * MiB);
    cache.put('still at work', 'stamp', responseOf('{}', 'etag'));
    cache.put('still at work', 'stamp', responseOf('{}', 'etag'));
    expect(cache.get('still at work', 'stamp')).toBeDefined();
  });

  test('lets go of what was unused for longest', () => {
    const cache = new ResponseCache(MiB);
    const put = (n: number) => {
      for (let time = 0; time < 2; time++)
        cache.put(`${n}`, 'stamp', responseOf(JSON.stringify(long(100_000, n)), `${n}`));
    };
    for (let n = 0; n < 9; n++) put(n);
    expect(cache.get('0', 'stamp')).toBeDefined();
    put(9);
    put(10);
    expect(cache.get('0', 'stamp')).toBeDefined();
    expect(cache.get('1', 'stamp')).toBeUndefined();
    expect(cache.get('10', 'stamp')).toBeDefined();
  });
});

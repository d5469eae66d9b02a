import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../src/runtime/operators/access.ts';

describe('the operators’ port', () => {
  const here = { token: undefined };

  it.each(['127.0.0.1:9464', 'localhost:9464', '[::1]:9464', 'localhost'])(
    'answers programs of this machine that call it %s',
    (host) => {
      expect(refusalOf({ host }, here)).toBeUndefined();
    },
  );

  it.each([
    [{ host: 'rebound.example:9464' }],
    [{ host: 'localhost.example' }],
    [{}],
    [{ host: '127.0.0.1:9464', origin: 'http://127.0.0.1:9464' }],
    [{ host: '127.0.0.1:9464', 'sec-fetch-site': 'cross-site' }],
    [{ host: '127.0.0.1:9464', 'sec-fetch-site': 'same-origin' }],
  ])('refuses %j: a page in a browser of this machine', (headers) => {
    expect(refusalOf(headers, here)).toMatchObject({ status: 403 });
  });

  it('opens for a person who types its address into a browser', () => {
    expect(refusalOf({ host: 'localhost:9464', 'sec-fetch-site': 'none' }, here)).toBeUndefined();
  });

  it('takes nothing but its token where it has one, from anywhere', () => {
    const guarded = { token: 'operators-only-1a2b3c4d' };
    const refused = { status: 401 };
    expect(refusalOf({ host: '127.0.0.1:9464' }, guarded)).toMatchObject(refused);
    for (const authorization of [
      '',
      'Bearer ',
      'Bearer operators-only',
      `Basic ${guarded.token}`,
      guarded.token,
    ])
      expect(refusalOf({ host: 'node:9464', authorization }, guarded)).toMatchObject(refused);
    for (const scheme of ['Bearer', 'bearer'])
      expect(
        refusalOf({ host: 'node:9464', authorization: `${scheme} ${guarded.token}` }, guarded),
      ).toBeUndefined();
  });
});

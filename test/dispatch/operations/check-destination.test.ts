import { describe, expect, test } from 'vitest';
import { checkDestination } from '../../../src/dispatch/operations/check-destination.ts';
import type { Resolver } from '../../../src/dispatch/attempts/destination-guard.ts';

const policy = { allowPrivate: false, ownHosts: ['id.example'] };
const leadingTo =
  (...addresses: readonly string[]): Resolver =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const failing =
  (code: string): Resolver =>
  async () => {
    throw Object.assign(new Error('No.'), { code });
  };
const never: Resolver = async () => {
  throw new Error('This name must not be looked up.');
};
const check = (url: string, resolver: Resolver) => checkDestination(url, policy, resolver);

describe('the URL of a subscription', () => {
  test('is accepted when its name leads to public addresses', async () => {
    expect(await check('https://hooks.example.org/in', leadingTo('93.184.216.34'))).toMatchObject({
      ok: true,
    });
  });

  test('is refused when one of the addresses is not public', async () => {
    expect(await check('https://hooks.example.org/in', leadingTo('93.184.216.34', '10.0.0.8'))).toMatchObject(
      {
        ok: false,
        message: 'hooks.example.org leads to 10.0.0.8, which is a private address.',
      },
    );
  });

  test.each(['ENOTFOUND', 'ENODATA'])('is refused when its name leads nowhere: %s', async (code) => {
    expect(await check('https://nowhere.example.org/in', failing(code))).toMatchObject({
      ok: false,
      message: 'The name nowhere.example.org does not lead to any address.',
    });
    expect(await check('https://nowhere.example.org/in', leadingTo())).toMatchObject({ ok: false });
  });

  test.each(['ETIMEOUT', 'ECONNREFUSED', 'ESERVFAIL'])(
    'is accepted when DNS does not answer, because each attempt checks again: %s',
    async (code) => {
      expect(await check('https://hooks.example.org/in', failing(code))).toMatchObject({ ok: true });
    },
  );

  test.each([
    'http://example.org',
    'https://a:b@example.org',
    'https://example.org/#x',
    'https://id.example/x',
  ])('is refused before anything is looked up: %s', async (url) => {
    expect(await check(url, never)).toMatchObject({ ok: false });
  });

  test.each(['https://93.184.216.34/in', 'https://[2606:2800:220:1::1]/in'])(
    'that names an address needs no look-up: %s',
    async (url) => {
      expect(await check(url, never)).toMatchObject({ ok: true });
    },
  );
});

import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { checkUrl, guardedLookup } from '../../../src/dispatch/attempts/destination-guard.ts';
import { destinationPolicy, webhookPolicy } from '../../../src/dispatch/operations/destination-policy.ts';

test.each([
  [{ HOST: '127.0.0.1', PORT: '3000' }, ['127.0.0.1:3000']],
  [{ BASE_URL: 'https://directory.example' }, ['directory.example']],
  [
    { BASE_URL: 'https://directory.example', AUTH_URL: 'https://id.example' },
    ['directory.example', 'id.example'],
  ],
  [{ HOST: '127.0.0.1', PORT: '3000', AUTH_URL: 'https://id.example' }, ['127.0.0.1:3000', 'id.example']],
])('webhooks never go to us: %o', (environment, ownHosts) => {
  expect(destinationPolicy(readConfig(environment))).toEqual({ allowPrivate: false, ownHosts });
});

test.each([
  [{ BASE_URL: 'http://localhost:3000' }, ['127.0.0.1:3000', '[::1]:3000', 'localhost:3000']],
  [
    { HOST: '0.0.0.0', PORT: '80', BASE_URL: 'https://box.example', AUTH_URL: 'https://id.example' },
    ['127.0.0.1:80', '[::1]:80', 'localhost:80', 'box.example:443', 'id.example:443'],
  ],
  [{ HOST: '10.0.0.5', PORT: '3000' }, ['10.0.0.5:3000']],
])('in development only our own ports are ours: %o', (environment, ownHosts) => {
  const config = readConfig({ ...environment, ALLOW_PRIVATE_WEBHOOKS: 'true' });
  expect(destinationPolicy(config)).toEqual({ allowPrivate: true, ownHosts });
});

test.each(['http://localhost:4000/hook', 'http://127.0.0.1:4000/hook', 'http://[::1]:4000/hook'])(
  'a receiver beside us in development is told: %s',
  (url) => {
    const environment = { BASE_URL: 'http://localhost:3000', ALLOW_PRIVATE_WEBHOOKS: 'true' };
    expect(checkUrl(url, destinationPolicy(readConfig(environment)))).toMatchObject({ ok: true });
    const us = url.replace('4000', '3000');
    expect(checkUrl(us, destinationPolicy(readConfig(environment)))).toMatchObject({
      reason: 'refused_destination',
      message: expect.stringContaining('is this service itself') as string,
    });
  },
);

test.each(['https://directory.example:8443/hook', 'https://directory.example/hook'])(
  'elsewhere our host is ours on every port: %s',
  (url) => {
    const policy = destinationPolicy(readConfig({ BASE_URL: 'https://directory.example' }));
    expect(checkUrl(url, policy)).toMatchObject({ message: 'directory.example is this service itself.' });
  },
);

describe('a receiver on the same machine', () => {
  const loopback = ['http://localhost:8080/hook', 'http://127.0.0.1:8080/hook', 'http://[::1]:8080/hook'];
  const checked = (environment: Record<string, string>, url: string) =>
    checkUrl(url, webhookPolicy(readConfig(environment)));

  test.each([
    {},
    { HOST: 'localhost' },
    { HOST: '::1' },
    { BASE_URL: 'http://localhost:3000' },
    { BASE_URL: 'http://localhost:3000', AUTH_URL: 'http://localhost:3000' },
  ])('gets webhooks while only this machine reaches the server: %o', (environment) => {
    for (const url of loopback) expect(checked(environment, url)).toMatchObject({ ok: true });
  });

  test.each([
    { HOST: '0.0.0.0' },
    { HOST: '192.168.1.4' },
    { BASE_URL: 'https://directory.example' },
    { BASE_URL: 'http://localhost:3000', AUTH_URL: 'https://id.example' },
    { TRUST_PROXY: '127.0.0.1' },
    { ROLES: 'dispatcher' },
  ])('gets none where others may reach it: %o', (environment) => {
    for (const url of loopback) expect(checked(environment, url)).toMatchObject({ ok: false });
    const secure = loopback.map((url) => url.replace('http:', 'https:'));
    for (const url of secure)
      expect(checked(environment, url)).toMatchObject({ reason: 'refused_destination' });
  });

  test.each([
    'http://10.0.0.5/hook',
    'http://192.168.1.4:8080/hook',
    'http://127.0.0.2:8080/hook',
    'http://printer:8080/hook',
    'http://app.localhost:8080/hook',
    'http://169.254.169.254/latest',
    'http://example.org/hook',
    'https://10.0.0.5/hook',
    'https://127.0.0.2:8443/hook',
    'http://localhost:22/hook',
  ])('is under its own names alone: %s', (url) => {
    expect(checked({}, url)).toMatchObject({ ok: false });
  });

  test.each(['http://localhost:3000/hook', 'http://127.0.0.1:3000/hook', 'http://[::1]:3000/hook'])(
    'is never this service: %s',
    (url) => {
      const isUs = { ok: false, message: expect.stringContaining('is this service itself') as string };
      expect(checked({}, url)).toMatchObject(isUs);
      expect(checked({ BASE_URL: 'http://localhost:3000' }, url)).toMatchObject(isUs);
    },
  );

  test('is found by no name that somebody else decides about', async () => {
    const policy = webhookPolicy(readConfig({}));
    const looked = (name: string) =>
      new Promise((resolve) => {
        const resolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
        guardedLookup(policy, resolver)(name, { all: true }, (error, found) =>
          resolve(error?.message ?? found),
        );
      });
    expect(await looked('localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(await looked('rebound.example')).toContain('an address of this machine');
  });

  test('is no place where the proof of a domain is looked for', () => {
    expect(checkUrl('http://localhost:8080/', destinationPolicy(readConfig({})))).toMatchObject({
      ok: false,
    });
  });
});

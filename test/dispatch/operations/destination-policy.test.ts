import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { checkUrl } from '../../../src/dispatch/attempts/destination-guard.ts';
import { destinationPolicy } from '../../../src/dispatch/operations/destination-policy.ts';

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

import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { destinationPolicy } from '../../src/threads/destination-policy.ts';

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

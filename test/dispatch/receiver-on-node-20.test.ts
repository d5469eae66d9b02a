import { execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { newSigningSecret, signHeaders } from '../../src/dispatch/signature.ts';
import { until } from '../support/until.ts';

const start = new URL('../../examples/webhook-receiver/start.js', import.meta.url).pathname;

/** What Node 20 does not have yet. Taken away from a newer Node, where the machine has no other. */
const sinceNode20 = `
  for (const [owner, names] of [
    [Promise, ['try', 'withResolvers']],
    [Array, ['fromAsync']],
    [Object, ['groupBy']],
    [Map, ['groupBy']],
    [RegExp, ['escape']],
    [Error, ['isError']],
    [Uint8Array, ['fromBase64', 'fromHex']],
    [Uint8Array.prototype, ['toBase64', 'toHex']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
    [Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), ['map', 'filter', 'take', 'drop', 'toArray']],
    [globalThis, ['WebSocket', 'Iterator', 'navigator', 'URLPattern']],
  ])
    for (const name of names) delete owner[name];
`;

const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' });

/** The Node 20 of this machine, which is none of our dependencies. */
const node20 = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((node) => existsSync(node) && versionOf(node).startsWith('v20.'));

const withoutNewer = `data:text/javascript,${encodeURIComponent(sinceNode20)}`;

const nodes: [string, string, readonly string[]][] = [
  ['Node without what is newer than 20', process.execPath, ['--import', withoutNewer]],
  ...(node20 === undefined ? [] : [['Node 20', node20, []] satisfies [string, string, string[]]]),
];

test.each(nodes)(
  'the example runs on %s: it verifies, and handles a repeated delivery once',
  async (_, node, options) => {
    const secret = newSigningSecret(randomBytes);
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0', NODE_OPTIONS: '' };
    const running = spawn(node, [...options, start], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [running.stdout, running.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    try {
      const base = await until(() => {
        if (running.exitCode !== null) throw new Error(output);
        return /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      });
      const deliveryId = randomUUID();
      const body = JSON.stringify({ event: 'resource.approved', delivery_id: deliveryId, data: { id: 1 } });
      const headers = signHeaders({ secret, deliveryId, event: 'resource.approved', body, at: new Date() });
      const post = async (sent: string) =>
        (await fetch(`${base}/webhooks`, { method: 'POST', headers: { ...headers }, body: sent })).status;
      expect([await post(body), await post(body), await post(`${body} `)], output).toEqual([204, 204, 401]);
      await until(() => output.includes(`resource.approved ${deliveryId}`));
      expect(output.split(`resource.approved ${deliveryId}`)).toHaveLength(2);
    } finally {
      running.kill();
    }
  },
);

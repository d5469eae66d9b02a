import { execFileSync } from 'node:child_process';
import { BroadcastChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { onBroadcast } from '../../src/stores/broadcast.ts';

test('a listener gets each message of the other channels of its name, until its channel is closed', async () => {
  const [heard, other] = [new BroadcastChannel('of-this-test'), new BroadcastChannel('of-this-test')];
  const messages: unknown[] = [];
  const both = Promise.withResolvers<unknown>();
  onBroadcast(heard, (message) => {
    if (messages.push(message) === 2) both.resolve(undefined);
  });
  heard.unref();
  other.postMessage({ upTo: 1 });
  other.postMessage(null);
  await both.promise;
  expect(messages).toEqual([{ upTo: 1 }, null]);
  heard.close();
  other.close();
});

test('a message loads no HTTP client, and a channel that is let go keeps no process', () => {
  const file = new URL('../../src/stores/broadcast.ts', import.meta.url).href;
  const program = `
    import { BroadcastChannel } from 'node:worker_threads';
    import { onBroadcast } from '${file}';
    const [heard, other] = [new BroadcastChannel('x'), new BroadcastChannel('x')];
    const done = Promise.withResolvers();
    onBroadcast(heard, done.resolve);
    other.postMessage('a message');
    console.log(await done.promise, process.moduleLoadList.some((name) => name.includes('undici')));
    heard.unref();
    other.unref();`;
  const answer = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(answer.trim()).toBe('a message false');
});

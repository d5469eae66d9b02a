import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiver, type Received, type Receiver } from '../../dispatch/receivers.ts';
import { start } from '../../faults/processes.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand, startServing, type Serving } from '../../support/serving.ts';
import { until } from '../../support/until.ts';

const folder = temporaryFolder();
const got: Received[] = [];
let to: Receiver;
let server: Serving;
let id: string;

beforeAll(async () => {
  to = await receiver((response, request) => {
    got.push(request);
    response.writeHead(204).end();
  });
  server = await startServing(folder.path);
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
  const wanted = ['--team', 'harbour', '--test-receiver', '--events', 'member.joined'];
  ({ subscription: id } = (await runCommand(folder.path, 'subscriptions', 'create', ...wanted)) as {
    subscription: string;
  });
});
afterAll(async () => {
  await server.stop();
  await to[Symbol.asyncDispose]();
  folder.remove();
});

async function listening(...options: readonly string[]) {
  const words = ['webhooks', 'listen', '--team', 'harbour', ...options];
  const running = start('src/main.js', words, folder.path);
  await until(() => running.complaints().includes('Listening'));
  return running;
}

const sendTest = () => runCommand(folder.path, 'subscriptions', 'test', id) as Promise<{ delivery: string }>;

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('what arrives is printed and passed on as it is, also across a restart of the server, until Ctrl-C', async () => {
  const running = await listening('--forward', to.url);
  const { delivery } = await sendTest();
  await until(() => running.written().includes('answered 204'));
  const [request] = got;
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-delivery': delivery,
    'webhook-id': delivery,
  });
  expect(running.written()).toContain(`delivery ${delivery}, attempt 1, signature valid`);
  expect(running.written()).toContain(`\n${request?.body.toString() ?? '-'}\n`);
  for (const name of ['X-Service-Signature', 'webhook-signature', 'webhook-timestamp'])
    expect(running.written()).toContain(`  ${name}: ${String(request?.headers[name.toLowerCase()])}\n`);

  await server.stop();
  server = await startServing(folder.path);
  const next = await sendTest();
  await until(() => got.length === 2);
  expect(got[1]?.headers['x-service-delivery']).toBe(next.delivery);

  running.signal('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0 });
});

test('where nothing listens, that is said for each, in JSON too, and it goes on', async () => {
  const running = await listening('--forward', 'http://127.0.0.1:9/hook', '--json');
  const { delivery } = await sendTest();
  await sendTest();
  await until(() => linesOf(running.written()).length === 2);
  const [first, second] = linesOf(running.written());
  expect(first).toMatchObject({
    delivery,
    signed: true,
    test: true,
    forwarded: { error: 'nothing listens there' },
  });
  expect(second).toMatchObject({ headers: { 'X-Service-Event': 'member.joined' } });
  running.signal('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0 });
});

test('a webhook to this machine is taken as the guide says, and arrives', async () => {
  const url = to.url.replace('127.0.0.1', 'localhost');
  const wanted = ['--team', 'harbour', '--url', url, '--events', 'member.joined'];
  const made = (await runCommand(folder.path, 'subscriptions', 'create', ...wanted)) as {
    subscription: string;
  };
  const before = got.length;
  expect(await runCommand(folder.path, 'subscriptions', 'test', made.subscription)).toMatchObject({
    status: 'delivered',
  });
  expect(got).toHaveLength(before + 1);

  // A setting that changes stops it, also what was accepted before.
  await server.stop();
  server = await startServing(folder.path, { BASE_URL: 'https://directory.example' });
  const refused = await runCommandLine(['subscriptions', 'test', made.subscription, '--json'], folder.path);
  expect(refused.code).toBe(1);
  const { delivery } = JSON.parse(refused.stdout) as { delivery: string };
  const { attempts } = (await runCommand(folder.path, 'deliveries', 'show', delivery)) as {
    attempts: { error: string }[];
  };
  expect(attempts[0]?.error).toMatch(/must begin with https|this machine/);
  expect(got).toHaveLength(before + 1);
});

test.each([
  [['--team', 'harbour', '--forward', 'localhost:8080'], 2, '--forward: must be an address'],
  [['--team', 'harbour', '--forward', 'http://me:word@localhost:8080'], 2, 'user name'],
  [['--team', 'nobody'], 1, 'There is no team nobody.'],
  [[], 2, '--team'],
])('what cannot be listened to is refused: %o', async (options, code, sentence) => {
  const ended = await runCommandLine(['webhooks', 'listen', ...options], folder.path);
  expect(ended).toMatchObject({ code, stderr: expect.stringContaining(sentence) as string });
});

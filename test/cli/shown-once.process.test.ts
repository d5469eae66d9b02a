import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseKey } from '../../src/events/keys-format.ts';
import { keysCommand } from '../../src/cli/keys.ts';
import { subscriptionsCommand } from '../../src/cli/webhooks/subscriptions.ts';
import { projectingLease } from '../../src/projections/engine/projector-takeover.ts';
import { start, type Running } from '../faults/processes.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
});
afterAll(folder.remove);

/** Somebody who holds the leases of these read models and moves them nowhere. */
async function standingStill(work: () => Promise<void>): Promise<void> {
  const holder = start('test/stores/fixtures/hold-lease.ts', [folder.path, projectingLease], folder.path);
  try {
    await until(() => holder.written().includes('holding'));
    await work();
  } finally {
    await holder.kill();
  }
}

const createKey = ['keys', 'create', '--kind', 'developer', '--scopes', 'resources:read'];
const subscribe = ['--team', 'harbour', '--url', 'https://1.1.1.1/in', '--events', 'resource.approved'];
const createSubscription = ['subscriptions', 'create', ...subscribe];

const key = /^api_pk_\S+$/m;
const secret = /^whsec_\S+$/m;

describe.skipIf(!isEmbedded)('what is shown once', () => {
  test.each([
    ['a key', createKey, key],
    ['a key in JSON', [...createKey, '--json'], /"key": "api_pk_\S+"/],
    ['a signing secret', createSubscription, secret],
    ['a signing secret in JSON', [...createSubscription, '--json'], /"secret": "whsec_\S+"/],
  ])('is shown while nobody moves the read models on: %s', async (_name, words, shown) => {
    let running: Running | undefined;
    await standingStill(async () => {
      const started = (running = start('src/main.js', words, folder.path));
      await until(() => shown.test(started.written()) && started.written().endsWith('\n'));
      expect(started.complaints()).toBe('');
    });
    // Whoever stood still is gone, so the command moves the read models on by itself.
    expect(await running?.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('is shown of a rotated secret as well', async () => {
    const { subscription } = (await runCommand(folder.path, ...createSubscription)) as {
      subscription: string;
    };
    let running: Running | undefined;
    await standingStill(async () => {
      const started = (running = start(
        'src/main.js',
        ['subscriptions', 'rotate', subscription],
        folder.path,
      ));
      await until(() => secret.test(started.written()));
    });
    expect(await running?.ended).toMatchObject({ code: 0 });
  });

  test('is followed by a sentence when it takes too long, and nothing has failed', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      await standingStill(async () => {
        const line = { environment: { DATA_DIR: folder.path }, exitCode: 0, visibleWithinMs: 200 };
        await keysCommand(line).parseAsync(createKey.slice(1), { from: 'user' });
        await subscriptionsCommand(line).parseAsync(createSubscription.slice(1), { from: 'user' });
        expect(line.exitCode).toBe(0);
      });
      const text = printed.mock.calls.flat().join('\n');
      expect(text).toMatch(key);
      expect(text).toMatch(secret);
      expect(said.mock.calls.flat()).toEqual([
        expect.stringMatching(/It is created and stays.*api-keys is behind.*commonweal status/),
        expect.stringMatching(/It is created and stays.*subscriptions is behind.*commonweal status/),
      ]);
      const [made = ''] = key.exec(text) ?? [];
      const listed = (await runCommand(folder.path, 'keys', 'list')) as { key_id: string }[];
      expect(listed.map(({ key_id }) => key_id)).toContain(parseKey(made)?.keyId);
    } finally {
      printed.mockRestore();
      said.mockRestore();
    }
  });
});

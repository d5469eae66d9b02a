import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandResource, submitResource } from '../../../src/commands/directory/resource.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem, type System } from '../../../src/container.ts';
import { emptyCaches } from '../../../src/dispatch/context.ts';
import { dispatch } from '../../../src/dispatch/dispatcher.ts';
import { pauseRule } from '../../../src/dispatch/delivery-policy.ts';
import { createSender } from '../../../src/dispatch/attempts/sender.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { receiver, type Receiver } from '../../dispatch/receivers.ts';
import { operator } from '../../dispatch/harness.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { isEmbedded } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startProjector } from '../../support/projector.ts';
import { until } from '../../support/until.ts';
import type { Stores } from '../../support/stores.ts';

const folder = temporaryFolder();
const settings = { ALLOW_PRIVATE_WEBHOOKS: 'true' };
let system: System;
let to: Receiver;
let answer = 204;
let stop: () => Promise<unknown>;
let id: string;

beforeAll(async () => {
  await ok('teams', 'create', 'harbour', '--name', 'Harbour House');
  system = await openSystem(readConfig({ DATA_DIR: folder.path, ...settings }));
  to = await receiver((response) => response.writeHead(answer, { 'x-says': 'the receiver' }).end('Well.'));
  const abort = new AbortController();
  const projector = startProjector(system as unknown as Stores);
  const { store, documents, side, vault, personal, leases } = system;
  const dispatching = dispatch(
    {
      ...{ store, documents, side, vault, personal, leases },
      shards: 1,
      sender: createSender({ policy: { allowPrivate: true, ownHosts: [] } }),
      delays: [0, 1],
      pauseRule,
      caches: emptyCaches(),
      now: () => new Date(),
      random: Math.random,
      onRepaired: () => undefined,
      onFault: () => () => undefined,
    },
    abort.signal,
  );
  stop = async () => {
    abort.abort();
    await dispatching;
    await projector.stop();
  };
  const wish = ['--team', 'harbour', '--url', to.url, '--events', 'resource.approved'];
  ({ subscription: id } = (await ok('subscriptions', 'create', ...wish)) as { subscription: string });
});
afterAll(async () => {
  await stop();
  await to[Symbol.asyncDispose]();
  await system.close();
  folder.remove();
});

const run = (...words: readonly string[]) => runCommandLine(words, folder.path, settings);
async function ok(...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(...words, '--json');
  expect({ code, stderr }, words.join(' ')).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
const refusal = async (...words: readonly string[]) => {
  const { code, stderr } = await run(...words);
  return `${String(code)} ${stderr.trim()}`;
};

async function approve(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const fields = { name: 'Pantry', category: 'food' } as const;
    const { state } = await submitResource(system, { team: 'harbour', fields }, operator());
    await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, operator());
  }
}

const happened = (type: string, count: number) =>
  until(async () => {
    const { events } = await system.store.readAll({
      after: beginning,
      filter: { types: [type] },
      limit: 1_000,
    });
    return events.length >= count && events;
  });

interface Listed {
  readonly deliveries: readonly {
    readonly delivery: string;
    readonly status: string;
    readonly test?: true;
  }[];
  readonly next: string | null;
}
const list = async (...words: readonly string[]) => (await ok('deliveries', 'list', ...words)) as Listed;

describe.skipIf(!isEmbedded)('deliveries', () => {
  test('that failed are listed, shown with every attempt, and sent again, one or all', async () => {
    answer = 503;
    await approve(5);
    await happened('DeliveryFailed', 5);
    const failed = await list('--subscription', id, '--status', 'failed');
    expect(failed.deliveries).toHaveLength(5);
    expect(await list('--team', 'harbour', '--status', 'failed')).toEqual(failed);
    expect((await list('--subscription', id, '--status', 'delivered')).deliveries).toEqual([]);

    // Page by page, each once.
    const pages: string[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const page: Listed = await list(
        '--team',
        'harbour',
        '--limit',
        '2',
        ...(after ? ['--after', after] : []),
      );
      pages.push(...page.deliveries.map(({ delivery }) => delivery));
      after = page.next;
    }
    expect(pages).toEqual((await list('--team', 'harbour')).deliveries.map(({ delivery }) => delivery));
    expect(new Set(pages).size).toBe(5);

    const [one] = pages;
    const shown = (await ok('deliveries', 'show', one ?? '')) as Record<string, unknown>;
    expect(shown).toMatchObject({
      delivery: one,
      subscription: id,
      status: 'failed',
      attempts: [
        {
          attempt: 1,
          trigger: 'schedule',
          status: 503,
          request: { headers: { 'webhook-id': one } },
          response: { text: 'Well.' },
        },
        { attempt: 2, trigger: 'retry', status: 503, response: { headers: { 'x-says': 'the receiver' } } },
      ],
    });
    expect(JSON.parse(String(shown['body']))).toMatchObject({ event: 'resource.approved' });
    expect((await run('deliveries', 'show', one ?? '')).stdout).toContain('Attempt 2 (retry)');

    answer = 204;
    expect(await ok('deliveries', 'resend', one ?? '')).toEqual({
      delivery: one,
      status: 'pending',
      resent: true,
    });
    await happened('DeliverySucceeded', 1);
    expect(await ok('deliveries', 'show', one ?? '')).toMatchObject({
      status: 'delivered',
      attempts: [{}, {}, { attempt: 3, trigger: 'resend', status: 204 }],
      steps: [{ what: 'resend', by: { kind: 'system', id: 'cli' } }],
    });
    const since = ['--subscription', id, '--since', '2026-01-01'];
    expect(await ok('deliveries', 'resend-failed', ...since)).toMatchObject({ resent: 4 });
    await happened('DeliverySucceeded', 5);
    expect(await ok('deliveries', 'resend-failed', ...since)).toMatchObject({ resent: 0 });
  });

  test('are replayed with the same ids, also those of before the subscription, and in parts', async () => {
    const wish = ['--team', 'harbour', '--url', to.url, '--events', 'resource.approved'];
    const { subscription } = (await ok('subscriptions', 'create', ...wish)) as { subscription: string };
    const first = (await ok('subscriptions', 'replay', subscription, '--after', '-1', '--limit', '3')) as {
      position: string;
    };
    expect(first).toMatchObject({ scheduled: 3, reopened: 0, more: true });
    expect(await ok('subscriptions', 'replay', subscription, '--after', first.position)).toMatchObject({
      scheduled: 2,
      reopened: 0,
      more: false,
    });
    await happened('DeliverySucceeded', 10);
    const ids = (await list('--subscription', subscription)).deliveries.map(({ delivery }) => delivery);
    const again = await ok('subscriptions', 'replay', subscription, '--since', '2026-01-01');
    expect(again).toMatchObject({ scheduled: 0, reopened: 5, waiting: 0 });
    await happened('DeliverySucceeded', 15);
    expect((await list('--subscription', subscription)).deliveries.map(({ delivery }) => delivery)).toEqual(
      ids,
    );

    // Only what it would have got with its present choice.
    await ok('subscriptions', 'edit', subscription, '--events', 'resource.rejected');
    expect(await ok('subscriptions', 'replay', subscription, '--after', '-1')).toMatchObject({
      scheduled: 0,
      reopened: 0,
    });
    expect(await ok('subscriptions', 'delete', subscription)).toMatchObject({ status: 'deleted' });
    expect(await refusal('subscriptions', 'replay', subscription, '--after', '-1')).toMatch(
      /^1 .* is deleted/,
    );
    expect(await refusal('deliveries', 'resend', ids[0] ?? '')).toMatch(/^1 .* is deleted/);
  });

  test('of a kind that somebody chooses are sent as a test, marked as such', async () => {
    const sent = (await ok('subscriptions', 'test', id, '--event', 'payment.received')) as {
      delivery: string;
    };
    expect(sent).toMatchObject({ event: 'payment.received', status: 'delivered' });
    const shown = (await ok('deliveries', 'show', sent.delivery)) as { body: string };
    expect(shown).toMatchObject({ test: true, attempts: [{ trigger: 'test' }] });
    expect(JSON.parse(shown.body)).toMatchObject({ event: 'payment.received' });
    expect((await list('--subscription', id)).deliveries[0]).toMatchObject({
      delivery: sent.delivery,
      test: true,
    });
  });

  test('tell how a receiver does', async () => {
    const health = (await ok('subscriptions', 'health', id)) as Record<string, unknown>;
    expect(health).toMatchObject({
      subscription: id,
      status: 'active',
      backlog: 0,
      oldest_pending_at: null,
      failing_since: null,
      last_7_days: { attempts: 16, succeeded: 6, given_up: 5, success_rate: 6 / 16 },
    });
    expect(health['last_24_hours']).toEqual(health['last_7_days']);
    expect((await run('subscriptions', 'health', id)).stdout).toContain('37.5 %');
  });

  test('are held while a subscription is paused, and discarded by choice', async () => {
    await ok('subscriptions', 'pause', id);
    const listed = (await ok('subscriptions', 'list', '--team', 'harbour')) as { subscription: string }[];
    expect(listed.find(({ subscription }) => subscription === id)).toHaveProperty('paused_at');
    await approve(3);
    await until(
      async () => (await list('--subscription', id, '--status', 'pending')).deliveries.length === 3,
    );
    expect(await ok('subscriptions', 'health', id)).toMatchObject({ backlog: 3 });
    expect(await ok('subscriptions', 'discard-held', id)).toEqual({ subscription: id, discarded: 3 });
    expect((await list('--subscription', id, '--status', 'discarded')).deliveries).toHaveLength(3);
    await ok('subscriptions', 'resume', id);
    expect(await refusal('subscriptions', 'discard-held', id)).toMatch(/^1 The webhook is active/);
  });
});

describe.skipIf(!isEmbedded)('what is not possible', () => {
  const nobody = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
  test.each([
    [['deliveries', 'list'], /^2 say whose deliveries/],
    [['deliveries', 'list', '--team', 'harbour', '--subscription', nobody], /^2 say whose deliveries/],
    [['deliveries', 'list', '--subscription', nobody], /^2 --subscription: there is no such webhook$/],
    [['deliveries', 'list', '--team', 'nobody'], /^1 There is no team/],
    [['subscriptions', 'list', '--team', 'nobody'], /^1 There is no team nobody\.$/],
    [['deliveries', 'list', '--team', 'harbour', '--status', 'lost'], /^2 --status: must be one of pending/],
    [
      ['deliveries', 'list', '--team', 'harbour', '--since', 'yesterday'],
      /^2 --since: must be a time such as/,
    ],
    [
      ['deliveries', 'list', '--team', 'harbour', '--since', '2999-01-01'],
      /^2 --since: 2999-01-01 is in the future$/,
    ],
    [
      ['deliveries', 'list', '--team', 'harbour', '--since', '2026-02-01', '--until', '2026-01-01'],
      /^2 --until: is before --since$/,
    ],
    [
      ['deliveries', 'list', '--team', 'harbour', '--limit', '0'],
      /^2 --limit: must be a whole number from 1$/,
    ],
    [['deliveries', 'list', '--team', 'harbour', '--after', 'x'], /^2 --after: must be what the list before/],
    [['deliveries', 'show', 'x'], /^2 id: must be the id of a delivery$/],
    [['deliveries', 'show', nobody], /^1 There is no such delivery\.$/],
    [['deliveries', 'resend', nobody], /^1 There is no such delivery\.$/],
    [
      ['deliveries', 'resend-failed', '--subscription', nobody, '--since', '2026-01-01'],
      /^1 There is no such webhook\.$/,
    ],
    [['subscriptions', 'replay', nobody, '--after', '-1'], /^1 There is no such webhook\.$/],
    [['subscriptions', 'replay', nobody], /^2 say from where on/],
    [['subscriptions', 'replay', nobody, '--after', 'x'], /^2 --after: must be a position of the log$/],
    [
      ['subscriptions', 'replay', nobody, '--after', '999999999'],
      /^2 --after: there is nothing yet at position/,
    ],
    [['subscriptions', 'replay', nobody, '--since', '2999-01-01'], /^2 --since: .* is in the future$/],
    [['subscriptions', 'test', nobody], /^1 There is no such webhook\.$/],
    [['subscriptions', 'test', nobody, '--event', 'everything'], /^2 --event: must be one of/],
    [['subscriptions', 'confirm', nobody], /^1 There is no such webhook\.$/],
    [['subscriptions', 'health', nobody], /^1 There is no such webhook\.$/],
    [['subscriptions', 'discard-held', nobody], /^1 There is no such webhook\.$/],
    [['subscriptions', 'edit', nobody], /^2 name what to change/],
    [['subscriptions', 'edit', nobody, '--events', 'everything'], /^2 --events "everything": must be one of/],
    [
      ['subscriptions', 'edit', nobody, '--url', 'ftp://example.org'],
      /^2 --url: The URL must begin with https/,
    ],
    [
      ['subscriptions', 'edit', nobody, '--url', 'https://a:b@127.0.0.1/'],
      /^2 --url: .*user name or password/,
    ],
    [['subscriptions', 'edit', nobody, '--url', 'https://127.0.0.1/#x'], /^2 --url: .*fragment/],
    [['subscriptions', 'edit', nobody, '--url', 'https://169.254.169.254/'], /^2 --url: .*link-local/],
    [['subscriptions', 'edit', nobody, '--url', 'https://127.0.0.1:9/'], /^1 There is no such webhook\.$/],
  ])('%j', async (words, said) => {
    expect(await refusal(...words)).toMatch(said);
  });
});

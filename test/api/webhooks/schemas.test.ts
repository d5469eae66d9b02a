import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  renderPayload,
  currentPayloadVersion,
  testPayloadVersion,
} from '../../../src/dispatch/payload-of-event.ts';
import { choosableEvents } from '../../../src/events/webhooks/webhook-events.ts';
import { problemsBySchema } from '../../support/json-schema.ts';
import { startSystem, type RunningSystem } from '../harness.ts';

let running: RunningSystem;
beforeAll(async () => {
  running = await startSystem();
});
afterAll(() => running.stop());

const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  running.server.inject({ method: 'GET', url, headers });
const pathOf = (event: string) => `/schemas/webhooks/${event}.json`;

/** Bodies of deliveries that are older lack these. */
const addedLater = ['form_version', 'words'];

interface Schema {
  readonly $schema: string;
  readonly $id: string;
  readonly title: string;
  readonly description: string;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

test('the list names every event with its schema', async () => {
  const answer = await get('/schemas/webhooks/');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const { data } = answer.json<{ data: readonly { event: string; fires_when: string; schema: string }[] }>();
  expect(data.map(({ event }) => event)).toEqual(choosableEvents);
  for (const { schema, fires_when } of data) {
    expect((await get(schema)).statusCode).toBe(200);
    expect(fires_when).toMatch(/^[A-Z].*\.$/);
  }
});

describe.each(choosableEvents)('the schema of %s', (event) => {
  test('is JSON Schema 2020-12 under its own address, and its example fits', async () => {
    const answer = await get(pathOf(event));
    expect(answer.headers['content-type']).toBe('application/schema+json');
    const schema = answer.json<Schema>();
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: pathOf(event),
      title: event,
    });
    const problems = problemsBySchema(schema);
    expect(schema.examples).toHaveLength(1);
    const [example = {}] = schema.examples;
    expect(problems(example)).toEqual([]);
    for (const missing of ['event', 'delivery_id', 'occurred_at', 'data']) {
      const { [missing]: _, ...rest } = example;
      expect(problems(rest), missing).not.toEqual([]);
    }
    const data = example['data'] as Readonly<Record<string, unknown>>;
    for (const field of Object.keys(data)) {
      const { [field]: _, ...rest } = data;
      const isRequired = problems({ ...example, data: rest }).length > 0;
      expect(isRequired, field).toBe(!addedLater.includes(field));
      expect(problems({ ...example, data: { ...data, [field]: {} } }), field).toEqual(
        ['answers', 'words'].includes(field) ? [] : expect.arrayContaining([expect.anything()]),
      );
    }
    expect(problems({ ...example, event: 'team.renamed' })).not.toEqual([]);
    expect(problems({ ...example, added: 'later' }), 'fields may be added').toEqual([]);
  });

  test('has the body of a test delivery as its example, but for id and time', async () => {
    const { examples } = (await get(pathOf(event))).json<Schema>();
    const body = renderPayload(currentPayloadVersion, {
      event,
      deliveryId: String(examples[0]?.['delivery_id']),
      occurredAt: String(examples[0]?.['occurred_at']),
    });
    expect(JSON.parse(body)).toEqual(examples[0]);
  });

  test.each([1, currentPayloadVersion, testPayloadVersion])(
    'takes the bodies of version %i',
    async (version) => {
      const problems = problemsBySchema((await get(pathOf(event))).json<Schema>());
      const deliveryId = '4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11';
      const body = renderPayload(version, { event, deliveryId, occurredAt: '2026-03-01T12:00:00.000Z' });
      expect(problems(JSON.parse(body))).toEqual([]);
    },
  );

  test('may be read by pages of any site, and is not sent again when it is known', async () => {
    const { headers } = await get(pathOf(event));
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=3600',
    });
    const again = await get(pathOf(event), { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

test('other events have none, and nothing is written here', async () => {
  expect((await get(pathOf('team.renamed'))).statusCode).toBe(404);
  const answer = await running.server.inject({ method: 'PUT', url: pathOf('member.joined') });
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('addresses are whole when the service knows its own', async () => {
  const named = await running.another({ environment: { BASE_URL: 'https://directory.example' } });
  const answer = await named.inject({ method: 'GET', url: pathOf('member.joined') });
  expect(answer.json<Schema>().$id).toBe('https://directory.example/schemas/webhooks/member.joined.json');
});

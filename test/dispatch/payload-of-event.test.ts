import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  currentPayloadVersion,
  renderPayload,
  testPayloadVersion,
  webhookEventOf,
} from '../../src/dispatch/payload-of-event.ts';
import { choosableEvents, type WebhookEvent } from '../../src/events/webhooks/webhook-events.ts';

const delivery = {
  deliveryId: '4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11',
  occurredAt: '2026-03-01T12:00:00.000Z',
};
const user = '7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11';
const announced = {
  svc_id: 'r_5d4000000000002a',
  id: 42,
  team: 'north-side',
  name: 'Café “Zum Löffel” \\ 食堂',
  category: 'food',
} as const;

/** SHA-256 of the bodies of test deliveries in version 1. They change with a new version only. */
const digestsOfExamples: Readonly<Record<WebhookEvent, string>> = {
  'member.joined': 'd263f711e54531f431fb178f579de463c91c49e81cc18fa842ad944542d11df8',
  'form.submitted': '8b6cb1b24e756a885948ef808a1431a2e45e23f7d0d93eb5f45462a0a7106aea',
  'resource.approved': '6d9a9475204bfab1b47ad7182e5606f29a652fc81b5d4e7ec321e9e607a18640',
  'resource.rejected': '4b7b1fdde67a1d70ee309241e3ad04d0451cea17dacfc39ea1df68334b7433b3',
  'payment.received': 'e5f2de43c84e257ae2245846548feacf8c171cc8aafcc2172f1a5a4e13a9be49',
  'payment.reversed': 'cd1b1d2ddf7e46b7b2f4523e21095fa6db3572bcbbb3650be6d65f1be6c74a57',
  'member.left': '1e27824f4e201364448f8618c2dee693eb85d508f07b659f15a10c2a5579ed54',
  'resource.changed': 'e89788733e634ebabca11c9ca07617d135a44895b2b1f1faf55c270ad8687f34',
  'record.confirmed': 'fe561a805bc442decc82258242e1937e55e2110753fa84a2d9e64d5065119df6',
  'record.stale': '0141823af04c2cecf948141546b9eb0bda7ce6d0d53c0ba0c2d2e6072ad2e2c8',
};

describe('payload version 1, byte for byte', () => {
  test('of resource.approved', () => {
    const source = { type: 'ResourceApproved', data: { ...announced, note: 'looks good' } } as const;
    expect(renderPayload(1, { event: 'resource.approved', ...delivery, source })).toBe(
      '{"event":"resource.approved","delivery_id":"4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11",' +
        '"occurred_at":"2026-03-01T12:00:00.000Z","data":{"id":42,"name":"Café “Zum Löffel” \\\\ 食堂",' +
        '"category":"food","svc_id":"r_5d4000000000002a"}}',
    );
  });

  test('of resource.rejected', () => {
    const source = {
      type: 'ResourceRejected',
      data: { ...announced, reason: 'Closed\nfor "good".' },
    } as const;
    expect(renderPayload(1, { event: 'resource.rejected', ...delivery, source })).toBe(
      '{"event":"resource.rejected","delivery_id":"4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11",' +
        '"occurred_at":"2026-03-01T12:00:00.000Z","data":{"id":42,"name":"Café “Zum Löffel” \\\\ 食堂",' +
        '"category":"food","svc_id":"r_5d4000000000002a","reason":"Closed\\nfor \\"good\\"."}}',
    );
  });

  test('of member.joined', () => {
    const source = {
      type: 'MemberJoined',
      data: { team: 'north-side', user, role: 'reviewer', person: 'c2VhbGVk' },
    } as const;
    const personal = { name: 'Ana “A.” Ruiz', email: 'ana@example.org', phone: 'not told' };
    expect(renderPayload(1, { event: 'member.joined', ...delivery, source, personal })).toBe(
      '{"event":"member.joined","delivery_id":"4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11",' +
        '"occurred_at":"2026-03-01T12:00:00.000Z","data":{"id":"7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11",' +
        '"name":"Ana “A.” Ruiz","email":"ana@example.org","role":"reviewer"}}',
    );
  });

  test('of form.submitted, the answers in the order of the form', () => {
    const source = {
      type: 'FormSubmitted',
      data: {
        submission: '1f4a9f0e-8f0e-5d25-b0f1-6c0a55d0a7a2',
        team: 'north-side',
        form: '9a0f6a0e-6c6e-5b8e-8d0b-4d1f0d5a7c33',
        form_version: 2,
        submitted_at: '2026-03-01T11:59:00.000Z',
        answers_sealed: 'c2VhbGVk',
      },
    } as const;
    const personal = { name: 'Ben', age: 44, days: ['sat', 'sun'], agrees: true };
    expect(renderPayload(1, { event: 'form.submitted', ...delivery, source, personal })).toBe(
      '{"event":"form.submitted","delivery_id":"4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11",' +
        '"occurred_at":"2026-03-01T12:00:00.000Z","data":{"id":"1f4a9f0e-8f0e-5d25-b0f1-6c0a55d0a7a2",' +
        '"form":"9a0f6a0e-6c6e-5b8e-8d0b-4d1f0d5a7c33","submitted_at":"2026-03-01T11:59:00.000Z",' +
        '"answers":{"name":"Ben","age":44,"days":["sat","sun"],"agrees":true}}}',
    );
  });

  test.each([
    ['c2VhbGVk', 'Spring dues', '"Spring dues"'],
    [undefined, undefined, 'null'],
  ])('of payment.received, with the memo %j', (memo, personal, written) => {
    const data = {
      payment: '5b7e0c4f-3f64-5a8d-8a44-7f3c1e6b9d20',
      team: 'north-side',
      member: user,
      amount_minor: 9007199254740991,
      currency: 'USD',
      ...(memo === undefined ? {} : { memo }),
      occurred_at: '2026-02-28T12:00:00.000Z',
    };
    const source = { type: 'PaymentRecorded', data } as const;
    expect(renderPayload(1, { event: 'payment.received', ...delivery, source, personal })).toBe(
      '{"event":"payment.received","delivery_id":"4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11",' +
        '"occurred_at":"2026-03-01T12:00:00.000Z","data":{"id":"5b7e0c4f-3f64-5a8d-8a44-7f3c1e6b9d20",' +
        '"member_id":"7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11","amount_minor":9007199254740991,' +
        `"currency":"USD","memo":${written}}}`,
    );
  });

  test.each([
    ['c2VhbGVk', 'Recorded “twice”', '"Recorded “twice”"'],
    [undefined, undefined, 'null'],
  ])('of payment.reversed, with the reason %j', (reason, personal, written) => {
    const payment = {
      payment: '5b7e0c4f-3f64-5a8d-8a44-7f3c1e6b9d20',
      team: 'north-side',
      member: user,
      amount_minor: 1250,
      currency: 'USD',
      occurred_at: '2026-02-28T12:00:00.000Z',
    };
    const data = {
      payment: payment.payment,
      team: payment.team,
      ...(reason === undefined ? {} : { reason }),
    };
    const source = { type: 'PaymentReversed', data } as const;
    expect(renderPayload(1, { event: 'payment.reversed', ...delivery, source, personal, payment })).toBe(
      '{"event":"payment.reversed","delivery_id":"4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11",' +
        '"occurred_at":"2026-03-01T12:00:00.000Z","data":{"id":"5b7e0c4f-3f64-5a8d-8a44-7f3c1e6b9d20",' +
        '"member_id":"7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11","amount_minor":1250,' +
        `"currency":"USD","reason":${written}}}`,
    );
  });

  test('of member.left', () => {
    const source = { type: 'MemberLeft', data: { team: 'north-side', user } } as const;
    expect(renderPayload(1, { event: 'member.left', ...delivery, source })).toBe(
      '{"event":"member.left","delivery_id":"4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11",' +
        '"occurred_at":"2026-03-01T12:00:00.000Z","data":{"id":"7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11"}}',
    );
  });

  test.each([
    ['ResourceRevised', 'revised'],
    ['ResourceDeactivated', 'deactivated'],
    ['ResourceReactivated', 'reactivated'],
  ] as const)('of resource.changed, from %s', (type, change) => {
    const source = { type, data: { announced, fields: { name: 'x', category: 'food' } } } as never;
    expect(renderPayload(1, { event: 'resource.changed', ...delivery, source })).toBe(
      '{"event":"resource.changed","delivery_id":"4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11",' +
        '"occurred_at":"2026-03-01T12:00:00.000Z","data":{"id":42,"name":"Café “Zum Löffel” \\\\ 食堂",' +
        `"category":"food","svc_id":"r_5d4000000000002a","change":"${change}"}}`,
    );
  });

  test.each(choosableEvents)('of a test delivery of %s, for all who have that version', (event) => {
    const body = renderPayload(1, { event, ...delivery });
    expect(createHash('sha256').update(body).digest('hex')).toBe(digestsOfExamples[event]);
  });

  test('does not depend on the order in which the recorded fields come', () => {
    const reversed = Object.fromEntries(Object.entries(announced).reverse()) as unknown as typeof announced;
    const render = (data: typeof announced) =>
      renderPayload(1, {
        event: 'resource.approved',
        ...delivery,
        source: { type: 'ResourceApproved', data },
      });
    expect(render(reversed)).toBe(render(announced));
  });
});

describe('payload version 2, byte for byte', () => {
  test('of form.submitted, with the version of the form and its words', () => {
    const source = {
      type: 'FormSubmitted',
      data: {
        submission: '1f4a9f0e-8f0e-5d25-b0f1-6c0a55d0a7a2',
        team: 'north-side',
        form: '9a0f6a0e-6c6e-5b8e-8d0b-4d1f0d5a7c33',
        form_version: 2,
        submitted_at: '2026-03-01T11:59:00.000Z',
        answers_sealed: 'c2VhbGVk',
      },
    } as const;
    const words = { days: { label: 'Which days?', options: { sat: 'Saturday' } } };
    const personal = { days: ['sat'] };
    expect(renderPayload(2, { event: 'form.submitted', ...delivery, source, personal, words })).toBe(
      '{"event":"form.submitted","delivery_id":"4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11",' +
        '"occurred_at":"2026-03-01T12:00:00.000Z","data":{"id":"1f4a9f0e-8f0e-5d25-b0f1-6c0a55d0a7a2",' +
        '"form":"9a0f6a0e-6c6e-5b8e-8d0b-4d1f0d5a7c33","submitted_at":"2026-03-01T11:59:00.000Z",' +
        '"answers":{"days":["sat"]},"form_version":2,' +
        '"words":{"days":{"label":"Which days?","options":{"sat":"Saturday"}}}}}',
    );
  });

  test.each(choosableEvents.filter((event) => event !== 'form.submitted'))(
    'of %s as in version 1',
    (event) => {
      expect(renderPayload(2, { event, ...delivery })).toBe(renderPayload(1, { event, ...delivery }));
    },
  );

  test('of a test delivery of form.submitted, for all who have that version', () => {
    const body = renderPayload(2, { event: 'form.submitted', ...delivery });
    expect(createHash('sha256').update(body).digest('hex')).toBe(
      'c5518321e270143e331ec95d09f468e7ba6b4e45f96c9bd8fdfa9a25979449f5',
    );
  });
});

describe('payload version 3', () => {
  test.each(choosableEvents)('says of a test delivery of %s that it is one, beside the data', (event) => {
    expect(testPayloadVersion).toBe(3);
    const { test: isTest, ...rest } = JSON.parse(renderPayload(3, { event, ...delivery })) as {
      test: unknown;
    };
    expect(isTest).toBe(true);
    expect(rest).toEqual(JSON.parse(renderPayload(2, { event, ...delivery })));
  });

  test('has the bytes of version 2 where something has happened', () => {
    const source = { type: 'ResourceApproved', data: announced } as const;
    const payload = { event: 'resource.approved', ...delivery, source } as const;
    expect(renderPayload(3, payload)).toBe(renderPayload(2, payload));
  });
});

test('a payload version that never was is refused', () => {
  const source = { type: 'ResourceApproved', data: announced } as const;
  expect(() => renderPayload(99, { event: 'resource.approved', ...delivery, source })).toThrow(RangeError);
});

test('new deliveries use a version that exists', () => {
  const source = { type: 'ResourceApproved', data: announced } as const;
  expect(renderPayload(currentPayloadVersion, { event: 'resource.approved', ...delivery, source })).toContain(
    '"data"',
  );
});

test('subscribers are told of the five kinds of events and the further ones, and of nothing else', () => {
  expect(webhookEventOf('MemberJoined')).toBe('member.joined');
  expect(webhookEventOf('FormSubmitted')).toBe('form.submitted');
  expect(webhookEventOf('PaymentRecorded')).toBe('payment.received');
  expect(webhookEventOf('ResourceApproved')).toBe('resource.approved');
  expect(webhookEventOf('ResourceRejected')).toBe('resource.rejected');
  expect(webhookEventOf('PaymentReversed')).toBe('payment.reversed');
  expect(webhookEventOf('MemberLeft')).toBe('member.left');
  for (const type of ['ResourceRevised', 'ResourceDeactivated', 'ResourceReactivated'])
    expect(webhookEventOf(type)).toBe('resource.changed');
  for (const other of [
    'ResourceSubmitted',
    'FormSubmissionErased',
    'resource.approved',
    'constructor',
    '',
    ...choosableEvents,
  ]) {
    expect(webhookEventOf(other)).toBeNull();
  }
});

import { describe, expect, test } from 'vitest';
import { currentPayloadVersion, renderPayload, webhookEventOf } from '../../src/dispatch/payload.ts';
import { webhookEvents } from '../../src/events/webhooks/webhook.ts';

const delivery = {
  deliveryId: '4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11',
  occurredAt: '2026-03-01T12:00:00.000Z',
};
const announced = {
  svc_id: 'r_5d4000000000002a',
  id: 42,
  team: 'north-side',
  name: 'Café “Zum Löffel” \\ 食堂',
  category: 'food',
} as const;

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

test('subscribers are told of people who join, of approvals and rejections, and of nothing else', () => {
  expect(webhookEventOf('MemberJoined')).toBe('member.joined');
  expect(webhookEventOf('ResourceApproved')).toBe('resource.approved');
  expect(webhookEventOf('ResourceRejected')).toBe('resource.rejected');
  for (const other of [
    'ResourceSubmitted',
    'ResourceRevised',
    'MemberLeft',
    'resource.approved',
    'constructor',
    '',
    ...webhookEvents,
  ]) {
    expect(webhookEventOf(other)).toBeNull();
  }
});

import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newSigningSecret, signHeaders } from '../../src/dispatch/signature.ts';

const secret = newSigningSecret(randomBytes);
const delivery = {
  secret,
  deliveryId: '4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11',
  event: 'resource.approved',
} as const;

describe('a signing secret', () => {
  test('is whsec_ and 32 bytes in base64', () => {
    expect(newSigningSecret((size) => new Uint8Array(size))).toBe(`whsec_${'A'.repeat(43)}=`);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  });

  test('that is not one of ours is refused without being repeated in the error', () => {
    for (const bad of ['', 'whsec_', 'whsec_c2hvcnQ=', secret.slice(6), 'sk_live_very-private']) {
      const sign = () => signHeaders({ ...delivery, secret: bad, body: '{}', at: new Date() });
      expect(sign).toThrow(TypeError);
      expect(sign).not.toThrow(/c2hvcnQ|very-private/);
    }
  });
});

describe('the headers of an attempt', () => {
  test('are those of the interface, and the time is that of the attempt', () => {
    const headers = signHeaders({ ...delivery, body: '{"a":1}', at: new Date('2026-03-01T12:00:00.999Z') });
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'X-Service-Event': 'resource.approved',
      'X-Service-Timestamp': '2026-03-01T12:00:00.999Z',
      'X-Service-Delivery': delivery.deliveryId,
      'webhook-id': delivery.deliveryId,
      'webhook-timestamp': '1772366400',
    });
    expect(headers['User-Agent']).toMatch(/^Commonweal/);
  });

  test('carry signatures that anyone can recompute from a known secret', () => {
    const known = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const headers = signHeaders({ ...delivery, secret: known, body: '{}', at: new Date(1_700_000_000_000) });
    const ofInterface = createHmac('sha256', Buffer.from(known, 'utf8')).update('{}').digest('hex');
    const standard = createHmac('sha256', Buffer.alloc(32, 7))
      .update(`${delivery.deliveryId}.1700000000.{}`)
      .digest('base64');
    expect(headers['X-Service-Signature']).toBe(`sha256=${ofInterface}`);
    expect(headers['webhook-signature']).toBe(`v1,${standard}`);
  });

  test('satisfy the stock Standard Webhooks verifier for every body, as text and as bytes', () => {
    const verifier = new Webhook(secret);
    fc.assert(
      fc.property(fc.json(), (body) => {
        const text = signHeaders({ ...delivery, body, at: new Date() });
        const bytes = signHeaders({ ...delivery, body: Buffer.from(body), at: new Date() });
        expect(verifier.verify(body, text)).toEqual(JSON.parse(body));
        expect(verifier.verify(Buffer.from(body), bytes)).toEqual(JSON.parse(body));
        expect(bytes['X-Service-Signature']).toBe(text['X-Service-Signature']);
      }),
    );
  });

  test('satisfy the verifier with either secret while a next one is prepared, and X-Service-Signature with the present', () => {
    const nextSecret = newSigningSecret(randomBytes);
    const headers = signHeaders({ ...delivery, nextSecret, body: '{"a":1}', at: new Date() });
    for (const each of [secret, nextSecret])
      expect(new Webhook(each).verify('{"a":1}', headers)).toEqual({ a: 1 });
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    const ofInterface = createHmac('sha256', secret).update('{"a":1}').digest('hex');
    expect(headers['X-Service-Signature']).toBe(`sha256=${ofInterface}`);
  });

  test('fail the stock verifier with another body, another id, another secret or an old time', () => {
    const headers = signHeaders({ ...delivery, body: '{"a":1}', at: new Date() });
    const old = signHeaders({ ...delivery, body: '{"a":1}', at: new Date(Date.now() - 3_600_000) });
    const verifier = new Webhook(secret);
    expect(() => verifier.verify('{"a":2}', headers)).toThrow();
    expect(() => verifier.verify('{"a":1}', { ...headers, 'webhook-id': 'another' })).toThrow();
    expect(() => new Webhook(newSigningSecret(randomBytes)).verify('{"a":1}', headers)).toThrow();
    expect(() => verifier.verify('{"a":1}', old)).toThrow();
  });
});

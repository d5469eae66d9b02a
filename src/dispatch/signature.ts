import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { WebhookEvent } from '../events/webhooks/webhook-events.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** The keys of the two schemes. */
interface SigningKeys {
  readonly shown: KeyObject;
  readonly decoded: KeyObject;
}

/**
 * By secret, as long as secrets are cached (read-cache.ts). Making the keys took three times as long as the signatures of a
 * small body.
 */
const made = new LRUCache<string, SigningKeys>({ max: 1_000, ttl: 60_000 });

export interface Signing {
  /** `whsec_…`, exactly as it was shown to the subscriber. */
  readonly secret: string;
  /** The next secret, when one is prepared. */
  readonly nextSecret?: string | undefined;
  readonly deliveryId: string;
  readonly event: WebhookEvent;
  /** A test delivery. */
  readonly test?: boolean | undefined;
  /** The bytes of the body; a string is sent as UTF-8. */
  readonly body: Uint8Array | string;
  /** The start of this attempt. Each retry has its own time, so that receivers do not reject it as a replay. */
  readonly at: Date;
}

/** A new signing secret: `whsec_` and 32 random bytes in base64. It is shown once. */
export function newSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return prefix + Buffer.from(randomBytes(secretBytes)).toString('base64');
}

/**
 * Every header of one delivery attempt, under two schemes at once, so that a receiver can take either:
 *
 * - Interface section 6: HMAC-SHA256 of the raw body, keyed with the UTF-8 bytes of the secret as shown, prefix
 *   included. It does not cover the time stamp; the interface says so.
 * - Standard Webhooks 1.0: HMAC-SHA256 of `id.timestamp.body`, keyed with the 32 bytes that the secret encodes. While a
 *   next secret is prepared, a second signature with it follows, after a space.
 *
 * Throws a TypeError for a malformed secret.
 */
export function signHeaders({
  secret,
  nextSecret,
  deliveryId,
  event,
  test,
  body,
  at,
}: Signing): Record<string, string> {
  const { shown } = keysOf(secret);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Commonweal-Webhooks/1',
    'X-Service-Event': event,
    ...(test ? { 'X-Service-Test': 'true' } : {}),
    'X-Service-Signature': `sha256=${createHmac('sha256', shown).update(body).digest('hex')}`,
    'X-Service-Timestamp': at.toISOString(),
    'X-Service-Delivery': deliveryId,
    ...standardHeaders({ secret, nextSecret, id: deliveryId, body, at }),
  };
}

/** The headers of Standard Webhooks 1.0 alone. Throws a TypeError for a malformed secret. */
export function standardHeaders({
  secret,
  nextSecret,
  id,
  body,
  at,
}: Pick<Signing, 'secret' | 'nextSecret' | 'body' | 'at'> & { readonly id: string }): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': [secret, nextSecret]
      .flatMap((each) => (each === undefined ? [] : standardSignature(each, `${id}.${seconds}.`, body)))
      .join(' '),
  };
}

/** Whether both signatures of a request are those of a secret, or of the next one where a second signature follows. */
export function isSigned(
  headers: Readonly<Record<string, string>>,
  body: Signing['body'],
  { secret, nextSecret }: Pick<Signing, 'secret' | 'nextSecret'>,
): boolean {
  const before = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.`;
  const expected = [secret, nextSecret].flatMap((each) =>
    each === undefined ? [] : standardSignature(each, before, body),
  );
  const shown = createHmac('sha256', keysOf(secret).shown).update(body).digest('hex');
  return (
    equal(headers['X-Service-Signature'], `sha256=${shown}`) &&
    (headers['webhook-signature'] ?? '').split(' ').every((each) => expected.some((one) => equal(each, one)))
  );
}

const equal = (one: string | undefined, other: string): boolean =>
  one?.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const standardSignature = (secret: string, before: string, body: Signing['body']): string =>
  `v1,${createHmac('sha256', keysOf(secret).decoded).update(before).update(body).digest('base64')}`;

function keysOf(secret: string): SigningKeys {
  const cached = made.get(secret);
  if (cached) return cached;
  const keys = {
    decoded: createSecretKey(decodeSecret(secret)),
    shown: createSecretKey(Buffer.from(secret)),
  };
  made.set(secret, keys);
  return keys;
}

/** Checks the length: a mistyped secret would silently sign with a short key. */
function decodeSecret(secret: string): Buffer {
  const key = secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), 'base64')
    : Buffer.alloc(0);
  if (key.length !== secretBytes)
    throw new TypeError(`A signing secret is ${prefix} and ${secretBytes} bytes in base64.`);
  return key;
}

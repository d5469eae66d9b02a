import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { decode62, encode62 } from '../base62.ts';
import { load } from '../command-handler.ts';
import { user } from './user.ts';
import type { Person, UserState } from './user-state.ts';

/** What a link allows its holder to do, once. `set-up` makes the first administrator. */
export type LinkPurpose = 'verify-email' | 'reset-password' | 'set-up';

/** How long a link is valid, in seconds. */
export const linkLives: Readonly<Record<LinkPurpose, number>> = {
  'verify-email': 86_400,
  'reset-password': 3_600,
  'set-up': 7 * 86_400,
};

const purposes = ['verify-email', 'reset-password', 'set-up'] as const;
const prefix = 'lnk_';
/** Purpose (2), person (16), expiry second (4). */
const claimBytes = 22;
const macBytes = 20;

/** What links are made and checked with. */
export interface LinkParts {
  readonly store: EventStore;
  readonly vault: Vault;
}

/**
 * Makes the token of a one-time link: `lnk_`, then in base 62 purpose, person, expiry and an HMAC over these and over
 * the state of the account. The token is not stored. Using the link changes the state of the account, and so does
 * everything that must void the link: another address, another password, an erasure. Undefined when the account has
 * no use for such a link.
 */
export async function writeLink(
  { store, vault }: LinkParts,
  {
    purpose,
    userId,
    at,
    seconds = linkLives[purpose],
  }: {
    readonly purpose: LinkPurpose;
    readonly userId: string;
    readonly at: Date;
    /** How long it is valid, in seconds. Default: `linkLives`. */
    readonly seconds?: number;
  },
): Promise<string | undefined> {
  const { state } = await load(store, user, userId);
  const bound = boundStateFor(purpose, state);
  if (bound === undefined) return undefined;
  const body = Buffer.alloc(claimBytes + macBytes);
  body.writeUInt16BE(purposes.indexOf(purpose), 0);
  body.write(userId.replaceAll('-', ''), 2, 'hex');
  body.writeUInt32BE(Math.floor(at.getTime() / 1_000) + seconds, 18);
  (await macOf(vault, body, bound)).copy(body, claimBytes);
  return prefix + encode62(body);
}

/** The content of a valid link. */
export interface Link {
  readonly userId: string;
  /** The person as read for the check. Undefined for `set-up`. `setPassword` needs its passwordVersion. */
  readonly person: Person | undefined;
}

/** Undefined for a link that is forged, expired, used, void or for another purpose. */
export async function readLink(
  { store, vault }: LinkParts,
  { link, purpose, at }: { readonly link: string; readonly purpose: LinkPurpose; readonly at: Date },
): Promise<Link | undefined> {
  const bytes = link.startsWith(prefix)
    ? decode62(link.slice(prefix.length), claimBytes + macBytes)
    : undefined;
  if (!bytes) return undefined;
  const body = Buffer.from(bytes);
  if (purposes[body.readUInt16BE(0)] !== purpose) return undefined;
  if (body.readUInt32BE(18) * 1_000 <= at.getTime()) return undefined;
  const userId = body
    .toString('hex', 2, 18)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, (_, ...parts) => `${parts.slice(0, 4).join('-')}-`);
  const { state } = await load(store, user, userId);
  const bound = boundStateFor(purpose, state);
  if (bound === undefined) return undefined;
  if (!timingSafeEqual(await macOf(vault, body, bound), body.subarray(claimBytes))) return undefined;
  return { userId, person: state?.status === 'active' ? state : undefined };
}

/** The part of the account's state that a link is bound to. Undefined when such a link is void. */
function boundStateFor(purpose: LinkPurpose, state: UserState): string | undefined {
  if (purpose === 'set-up') return state ? undefined : '';
  if (state?.status !== 'active' || state.lapsed) return undefined;
  switch (purpose) {
    case 'verify-email':
      return state.verified ? undefined : `${state.email} ${state.email_sealed}`;
    case 'reset-password':
      return `${state.email} ${state.passwordVersion}`;
  }
}

async function macOf(vault: Vault, body: Buffer, bound: string): Promise<Buffer> {
  const key = await vault.putIfAbsent('link-key', randomBytes(32));
  return createHmac('sha256', key)
    .update(prefix)
    .update(body.subarray(0, claimBytes))
    .update(bound)
    .digest()
    .subarray(0, macBytes);
}

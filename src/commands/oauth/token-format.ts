import { timingSafeEqual } from 'node:crypto';
import type { HmacKey } from '../../ground/keyed-hash.ts';
import { decode62, encode62 } from '../base62.ts';

/**
 * Codes, access and refresh tokens: `sac_`, `sat_` or `srt_`, and in base 62
 *
 *     token-key id (4 bytes) ‖ grant id (16) ‖ generation (4) ‖ of sat_ the expiry second (4) ‖ HMAC (20)
 *
 * where the HMAC (SHA-256, cut to 160 bits) covers the prefix and everything before it. So a token names its
 * grant, nothing has to be stored of it, and a forged one is refused without asking any store. Whether its
 * grant still lives, the token does not know.
 */
export type TokenKind = 'code' | 'access' | 'refresh';

interface Named {
  /** The id of the key in the vault that authenticates it: eight hex digits. */
  readonly keyId: string;
  /** A UUID. */
  readonly grantId: string;
  /** 0 for a code. Tokens start at 1, and each refresh adds one. */
  readonly generation: number;
}

export type Token =
  | (Named & { readonly kind: 'code' | 'refresh' })
  | (Named & { readonly kind: 'access'; /** Unix seconds. */ readonly expires: number });

const prefixes: Readonly<Record<TokenKind, string>> = { code: 'sac_', access: 'sat_', refresh: 'srt_' };
const prefixBytes: Readonly<Record<TokenKind, Buffer>> = {
  code: Buffer.from(prefixes.code),
  access: Buffer.from(prefixes.access),
  refresh: Buffer.from(prefixes.refresh),
};
const prefixLength = 4;
const macBytes = 20;
const bodyBytes: Readonly<Record<TokenKind, number>> = { code: 24, access: 28, refresh: 24 };

/** The token in clear. It is the same for the same claims and key. */
export function formatToken(token: Token, key: HmacKey): string {
  const body = Buffer.alloc(bodyBytes[token.kind] + macBytes);
  body.write(token.keyId, 0, 'hex');
  body.write(token.grantId.replaceAll('-', ''), 4, 'hex');
  body.writeUInt32BE(token.generation, 20);
  if (token.kind === 'access') body.writeUInt32BE(token.expires, 24);
  macOf(token.kind, body, key).copy(body, bodyBytes[token.kind]);
  return prefixes[token.kind] + encode62(body);
}

/** The claims of a text that looks like a token. They can be trusted once it is `authentic`. */
export interface Claimed {
  readonly token: Token;
  readonly authentic: (key: HmacKey) => boolean;
}

/** Undefined for a text that does not look like a token of ours. */
export function parseToken(text: string): Claimed | undefined {
  const kind = kindOf(text);
  if (!kind) return undefined;
  const length = bodyBytes[kind];
  const bytes = decode62(text.slice(prefixLength), length + macBytes);
  if (!bytes) return undefined;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const named = {
    keyId: body.toString('hex', 0, 4),
    grantId: uuidIn(body.toString('hex', 4, 20)),
    generation: body.readUInt32BE(20),
  };
  return {
    token: kind === 'access' ? { kind, ...named, expires: body.readUInt32BE(24) } : { kind, ...named },
    authentic: (key) => timingSafeEqual(macOf(kind, body, key), body.subarray(length)),
  };
}

const kindOf = (text: string): TokenKind | undefined => {
  const prefix = text.slice(0, prefixLength);
  return (Object.keys(prefixes) as TokenKind[]).find((kind) => prefixes[kind] === prefix);
};

const macOf = (kind: TokenKind, body: Buffer, key: HmacKey): Buffer =>
  key.of(prefixBytes[kind], body.subarray(0, bodyBytes[kind])).subarray(0, macBytes);

const uuidIn = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

import { createHash, createPrivateKey, webcrypto, type KeyObject } from 'node:crypto';
import { streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { signingKeyStream, type PublicJwk } from '../../events/oauth/signing-key.ts';
import { StoreError } from '../../stores/errors.ts';
import { pagesOf, type EventStore } from '../../stores/event-store/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { execute } from '../command-handler.ts';
import { signingKey } from './signing-key.ts';

/** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3) and 2,048 bits. */
const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2_048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** When keys change, in seconds. */
export interface SigningKeySettings {
  /** How long a key signs. */
  readonly life: number;
  /** How long a key is published before it signs: longer than a client may cache the JWKS. */
  readonly ahead: number;
  /** How long a key stays published after it signed: the longest id_token lifetime, plus clock skew. */
  readonly after: number;
}

export const signingKeySettings: SigningKeySettings = { life: 90 * 86_400, ahead: 86_400, after: 2 * 3_600 };

export interface SigningKeyParts {
  readonly store: EventStore;
  readonly vault: Vault;
}

/** A key that is not retired. Active keys come first, oldest activation first, then those not yet active. */
export interface CurrentKey {
  readonly kid: string;
  readonly jwk: PublicJwk;
  readonly publishedAt: Date;
  readonly activatedAt: Date | undefined;
}

/**
 * Does what is due: publishes the first key at once and each next key in good time, activates a key when every client
 * has had time to fetch it, and retires a key when nothing it signed is valid any more. It can be run at any time. It
 * should run in one process at a time, or a superfluous key may be published.
 */
export async function tendSigningKeys(
  parts: SigningKeyParts,
  context: CommandContext,
  { life, ahead, after }: SigningKeySettings = signingKeySettings,
): Promise<void> {
  const since = (then: Date) => (context.at.getTime() - then.getTime()) / 1_000;
  const keys = await currentKeys(parts);
  const [active, ...former] = keys.filter(({ activatedAt }) => activatedAt).reverse();
  const coming = keys.filter(({ activatedAt }) => !activatedAt);
  const due = coming.find(({ publishedAt }) => !active || since(publishedAt) >= ahead);

  if (due) await change(parts, 'activate', due.kid, context);
  else if (!active) await activate(parts, await publish(parts, context), context);
  else if (coming.length === 0 && active.activatedAt && since(active.activatedAt) >= life - ahead) {
    await publish(parts, context);
  }
  for (const [index, { kid }] of former.entries()) {
    const replacedAt = (index === 0 ? active : former[index - 1])?.activatedAt;
    if (replacedAt && since(replacedAt) >= after) await retire(parts, kid, context);
  }
}

/**
 * Begins a rotation: publishes a key, which `tendSigningKeys` activates when clients have had time to fetch it.
 * `atOnce`, for a key that leaked: the new key signs now, and all others are retired, so what they signed becomes
 * invalid.
 */
export async function rotateSigningKey(
  parts: SigningKeyParts,
  { atOnce = false }: { readonly atOnce?: boolean },
  context: CommandContext,
): Promise<string> {
  const before = await currentKeys(parts);
  const kid = await publish(parts, context);
  if (!atOnce) return kid;
  await activate(parts, kid, context);
  for (const each of before) await retire(parts, each.kid, context);
  return kid;
}

/** Retires the keys whose private halves were lost with a vault. Returns their ids. */
export async function retireKeysWithoutSecret(
  parts: SigningKeyParts,
  context: CommandContext,
): Promise<readonly string[]> {
  const kept = await keptKids(parts);
  const retired: string[] = [];
  const filter = { types: ['SigningKeyPublished'] };
  for await (const { events } of pagesOf(parts.store, { filter, limit: 1_000 })) {
    for (const { data } of events) {
      const { kid } = data as { readonly kid: string };
      if (kept.includes(kid) || !(await keyOf(parts.store, kid))) continue;
      await change(parts, 'retire', kid, context);
      retired.push(kid);
    }
  }
  return retired;
}

/** Keys that are not retired, from their streams. `kids`: those in the vault. */
export async function currentKeys(
  parts: SigningKeyParts,
  kids: Promise<readonly string[]> | readonly string[] = keptKids(parts),
): Promise<CurrentKey[]> {
  const found = await Promise.all((await kids).map((kid) => keyOf(parts.store, kid)));
  const when = ({ activatedAt, publishedAt }: CurrentKey) => [
    activatedAt?.getTime() ?? Infinity,
    publishedAt.getTime(),
  ];
  return found
    .filter((key) => key !== undefined)
    .sort((one, other) => {
      const [[a = 0, b = 0], [c = 0, d = 0]] = [when(one), when(other)];
      return a === c ? b - d : a < c ? -1 : 1;
    });
}

/** The ids of the keys whose private half is in the vault. */
const keptKids = async ({ vault }: SigningKeyParts): Promise<readonly string[]> =>
  (await vault.names(prefix)).map((name) => name.slice(prefix.length));

/** How long a process uses its copy of the keys in the vault, in milliseconds. */
const believedMs = 60_000;

interface ReadKeys {
  readonly keys: readonly CurrentKey[];
  readonly signer: Signer | undefined;
}

/**
 * The key that signs, and the keys to publish, at this moment. A copy is used only while the vault holds exactly the
 * same keys. A key leaves the vault when it is retired, so after `rotateSigningKey` with `atOnce` has returned, no
 * process signs with a key that it retired.
 */
export class SigningKeys {
  readonly #parts: SigningKeyParts;
  readonly #now: () => number;
  #read: Promise<ReadKeys> | undefined;
  #readAt = -Infinity;
  #kids = '';

  /** `now`: Unix milliseconds. */
  constructor(parts: SigningKeyParts, now: () => number = Date.now) {
    this.#parts = parts;
    this.#now = now;
  }

  /** @throws StoreError unavailable, when there is no key */
  async signer(): Promise<Signer> {
    const { signer } = await this.#keys();
    if (!signer) throw new StoreError('unavailable', 'There is no signing key in the vault.');
    return signer;
  }

  /** The JWKS (RFC 7517 section 5): keys that sign, have signed, or will sign. */
  async jwks(): Promise<{ readonly keys: readonly PublicJwk[] }> {
    const { keys } = await this.#keys();
    return { keys: keys.map(({ jwk }) => jwk) };
  }

  async #keys(): Promise<ReadKeys> {
    const kids = await keptKids(this.#parts);
    const kept = kids.join();
    if (!this.#read || kept !== this.#kids || this.#now() - this.#readAt >= believedMs) {
      [this.#kids, this.#readAt] = [kept, this.#now()];
      const read = this.#load(kids);
      this.#read = read;
      const forget = () => {
        if (this.#read === read) this.#read = undefined;
      };
      // A failure is not cached, and neither is the absence of a key.
      read.then(({ signer }) => {
        if (!signer) forget();
      }, forget);
    }
    return this.#read;
  }

  async #load(kids: readonly string[]): Promise<ReadKeys> {
    const keys = await currentKeys(this.#parts, kids);
    const active = keys.findLast(({ activatedAt }) => activatedAt);
    const secret = active && (await this.#parts.vault.get(prefix + active.kid));
    const signer = secret && { kid: active.kid, key: privateKeyOf(secret) };
    return { keys, signer };
  }
}

/** The key that signs, and its id for the JOSE header. It signs off the main thread. */
export interface Signer {
  readonly kid: string;
  readonly key: KeyObject;
}

const prefix = 'signing-key/';

/** The private half is in the vault before the event that publishes the key. */
async function publish(parts: SigningKeyParts, context: CommandContext): Promise<string> {
  const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { n = '', e = '' } = await webcrypto.subtle.exportKey('jwk', pair.publicKey);
  const kid = createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
  const secret = await webcrypto.subtle.exportKey('pkcs8', pair.privateKey);
  await parts.vault.put(prefix + kid, new Uint8Array(secret));
  const jwk: PublicJwk = { kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e };
  await execute(parts.store, signingKey, kid, { kind: 'publish', jwk }, of(context, 'publish', kid));
  return kid;
}

const activate = (parts: SigningKeyParts, kid: string, context: CommandContext): Promise<void> =>
  change(parts, 'activate', kid, context);

/**
 * A retired key never signs again, so its private half is deleted. After the event, because the names in the vault
 * tell which keys there are.
 */
async function retire(parts: SigningKeyParts, kid: string, context: CommandContext): Promise<void> {
  await change(parts, 'retire', kid, context);
  await parts.vault.delete(prefix + kid);
}

async function change(
  { store }: SigningKeyParts,
  kind: 'activate' | 'retire',
  kid: string,
  context: CommandContext,
): Promise<void> {
  await execute(store, signingKey, kid, { kind, kid }, of(context, kind, kid));
}

/** The context of one of several commands on several keys that one request causes. */
const of = (context: CommandContext, what: string, kid: string): CommandContext => ({
  ...context,
  commandId: uuidOf(context.commandId, what, kid),
  causationId: context.causationId ?? context.commandId,
  correlationId: context.correlationId ?? context.commandId,
});

async function keyOf(store: EventStore, kid: string): Promise<CurrentKey | undefined> {
  const history = await store.readStream(streamName(signingKeyStream, kid));
  const timeOf = (type: string) => {
    const event = history.find((each) => each.type === type);
    return event && new Date(event.metadata['at'] as string);
  };
  const publishedAt = timeOf('SigningKeyPublished');
  if (!publishedAt || timeOf('SigningKeyRetired')) return undefined;
  const { jwk } = history[0]?.data as { readonly jwk: PublicJwk };
  return { kid, jwk, publishedAt, activatedAt: timeOf('SigningKeyActivated') };
}

const privateKeyOf = (secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' });

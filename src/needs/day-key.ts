import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { HmacKey } from '../ground/keyed-hash.ts';
import { derivedKey, type MasterKey } from '../ground/master-key.ts';
import { networksOf } from '../ground/network.ts';
import { seal, Sealer, unseal } from '../ground/seal.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';
import { needOfText, textOfNeed, type Need } from './need.ts';
import { keyId, passingExpiry, todayTable } from './stored-counts.ts';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';
/**
 * The network that counts: /24 of IPv4, /48 of IPv6. One line to a house has up to 256 networks of IPv6 of /64, which would
 * be a crowd of its own.
 */
export function countedNetwork(address: string): string {
  const [narrow, wide] = networksOf(address);
  return narrow.endsWith('/64') ? wide : narrow;
}

/** What is made with the random key of one day. Without the key nothing of it can be made, compared or opened again. */
export class DayKey {
  readonly date: string;
  readonly #networks: HmacKey;
  readonly #nonces: HmacKey;
  readonly #rows: KeyObject;
  readonly #links: KeyObject;

  constructor(date: string, key: Uint8Array) {
    this.date = date;
    this.#networks = new HmacKey(derivedKey(key, 'networks of searches'));
    this.#nonces = new HmacKey(derivedKey(key, 'nonces of links'));
    this.#rows = createSecretKey(derivedKey(key, 'rows of searches'));
    this.#links = createSecretKey(derivedKey(key, 'links of searches'));
  }

  /**
   * A network as 16 bits of a keyed hash, which the same words and kind have in common, whatever the place: so a network that
   * asks for one thing in ten places is still one. Two networks of a hundred have the same bits in one of thirteen cases:
   * then one is counted too few.
   */
  hashOf({ words, kind }: Need, network: string): number {
    const text = `${words.join('+')}|${kind}|${network}`;
    return this.#networks.of(Buffer.from(text)).readUInt16BE(0);
  }

  sealed(id: string, text: string): string {
    return seal(this.#rows, id, Buffer.from(text)).toString('base64');
  }

  /** @throws StoreError incompatible */
  opened(id: string, sealed: string): string {
    return unseal(this.#rows, id, Buffer.from(sealed, 'base64')).toString();
  }

  /**
   * What a link from a list of results to a record says of the search: sealed, so that nobody else can read it, and for each
   * network another text, so that nobody can compare theirs with it. The same for each load of a page, which a browser can
   * then keep. The nonce is a keyed hash of what is sealed (as in RFC 8452): no two contents share one.
   */
  linkOf(need: Need, network: string): string {
    const content = Buffer.from(textOfNeed(need));
    const nonce = this.#nonces.of(content, Buffer.from(`\0${network}`)).subarray(0, nonceBytes);
    const cipher = createCipheriv(algorithm, this.#links, nonce, { authTagLength: tagBytes });
    return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    );
  }

  /** Undefined for what was not sealed here today. */
  needOfLink(link: string): Need | undefined {
    const sealed = Buffer.from(link, 'base64url');
    if (sealed.length <= nonceBytes + tagBytes) return undefined;
    try {
      const decipher = createDecipheriv(algorithm, this.#links, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      }).setAuthTag(sealed.subarray(-tagBytes));
      const content = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
      decipher.final();
      return needOfText(content.toString());
    } catch {
      return undefined;
    }
  }
}

/** The keys of days, which all processes on one store share. */
export class DayKeys {
  readonly #table: SideTable<string>;
  readonly #sealer: Sealer;

  constructor(side: SideStore, masterKey: MasterKey) {
    this.#table = todayTable(side);
    this.#sealer = new Sealer(masterKey, 'needs of a day');
  }

  /** Of a day that has begun: whoever comes first draws it. @throws StoreError */
  async of(date: string): Promise<DayKey> {
    const existing = await this.existing(date);
    if (existing) return existing;
    const drawn = this.#sealer.seal(keyId(date), randomBytes(keyBytes)).toString('base64');
    await this.#table.putIfAbsent(keyId(date), drawn, passingExpiry());
    const stored = await this.existing(date);
    if (!stored) throw new Error(`The key of ${date} is gone: the clock was set back.`);
    return stored;
  }

  /** @throws StoreError incompatible, when the master key is not the one it was sealed under */
  async existing(date: string): Promise<DayKey | undefined> {
    const sealed = await this.#table.get(keyId(date));
    if (sealed === undefined) return undefined;
    return new DayKey(date, this.#sealer.unseal(keyId(date), Buffer.from(sealed, 'base64')));
  }
}

import { randomBytes } from 'node:crypto';
import type { SideStore, SideTable } from '../stores/side/port.ts';
import { Sealer, type MasterKey } from '../stores/vault/seal.ts';
import type { Mail } from './port.ts';

/** A mail that is not sent yet. */
export interface WaitingMail extends Mail {
  readonly id: string;
  /** ISO 8601. */
  readonly written_at: string;
  /** ISO 8601. It is not sent before this. */
  readonly not_before?: string;
  /** ISO 8601. Of a mail with a key: its key is remembered until then, so that it is not put a second time. */
  readonly until?: string;
}

/** What remains of a mail with a key when it is sent. */
const sent = '';

const purpose = 'mail';

/** Mails shown at a time. */
const shownAtMost = 200;

/**
 * Mails that wait to be sent, or until they expire. Sealed, because their links are as good as a password. A mail
 * is as durable as the change that it reports, and writing one takes the same time with and without a mail server.
 */
export class Outbox {
  readonly #side: SideStore;
  readonly #waiting: SideTable<string>;
  readonly #sealer: Sealer;
  readonly #now: () => Date;

  constructor(
    { side, masterKey }: { readonly side: SideStore; readonly masterKey: MasterKey },
    now = () => new Date(),
  ) {
    this.#side = side;
    this.#waiting = side.table('mail');
    this.#sealer = new Sealer(masterKey, purpose);
    this.#now = now;
  }

  /** `seconds`: when the mail expires. `notBefore`: when it may be sent. */
  async put(mail: Mail, seconds: number, notBefore?: Date): Promise<void> {
    const at = this.#now();
    const id = `${timeIn(at)}-${randomBytes(8).toString('hex')}`;
    const waiting: WaitingMail = {
      ...mail,
      id,
      written_at: at.toISOString(),
      ...(notBefore === undefined ? {} : { not_before: notBefore.toISOString() }),
    };
    await this.#waiting.put(id, this.#sealed(waiting), new Date(at.getTime() + seconds * 1_000));
  }

  /**
   * Puts a mail that must be sent once: unless one with this key was put before, even if it was sent since. Of several
   * callers one puts it. `at`: its place in the order. `until`: when it expires, and its key is forgotten.
   */
  async putOnce(
    mail: Mail,
    { key, at, until }: { readonly key: string; readonly at: Date; readonly until: Date },
  ): Promise<void> {
    const id = `${timeIn(at)}-${key}`;
    const waiting: WaitingMail = {
      ...mail,
      id,
      written_at: this.#now().toISOString(),
      until: until.toISOString(),
    };
    await this.#waiting.putIfAbsent(id, this.#sealed(waiting), until);
  }

  /** Waiting mails, oldest first. */
  async waiting(): Promise<WaitingMail[]> {
    const entries = await this.#unsent();
    return entries.map(({ value }) => this.#opened(value));
  }

  /** How many waiting mails are sealed under another master key than the newest. */
  async underOtherKeys(): Promise<number> {
    const entries = await this.#unsent();
    return entries.filter(({ value }) => this.#sealer.resealed(purpose, Buffer.from(value, 'base64url')))
      .length;
  }

  /** The newest first, for people to read. */
  async newest(): Promise<WaitingMail[]> {
    const entries = await this.#unsent();
    return entries
      .slice(-shownAtMost)
      .reverse()
      .map(({ value }) => this.#opened(value));
  }

  /**
   * Removes mails with these keys that were not sent yet, and what the files keep of them. None of the keys can be put
   * again before its time.
   */
  async withdraw(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const withdrawn = (await this.waiting()).filter(({ id }) => keys.includes(id.slice(timeDigits + 1)));
    for (const mail of withdrawn) await this.remove(mail);
    if (withdrawn.length > 0) await this.#side.scrub();
  }

  /** After a mail was sent. */
  async remove({ id, until }: Pick<WaitingMail, 'id' | 'until'>): Promise<void> {
    if (until === undefined) await this.#waiting.delete(id);
    else await this.#waiting.put(id, sent, new Date(until));
  }

  async #unsent() {
    return (await this.#waiting.list()).filter(({ value }) => value !== sent);
  }

  #sealed(mail: WaitingMail): string {
    return this.#sealer.seal(purpose, Buffer.from(JSON.stringify(mail))).toString('base64url');
  }

  #opened(sealed: string): WaitingMail {
    return JSON.parse(
      this.#sealer.unseal(purpose, Buffer.from(sealed, 'base64url')).toString(),
    ) as WaitingMail;
  }
}

/** Ids sort by time: it is first in them, in so many digits. */
const timeDigits = 15;
const timeIn = (at: Date): string => String(at.getTime()).padStart(timeDigits, '0');

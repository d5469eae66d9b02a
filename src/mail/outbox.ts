import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { SideStore, SideTable } from '../stores/side/port.ts';
import { derivedKey, seal, unseal } from '../stores/vault/seal.ts';
import type { Mail } from './port.ts';

/** A mail that is not sent yet. */
export interface WaitingMail extends Mail {
  readonly id: string;
  /** ISO 8601. */
  readonly written_at: string;
  /** ISO 8601. It is not sent before this. */
  readonly not_before?: string;
}

const purpose = 'mail';

/** Mails shown at a time. */
const shownAtMost = 200;

/**
 * Mails that wait to be sent, or until they expire. Sealed, because their links are as good as a password. A mail
 * is as durable as the change that it reports, and writing one takes the same time with and without a mail server.
 */
export class Outbox {
  readonly #waiting: SideTable<string>;
  readonly #key: KeyObject;
  readonly #now: () => Date;

  constructor(
    { side, masterKey }: { readonly side: SideStore; readonly masterKey: Uint8Array },
    now = () => new Date(),
  ) {
    this.#waiting = side.table('mail');
    this.#key = createSecretKey(derivedKey(masterKey, purpose));
    this.#now = now;
  }

  /** `seconds`: when the mail expires. `notBefore`: when it may be sent. */
  async put(mail: Mail, seconds: number, notBefore?: Date): Promise<void> {
    const at = this.#now();
    // Ids sort by time.
    const id = `${String(at.getTime()).padStart(15, '0')}-${randomBytes(8).toString('hex')}`;
    const waiting: WaitingMail = {
      ...mail,
      id,
      written_at: at.toISOString(),
      ...(notBefore === undefined ? {} : { not_before: notBefore.toISOString() }),
    };
    const sealed = seal(this.#key, purpose, Buffer.from(JSON.stringify(waiting)));
    await this.#waiting.put(id, sealed.toString('base64url'), new Date(at.getTime() + seconds * 1_000));
  }

  /** Waiting mails, oldest first. */
  async waiting(): Promise<WaitingMail[]> {
    const entries = await this.#waiting.list();
    return entries.map(({ value }) => this.#opened(value));
  }

  /** The newest first, for people to read. */
  async newest(): Promise<WaitingMail[]> {
    const entries = await this.#waiting.list();
    return entries
      .slice(-shownAtMost)
      .reverse()
      .map(({ value }) => this.#opened(value));
  }

  async remove(id: string): Promise<void> {
    await this.#waiting.delete(id);
  }

  #opened(sealed: string): WaitingMail {
    return JSON.parse(unseal(this.#key, purpose, Buffer.from(sealed, 'base64url')).toString()) as WaitingMail;
  }
}

import { randomBytes } from 'node:crypto';
import type { SideStore, SideTable } from '../stores/side/port.ts';
import { StoreError } from '../stores/errors.ts';
import type { MasterKey } from '../ground/master-key.ts';
import { Sealer } from '../ground/seal.ts';
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

/** A mail that no key opens, or that was changed. It expires as the others do. */
export interface UnreadableMail {
  readonly id: string;
  /** ISO 8601. */
  readonly written_at: string;
}

/** What remains of a mail with a key when it is sent. */
const sent = '';

const purpose = 'mail';

/** No mail waits for longer, in milliseconds. */
const longestMs = 90 * 24 * 60 * 60_000;

/** Mails shown at a time. */
const shownAtMost = 200;

/**
 * Mails that wait to be sent, or until they expire. Sealed, because their links are as good as a password. A mail
 * is as durable as the change that it reports, and writing one takes the same time with and without a mail server.
 */
export class Outbox {
  readonly #side: SideStore;
  readonly #waiting: SideTable<string>;
  readonly #toNobody: SideTable<string>;
  readonly #sealer: Sealer;
  readonly #now: () => Date;

  constructor(
    { side, masterKey }: { readonly side: SideStore; readonly masterKey: MasterKey },
    now = () => new Date(),
  ) {
    this.#side = side;
    this.#waiting = side.table('mail');
    this.#toNobody = side.table('mail-to-nobody');
    this.#sealer = new Sealer(masterKey, purpose);
    this.#now = now;
  }

  /** `seconds`: when the mail expires. `notBefore`: when it may be sent. */
  async put(mail: Mail, seconds: number, notBefore?: Date): Promise<void> {
    const at = this.#now();
    // It waits from then on.
    const id = `${timeIn(notBefore ?? at)}-${randomBytes(8).toString('hex')}`;
    const waiting: WaitingMail = {
      ...mail,
      id,
      written_at: at.toISOString(),
      ...(notBefore === undefined ? {} : { not_before: notBefore.toISOString() }),
    };
    await this.#waiting.put(id, this.#sealed(waiting), new Date(at.getTime() + seconds * 1_000));
  }

  /** Does as much as `put`, and no mail waits: so that the time does not tell whether somebody gets one. */
  async putToNobody(mail: Omit<Mail, 'to'>): Promise<void> {
    const at = this.#now();
    const waiting = { ...mail, to: 'nobody', id: 'nobody', written_at: at.toISOString() };
    await this.#toNobody.put(waiting.id, this.#sealed(waiting), new Date(at.getTime() + 1_000));
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

  /** Waiting mails, oldest first, and those that cannot be opened. */
  async read(): Promise<{ readonly mails: WaitingMail[]; readonly unreadable: UnreadableMail[] }> {
    const [mails, unreadable]: [WaitingMail[], UnreadableMail[]] = [[], []];
    for (const { id, value } of await this.#unsent()) {
      const mail = this.#opened(value);
      if (mail) mails.push(mail);
      else unreadable.push({ id, written_at: new Date(Number(id.slice(0, timeDigits))).toISOString() });
    }
    return { mails, unreadable };
  }

  /** Waiting mails that can be opened, oldest first. */
  async waiting(): Promise<WaitingMail[]> {
    return (await this.read()).mails;
  }

  /** How many waiting mails are sealed under a master key that is there and not the newest. */
  async underOtherKeys(): Promise<number> {
    const entries = await this.#unsent();
    return entries.filter(
      ({ value }) => this.#opened(value) && this.#sealer.resealed(purpose, Buffer.from(value, 'base64url')),
    ).length;
  }

  /** The newest first, for people to read. */
  async newest(): Promise<WaitingMail[]> {
    return (await this.waiting()).slice(-shownAtMost).reverse();
  }

  /**
   * Removes mails with these keys that were not sent yet, and what the files keep of them. None of the keys can be put
   * again before its time.
   */
  async withdraw(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#withdraw((key) => keys.includes(key));
  }

  /** The same, of those whose keys begin so. */
  async withdrawBeginning(beginning: string): Promise<void> {
    await this.#withdraw((key) => key.startsWith(beginning));
  }

  async #withdraw(isMeant: (key: string) => boolean): Promise<void> {
    const { mails, unreadable } = await this.read();
    // When the key of one that cannot be opened could be put again stands in it.
    const until = new Date(this.#now().getTime() + longestMs).toISOString();
    const all = [...mails, ...unreadable.map(({ id }) => ({ id, until }))];
    await this.discard(all.filter(({ id }) => isMeant(id.slice(timeDigits + 1))));
  }

  /** Removes these mails, and what the files keep of them. */
  async discard(mails: readonly Pick<WaitingMail, 'id' | 'until'>[]): Promise<void> {
    for (const mail of mails) await this.remove(mail);
    if (mails.length > 0) await this.#side.scrub();
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

  /** Undefined when no key opens it. One that cannot be opened must not hold up the others. */
  #opened(sealed: string): WaitingMail | undefined {
    try {
      return JSON.parse(
        this.#sealer.unseal(purpose, Buffer.from(sealed, 'base64url')).toString(),
      ) as WaitingMail;
    } catch (error) {
      if (error instanceof SyntaxError || (error instanceof StoreError && error.code === 'incompatible'))
        return undefined;
      throw error;
    }
  }
}

/** Ids sort by time: it is first in them, in so many digits. */
const timeDigits = 15;
const timeIn = (at: Date): string => String(at.getTime()).padStart(timeDigits, '0');

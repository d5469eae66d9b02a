import type { Person } from '../../commands/accounts/user-state.ts';
import { personOf, type PersonalData } from '../../personal/personal-data.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import type { Throttle } from './throttle.ts';
import { writeLink, type LinkPurpose } from '../../commands/accounts/one-time-links.ts';
import {
  alreadyRegisteredMail,
  changedAccountMail,
  changedAddressMail,
  changedAdministratorsMail,
  changingAddressMail,
  newAddressMail,
  resetMail,
  verifyMail,
  type MailText,
} from './mails.ts';
import { linkedPages } from '../linked-pages.ts';

/** Nobody has this account. */
const nobodysId = '00000000-0000-4000-8000-000000000000';

/** What emails to people are written with. */
export interface MailParts {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly personal: PersonalData;
  readonly outbox: Outbox;
  readonly throttle: Throttle;
  /** Where people sign in. */
  readonly issuer: () => string;
  readonly now: () => Date;
}

/** An account. Emails about it go to the address that it has, never to one that somebody typed. */
type Owner = Pick<Person, 'user' | 'email_sealed'>;

interface Options {
  /** Query parameters that lead the reader back to where they were going. */
  readonly returnTo?: string;
  /** The browser is known to the account, and somebody has asked for the email there. */
  readonly browser?: string | undefined;
}

/**
 * Sends emails to people. Nobody gets more than a few: beyond the limit, one of each kind is sent later. The person
 * who asked is not told, because the answer would reveal whether the address has an account.
 */
export function accountMails(dependencies: MailParts) {
  const { outbox, personal, throttle, issuer, store, vault, now } = dependencies;

  /**
   * `textAt`: the email as it is sent at that time. `kind`: of the emails of one kind that wait for an address, one
   * is sent.
   */
  async function write(
    email: string,
    kind: string,
    textAt: (at: Date) => Promise<MailText | undefined> | MailText,
    browser?: string,
  ): Promise<void> {
    const index = await personal.emailIndex(email);
    const delay = index === undefined ? undefined : await throttle.mailDelay(index, kind, browser);
    if (delay === undefined) return;
    const at = new Date(now().getTime() + delay * 1_000);
    const text = await textAt(at);
    if (!text) return;
    const { seconds, ...mail } = text;
    await outbox.put({ to: email, ...mail }, delay + seconds, delay === 0 ? undefined : at);
  }

  /** Nobody gets an email about an account that is erased meanwhile. */
  async function writeToOwner(
    { user, email_sealed }: Owner,
    kind: string,
    textAt: (at: Date) => Promise<MailText | undefined> | MailText,
    browser?: string,
  ): Promise<void> {
    const email = await personal.open<string>(personOf(user), email_sealed);
    if (email !== undefined) await write(email, kind, textAt, browser);
  }

  const linkTo = async (path: string, purpose: LinkPurpose, userId: string, returnTo: string, at: Date) => {
    const link = await writeLink({ store, vault }, { purpose, userId, at });
    return link === undefined ? undefined : `${issuer()}${path}?link=${link}${returnTo}`;
  };

  return {
    verify: (owner: Owner, { returnTo = '' }: Options = {}): Promise<void> =>
      writeToOwner(owner, 'verify', async (at) => {
        const link = await linkTo(linkedPages.verify, 'verify-email', owner.user, returnTo, at);
        return link === undefined ? undefined : verifyMail(link);
      }),
    reset: (owner: Owner, { returnTo = '', browser }: Options = {}): Promise<void> =>
      writeToOwner(
        owner,
        'reset',
        async (at) => {
          const link = await linkTo(linkedPages.newPassword, 'reset-password', owner.user, returnTo, at);
          return link === undefined ? undefined : resetMail(link);
        },
        browser,
      ),
    /**
     * For an address whose account gets no email, or which has none: counts, reads and writes as much as for one. The
     * counts are others than those of emails.
     */
    nobody: async (address: string, kind: 'reset' | 'verify'): Promise<void> => {
      const index = await personal.emailIndex(address);
      const delay = index === undefined ? undefined : await throttle.mailDelay(`nobody ${index}`, kind);
      if (delay === undefined) return;
      const purpose = kind === 'reset' ? 'reset-password' : 'verify-email';
      await writeLink({ store, vault }, { purpose, userId: nobodysId, at: now() });
      const { seconds: _, ...mail } = kind === 'reset' ? resetMail(issuer()) : verifyMail(issuer());
      await outbox.putToNobody(mail);
    },
    /** An address without an account is one that somebody else is registering now. */
    alreadyRegistered: (owner: Owner | string): Promise<void> => {
      const text = () => alreadyRegisteredMail(issuer() + linkedPages.signIn, issuer() + linkedPages.reset);
      return typeof owner === 'string' ? write(owner, 'already', text) : writeToOwner(owner, 'already', text);
    },
    /** `user`: the account that the address is for. `confirmAt`: the link, when the email is sent at that time. */
    newAddress: (email: string, user: string, confirmAt: (at: Date) => string): Promise<void> =>
      write(email, `new address of ${user}`, (at) =>
        newAddressMail(`${issuer()}${linkedPages.confirmEmail}?confirm=${confirmAt(at)}`),
      ),
    changingAddress: (owner: Owner): Promise<void> =>
      writeToOwner(owner, 'changing', () => changingAddressMail(issuer() + linkedPages.reset)),
    changedAddress: (email: string): Promise<void> =>
      write(email, 'moved', () => changedAddressMail(issuer())),
    /** `about`: who was added or removed. Each change is told. */
    changedAdministrators: (owner: Owner, change: 'added' | 'removed', about: string): Promise<void> =>
      writeToOwner(owner, `administrator ${about} ${change}`, () =>
        changedAdministratorsMail(change, issuer(), issuer() + linkedPages.administrators),
      ),
    changedAccount: (owner: Owner, change: string): Promise<void> =>
      writeToOwner(owner, change, () => changedAccountMail(change, issuer() + linkedPages.reset)),
  };
}

import { writeLink, type LinkPurpose } from '../../commands/accounts/one-time-links.ts';
import { signInPath } from '../pages/interaction.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
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
import { paths } from '../pages/paths.ts';

/** What emails to people are written with. */
export type MailParts = Pick<
  PageDependencies,
  'outbox' | 'personal' | 'throttle' | 'issuer' | 'store' | 'vault' | 'now'
>;

interface Addressee {
  readonly user: string;
  readonly email: string;
  /** The browser is known to the account, and somebody has asked for the email there. */
  readonly browser?: string | undefined;
}

/**
 * Sends emails to people. Nobody gets more than a few: beyond the limit, one of each kind is sent later. The person
 * who asked is not told, because the answer would reveal whether the address has an account. `returnTo`: query
 * parameters that lead the reader back to where they were going.
 */
export function accountMails(dependencies: MailParts) {
  const { outbox, personal, throttle, issuer, store, vault, now } = dependencies;

  /**
   * `textAt`: the email as it is sent at that time. `kind`: of the emails of one kind that wait for an address, one
   * is sent.
   */
  async function write(
    { email, browser }: Pick<Addressee, 'email' | 'browser'>,
    kind: string,
    textAt: (at: Date) => Promise<MailText | undefined> | MailText,
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

  const linkTo = async (path: string, purpose: LinkPurpose, userId: string, returnTo: string, at: Date) => {
    const link = await writeLink({ store, vault }, { purpose, userId, at });
    return link === undefined ? undefined : `${issuer()}${path}?link=${link}${returnTo}`;
  };

  return {
    verify: (to: Addressee, returnTo = ''): Promise<void> =>
      write(to, 'verify', async (at) => {
        const link = await linkTo(paths.verify, 'verify-email', to.user, returnTo, at);
        return link === undefined ? undefined : verifyMail(link);
      }),
    reset: (to: Addressee, returnTo = ''): Promise<void> =>
      write(to, 'reset', async (at) => {
        const link = await linkTo(paths.newPassword, 'reset-password', to.user, returnTo, at);
        return link === undefined ? undefined : resetMail(link);
      }),
    alreadyRegistered: (email: string): Promise<void> =>
      write({ email }, 'already', () => alreadyRegisteredMail(issuer() + signInPath, issuer() + paths.reset)),
    /** `user`: the account that the address is for. `confirmAt`: the link, when the email is sent at that time. */
    newAddress: (email: string, user: string, confirmAt: (at: Date) => string): Promise<void> =>
      write({ email }, `new address of ${user}`, (at) =>
        newAddressMail(`${issuer()}${paths.confirmEmail}?confirm=${confirmAt(at)}`),
      ),
    changingAddress: (email: string): Promise<void> =>
      write({ email }, 'changing', () => changingAddressMail(issuer() + paths.reset)),
    changedAddress: (email: string): Promise<void> =>
      write({ email }, 'moved', () => changedAddressMail(issuer())),
    /** `about`: who was added or removed. Each change is told. */
    changedAdministrators: (email: string, change: 'added' | 'removed', about: string): Promise<void> =>
      write({ email }, `administrator ${about} ${change}`, () =>
        changedAdministratorsMail(change, issuer(), issuer() + paths.administrators),
      ),
    changedAccount: (email: string, change: string): Promise<void> =>
      write({ email }, change, () => changedAccountMail(change, issuer() + paths.reset)),
  };
}

import { writeLink, type LinkPurpose } from '../../commands/accounts/links.ts';
import { signInPath } from '../pages/interaction.ts';
import type { Dash } from '../dashboard-dependencies.ts';
import {
  alreadyLetter,
  changedLetter,
  changingLetter,
  movedLetter,
  newAddressLetter,
  resetLetter,
  verifyLetter,
} from './mails.ts';
import { paths } from '../pages/paths.ts';

type Letter = ReturnType<typeof verifyLetter>;

interface Addressee {
  readonly user: string;
  readonly email: string;
  /** Known to the account: there somebody has asked for the mail. */
  readonly browser?: string | undefined;
}

/**
 * Writes to people. Nobody gets more mails than a person can want: what is too much goes out later, one of a kind,
 * and who asked is not told, as the answer would tell of the address. `journey`: what takes the reader back to where
 * they were going.
 */
export function accountMails(dash: Dash) {
  const { outbox, personal, throttle, issuer, store, vault, now } = dash;

  /** `letterAt`: as it reads when it goes out then; `kind`: of those that wait for an address, one goes out. */
  async function write(
    { email, browser }: Pick<Addressee, 'email' | 'browser'>,
    kind: string,
    letterAt: (at: Date) => Promise<Letter | undefined> | Letter,
  ): Promise<void> {
    const index = await personal.emailIndex(email);
    const delay = index === undefined ? undefined : await throttle.mailDelay(index, kind, browser);
    if (delay === undefined) return;
    const at = new Date(now().getTime() + delay * 1_000);
    const letter = await letterAt(at);
    if (!letter) return;
    const { seconds, ...mail } = letter;
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
        return link === undefined ? undefined : verifyLetter(link);
      }),
    reset: (to: Addressee, returnTo = ''): Promise<void> =>
      write(to, 'reset', async (at) => {
        const link = await linkTo(paths.newPassword, 'reset-password', to.user, returnTo, at);
        return link === undefined ? undefined : resetLetter(link);
      }),
    already: (email: string): Promise<void> =>
      write({ email }, 'already', () => alreadyLetter(issuer() + signInPath, issuer() + paths.reset)),
    /** `user`: whose address it is to be; `confirmAt`: what the link says when it goes out then. */
    newAddress: (email: string, user: string, confirmAt: (at: Date) => string): Promise<void> =>
      write({ email }, `new address of ${user}`, (at) =>
        newAddressLetter(`${issuer()}${paths.confirmEmail}?confirm=${confirmAt(at)}`),
      ),
    changing: (email: string): Promise<void> =>
      write({ email }, 'changing', () => changingLetter(issuer() + paths.reset)),
    moved: (email: string): Promise<void> => write({ email }, 'moved', () => movedLetter(issuer())),
    changed: (email: string, what: string): Promise<void> =>
      write({ email }, what, () => changedLetter(what, issuer() + paths.reset)),
  };
}

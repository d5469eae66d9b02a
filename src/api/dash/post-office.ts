import { writeLink, type LinkPurpose } from '../../commands/links.ts';
import { signInPath } from '../oauth/interaction.ts';
import type { Dash } from './dependencies.ts';
import {
  alreadyLetter,
  changedLetter,
  changingLetter,
  movedLetter,
  newAddressLetter,
  resetLetter,
  verifyLetter,
} from './mails.ts';
import { paths } from './paths.ts';

type Letter = ReturnType<typeof verifyLetter>;

interface Addressee {
  readonly user: string;
  readonly email: string;
}

/**
 * Writes to people. Nobody gets more mails than a person can want, and who asked for one more is not told: the
 * answer would tell of the address. `journey`: what takes the reader back to where they were going.
 */
export function postOffice(dash: Dash) {
  const { outbox, personal, throttle, issuer, store, vault, now } = dash;

  async function write(to: string, { seconds, ...letter }: Letter): Promise<void> {
    const index = await personal.emailIndex(to);
    if (index === undefined || !(await throttle.mayWriteTo(index))) return;
    await outbox.put({ to, ...letter }, seconds);
  }

  const linkTo = async (path: string, purpose: LinkPurpose, userId: string, journey: string) => {
    const link = await writeLink({ store, vault }, { purpose, userId, at: now() });
    return link === undefined ? undefined : `${issuer()}${path}?link=${link}${journey}`;
  };

  return {
    async verify({ user, email }: Addressee, journey = ''): Promise<void> {
      const link = await linkTo(paths.verify, 'verify-email', user, journey);
      if (link !== undefined) await write(email, verifyLetter(link));
    },
    async reset({ user, email }: Addressee, journey = ''): Promise<void> {
      const link = await linkTo(paths.newPassword, 'reset-password', user, journey);
      if (link !== undefined) await write(email, resetLetter(link));
    },
    already: (email: string): Promise<void> =>
      write(email, alreadyLetter(issuer() + signInPath, issuer() + paths.reset)),
    newAddress: (email: string, confirm: string): Promise<void> =>
      write(email, newAddressLetter(`${issuer()}${paths.confirmEmail}?confirm=${confirm}`)),
    changing: (email: string): Promise<void> => write(email, changingLetter(issuer() + paths.reset)),
    moved: (email: string): Promise<void> => write(email, movedLetter(issuer())),
    changed: (email: string, what: string): Promise<void> =>
      write(email, changedLetter(what, issuer() + paths.reset)),
  };
}

import { linkLives, type LinkPurpose } from '../../commands/accounts/one-time-links.ts';
import type { Mail } from '../../mail/port.ts';

/** An email without its address. `seconds`: how long it is useful. */
export type MailText = Omit<Mail, 'to'> & { readonly seconds: number };

/**
 * The texts of the emails. None repeats what somebody typed into a form, not even a name, because anybody can have an
 * email sent to anybody.
 */

/** `purpose`: of the link in it, if there is one. It is useful for as long. */
const mail = (subject: string, body: string, purpose: LinkPurpose = 'verify-email'): MailText => ({
  subject,
  seconds: linkLives[purpose],
  text: `Hello,\n\n${body}\n\nCommonweal\n`,
});

export const verifyMail = (link: string): MailText =>
  mail(
    'Confirm your email address',
    `somebody, probably you, opened a Commonweal account with this email address. To confirm it, open this link and enter
the password that you chose:

${link}

The link works for one day. If this was not you, do nothing: without the link, the account cannot be used.`,
  );

/** To an address that already has an account, when somebody registers with it again. */
export const alreadyRegisteredMail = (signIn: string, reset: string): MailText =>
  mail(
    'You already have a Commonweal account',
    `somebody, probably you, tried to open a Commonweal account with this email address. You already have one, so nothing
was changed. To sign in:

${signIn}

If you forgot your password, choose a new one:

${reset}

If this was not you, do nothing.`,
  );

export const resetMail = (link: string): MailText =>
  mail(
    'Choose a new password',
    `somebody, probably you, asked to choose a new password for the Commonweal account with this email address. To choose
one, open this link:

${link}

The link works once, within one hour. If this was not you, do nothing: your password stays as it is.`,
    'reset-password',
  );

export const newAddressMail = (link: string): MailText =>
  mail(
    'Confirm your new email address',
    `somebody, probably you, wants to use this email address for a Commonweal account. To confirm it, open this link:

${link}

The link works for one day. If this was not you, do nothing: without the link, nothing is changed.`,
  );

/** To the current address of an account, when somebody entered another one. */
export const changingAddressMail = (reset: string): MailText =>
  mail(
    'Your email address is about to be changed',
    `somebody, probably you, asked to change the email address of your Commonweal account. It is changed when the link in
the email to the new address is opened and your password is entered.

If this was you, there is nothing to do. If it was not, choose a new password now, and that link stops working:

${reset}`,
  );

/** To the previous address of an account. */
export const changedAddressMail = (operator: string): MailText =>
  mail(
    'Your Commonweal account: the email address was changed',
    `your Commonweal account now has another email address. From now on we write to that address.

If this was you, there is nothing to do. If it was not, tell the people who run ${operator} at once: somebody who
knows your password has taken over the account.`,
  );

/** `change`: what was changed in the account. Its owner must know, in case somebody else changed it. */
export const changedAccountMail = (change: string, reset: string): MailText =>
  mail(
    `Your Commonweal account: ${change}`,
    `something was changed in your Commonweal account: ${change}.

If this was you, there is nothing to do. If it was not, choose a new password at once. It also signs out every browser:

${reset}`,
  );

/** To everybody who administers the installation. Who it is stands on the page alone. `operator`: where it is. */
export const changedAdministratorsMail = (
  change: 'added' | 'removed',
  operator: string,
  page: string,
): MailText =>
  mail(
    change === 'added' ? 'Commonweal has a new administrator' : 'Commonweal has one administrator less',
    `${change === 'added' ? 'somebody was made an administrator of' : 'somebody is no longer an administrator of'} ${operator}. Who administers it, and since when:

${page}

If you did not expect this, speak with the other administrators at once: an administrator can change everything. If you
cannot open the page, you are no administrator any more.`,
  );

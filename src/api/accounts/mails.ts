import { linkLives } from '../../commands/accounts/links.ts';
import type { Mail } from '../../mail/port.ts';

/**
 * What the mails say. None repeats what somebody typed into a form, not even a name: anybody can have a mail
 * sent to anybody.
 */
type Letter = Omit<Mail, 'to'> & { readonly seconds: number };

const farewell = 'Commonweal';

export const verifyLetter = (link: string): Letter => ({
  subject: 'Confirm your e-mail address',
  seconds: linkLives['verify-email'],
  text: `Hello,

somebody, probably you, has opened a Commonweal account with this e-mail address. To confirm it, open this link
and enter the password that you chose:

${link}

The link is good for one day. If it was not you, do nothing: without the link the account cannot be used.

${farewell}
`,
});

/** To an address that has an account already, when somebody registers with it again. */
export const alreadyLetter = (signIn: string, reset: string): Letter => ({
  subject: 'You already have a Commonweal account',
  seconds: linkLives['verify-email'],
  text: `Hello,

somebody, probably you, wanted to open a Commonweal account with this e-mail address. You have one already, so
nothing was changed. To sign in:

${signIn}

If you do not remember the password, you can choose a new one:

${reset}

If it was not you, do nothing.

${farewell}
`,
});

/** `existing`: why somebody gets it who did not ask to choose a new password. */
export const resetLetter = (link: string): Letter => ({
  subject: 'Choose a new password',
  seconds: linkLives['reset-password'],
  text: `Hello,

somebody, probably you, wants to choose a new password for the Commonweal account with this e-mail address. To do
so, open this link:

${link}

The link is good for one hour and for one use. If it was not you, do nothing: your password stays as it is.

${farewell}
`,
});

export const newAddressLetter = (link: string): Letter => ({
  subject: 'Confirm your new e-mail address',
  seconds: linkLives['verify-email'],
  text: `Hello,

somebody, probably you, wants to use this e-mail address for a Commonweal account. To confirm it, open this link:

${link}

The link is good for one day. If it was not you, do nothing: nothing is changed without the link.

${farewell}
`,
});

/** To the address of an account for which another one is wished. */
export const changingLetter = (reset: string): Letter => ({
  subject: 'Your e-mail address is about to be changed',
  seconds: linkLives['verify-email'],
  text: `Hello,

somebody, probably you, wants another e-mail address for your Commonweal account. It is changed when the link that
we sent to the new address is opened and the password is entered.

If it was you, there is nothing to do here. If it was not, choose a new password now. Then that link does nothing:

${reset}

${farewell}
`,
});

/** To the address that an account had until now. */
export const movedLetter = (operator: string): Letter => ({
  subject: 'Your Commonweal account: the e-mail address was changed',
  seconds: linkLives['verify-email'],
  text: `Hello,

this is to tell you: your Commonweal account has another e-mail address from now on, and we write there.

If it was you, there is nothing to do. If it was not, tell the people who run ${operator} at once: somebody who
knows your password has taken the account over.

${farewell}
`,
});

/** Something about the account has changed that its owner should hear of, should it not have been them. */
export const changedLetter = (what: string, reset: string): Letter => ({
  subject: `Your Commonweal account: ${what}`,
  seconds: linkLives['verify-email'],
  text: `Hello,

this is to tell you: ${what}.

If it was you, there is nothing to do. If it was not, choose a new password at once, which also signs out every
browser:

${reset}

${farewell}
`,
});

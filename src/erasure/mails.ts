/** The texts of the emails about an erasure. None names the person: only who has the address is to learn of it. */

export interface ErasureMail {
  readonly subject: string;
  readonly text: string;
}

/** How long these emails wait for a mail server at most, in seconds. The address is in them. */
export const mailLifeSeconds = 86_400;

/** `withdrawAt`: the page where the request can be withdrawn. `due`: as people read it. */
export const erasureRequestedMail = ({
  due,
  withdrawAt,
}: {
  readonly due: string;
  readonly withdrawAt: string;
}): ErasureMail => ({
  subject: 'Your Commonweal account will be erased',
  text: `Hello,

it was asked that your Commonweal account be erased. It will be erased after ${due}.
Until then nothing changes, and you can still use it.

To keep the account, sign in and withdraw the request:

${withdrawAt}

If you did not ask for this, withdraw the request and choose a new password.

Commonweal
`,
});

export const erasedMail = (): ErasureMail => ({
  subject: 'Your Commonweal account is erased',
  text: `Hello,

your Commonweal account is erased. Nobody can sign in with it, no site can see your data, and nobody can read what we
had stored about you: your name, your email address, your phone number and what else was in your profile.

This is the last email about this account. You can open a new one with this address at any time.

Commonweal
`,
});

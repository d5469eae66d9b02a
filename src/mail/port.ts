/** A mail to one person, plain text as everybody can read it. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What carries mails away. */
export interface MailTransport {
  /** Resolves when somebody else has taken the mail over. @throws MailRefused */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** A mail was not taken. The message names no address: it is for a log. */
export class MailRefused extends Error {
  /** Asking again would be refused again. */
  readonly forGood: boolean;

  constructor(message: string, options: { readonly forGood: boolean }) {
    super(message);
    this.name = 'MailRefused';
    this.forGood = options.forGood;
  }
}

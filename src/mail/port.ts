/** A plain-text mail to one person. */
export interface Mail {
  readonly to: string;
  /** Whose name stands before our address. Absent: that of the installation. */
  readonly fromName?: string;
  readonly subject: string;
  readonly text: string;
  /**
   * Where the reader can stop these mails (RFC 2369). `page`: somebody chooses there. `atOnce`: the mail program may do it by
   * one request (RFC 8058).
   */
  readonly unsubscribe?: { readonly page: string } | { readonly atOnce: string };
}

/** Sends mails. */
export interface MailTransport {
  /** Resolves when the mail server has accepted the mail. @throws MailRefused */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server did not accept a mail. The message contains no address, so it can be logged. */
export class MailRefused extends Error {
  /** Permanent: a retry would be refused again. */
  readonly forGood: boolean;
  /** There is no such recipient, or they take no mails: not a fault of the mail or of the sender. */
  readonly ofRecipient: boolean;

  constructor(message: string, options: { readonly forGood: boolean; readonly ofRecipient?: boolean }) {
    super(message);
    this.name = 'MailRefused';
    this.forGood = options.forGood;
    this.ofRecipient = options.ofRecipient ?? false;
  }
}

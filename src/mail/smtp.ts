import { createTransport } from 'nodemailer';
import { MailRefused, type MailTransport } from './port.ts';

/** Longer than this no mail server is waited for. */
const timeoutMs = 30_000;

/** Hands mails to a server over SMTP (RFC 5321): `smtps://user:password@host:465`, or `smtp://…` with STARTTLS. */
export function smtpTransport({ url, from }: { readonly url: string; readonly from: string }): MailTransport {
  const transport = createTransport(
    {
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // What a mail says never makes this process read a file or ask a server.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({
          // As an object it is one address and is not read as a list of them.
          to: { name: '', address: to },
          subject,
          text,
          // RFC 3834: nobody's vacation notice answers it.
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw refusal(error);
      }
    },
    close: () => transport.close(),
  };
}

/** What a mail server says may name the address, so only its codes go on (RFC 5321 section 4.2). */
function refusal(error: unknown): MailRefused {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  const answered = typeof responseCode === 'number';
  const what = [typeof code === 'string' ? code : 'failed', ...(answered ? [responseCode] : [])].join(' ');
  const forGood = answered && responseCode >= 500 && code !== 'EAUTH';
  return new MailRefused(`The mail server did not take a mail (${what}).`, { forGood });
}

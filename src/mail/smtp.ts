import { createTransport } from 'nodemailer';
import { MailRefused, type Mail, type MailTransport } from './port.ts';

/** The limit for each step with the mail server. */
const timeoutMs = 30_000;

/** Sends mails over SMTP (RFC 5321): `smtps://user:password@host:465`, or `smtp://…` with STARTTLS. */
export function smtpTransport({ url, from }: { readonly url: string; readonly from: string }): MailTransport {
  const transport = createTransport(
    {
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // The content of a mail must never make this process read a file or a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send({ to, fromName, subject, text, unsubscribe }) {
      try {
        await transport.sendMail({
          // As an object it is a single address, never parsed as a list.
          to: { name: '', address: to },
          ...(fromName === undefined ? {} : { from: { name: fromName, address: addressIn(from) } }),
          subject,
          text,
          // RFC 3834: prevents automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated', ...headersOf(unsubscribe) },
        });
      } catch (error) {
        throw refusal(error);
      }
    },
    close: () => transport.close(),
  };
}

/** `no-reply@example.org` of `Commonweal <no-reply@example.org>`. */
const addressIn = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;

/** The limit for each step when it is only asked whether the server answers. */
const answerMs = 5_000;

/**
 * Connects to the mail server and signs in, and sends nothing. Undefined: it would take mails. Else why not, by the codes
 * of the error alone: the words of a server may name somebody.
 */
export async function whyNoAnswer(url: string): Promise<string | undefined> {
  const transport = createTransport({
    url,
    connectionTimeout: answerMs,
    greetingTimeout: answerMs,
    socketTimeout: answerMs,
  });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return codesOf(error);
  } finally {
    transport.close();
  }
}

function headersOf(unsubscribe: Mail['unsubscribe']): Readonly<Record<string, string>> {
  if (!unsubscribe) return {};
  if ('page' in unsubscribe) return { 'List-Unsubscribe': `<${unsubscribe.page}>` };
  return {
    'List-Unsubscribe': `<${unsubscribe.atOnce}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** The server's reply may contain the address, so only its codes are passed on (RFC 5321 section 4.2). */
function refusal(error: unknown): MailRefused {
  const { code, responseCode, command, response } = error as Readonly<Partial<Record<string, unknown>>>;
  const forGood = typeof responseCode === 'number' && responseCode >= 500 && code !== 'EAUTH';
  // 5.7.x is a policy, such as that we may not relay: it is not about this recipient (RFC 3463 section 3.8).
  const isPolicy = typeof response === 'string' && /^\d{3}[ -]5\.7\./.test(response);
  const ofRecipient = forGood && !isPolicy && code === 'EENVELOPE' && command === 'RCPT TO';
  return new MailRefused(`The mail server did not accept a mail (${codesOf(error)}).`, {
    forGood,
    ofRecipient,
  });
}

function codesOf(error: unknown): string {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  const answered = typeof responseCode === 'number';
  return [typeof code === 'string' ? code : 'failed', ...(answered ? [responseCode] : [])].join(' ');
}

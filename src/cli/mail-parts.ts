import type { MailParts } from '../actions/accounts/account-mails.ts';
import { Throttle } from '../actions/accounts/throttle.ts';
import type { Config } from '../config.ts';
import { Outbox } from '../mail/outbox.ts';
import type { CommandSystem } from './command-line.ts';

/** Where people reach the service, for links in emails and on the terminal. */
export const issuerOf = ({ authUrl, baseUrl, port }: Config): string =>
  authUrl ?? baseUrl ?? `http://localhost:${port}`;

/** What emails are written with: they wait in the outbox for a running server. */
export function mailParts(at: CommandSystem): MailParts {
  const { store, vault, personal, side, masterKey, limits, config } = at;
  return {
    store,
    vault,
    personal,
    outbox: new Outbox({ side, masterKey }),
    throttle: new Throttle(limits),
    issuer: () => issuerOf(config),
    now: () => new Date(),
  };
}

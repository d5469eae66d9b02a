import { addressesOf } from '../commands/accounts/erasure.ts';
import { Outbox } from '../mail/outbox.ts';
import type { OwnDataParts } from './own-data-parts.ts';

/** A link of ours in an email can be as good as a password, and the operator who collects the data is not to have it. */
const links = /https?:\/\/\S+/g;

/** The emails to any address of a person that wait to be sent. Sent ones are not kept. */
export async function* mailsOf(parts: OwnDataParts, user: string): AsyncGenerator {
  const theirs = new Set(await addressesOf(parts.store, user));
  for (const { to, subject, text, written_at, not_before } of await new Outbox(parts).waiting()) {
    const index = await parts.personal.emailIndex(to);
    if (index === undefined || !theirs.has(index)) continue;
    yield { to, subject, text: text.replace(links, '(a link, left out)'), written_at, not_before };
  }
}

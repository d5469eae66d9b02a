import { recordExport } from '../commands/accounts/erasure.ts';
import type { CommandContext } from '../events/metadata.ts';
import {
  accountOf,
  importsOf,
  keysOf,
  mailsOf,
  paymentsOf,
  sessionsOf,
  sitesOf,
  teamsOf,
} from './own-data-account.ts';
import { awaitIndex } from './own-data-concerning.ts';
import { eventsOf } from './own-data-events.ts';
import type { OwnDataParts } from './parts.ts';
import { recipientsOf } from './own-data-recipients.ts';

const notes = [
  'What somebody sends with a form or in a report of a mistake is stored without an account, so it is not known whose it is. Its team can tell you what you have sent.',
  'What a team has written down of you as a member without an account is not known to be yours until you are made one with your account. The team can tell you what it is, and erase it.',
  'Passwords are stored as hashes alone, and are left out. So are the tokens of sessions and sites, of which we have hashes or nothing.',
  'Sites that you have let see your data, and the receivers of webhooks, have copies of their own. Ask them.',
  'Emails that were sent are not kept.',
];

/**
 * Everything that is stored about a person, as JSON, piece by piece: it takes the same memory however much there is. It
 * is an event that it was asked for, stored before there is anything to read. Personal data is in clear.
 *
 * @throws CommandRefused not_found
 */
export async function ownData(
  parts: OwnDataParts,
  user: string,
  context: CommandContext,
): Promise<AsyncGenerator<string>> {
  await recordExport(parts, user, context);
  await awaitIndex(parts);
  return piecesOf(parts, user, context);
}

async function* piecesOf(parts: OwnDataParts, user: string, context: CommandContext): AsyncGenerator<string> {
  const members = sections(parts, user);
  yield `{\n"format": "commonweal-own-data/2",\n"exported_at": ${JSON.stringify(context.at)}`;
  for (const [name, content] of Object.entries(members)) {
    yield `,\n${JSON.stringify(name)}: `;
    if (typeof content === 'function') yield JSON.stringify(await content(), null, 1);
    else yield* listOf(content);
  }
  yield '\n}\n';
}

async function* listOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield '[';
  let isFirst = true;
  for await (const item of items) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(item)}`;
    isFirst = false;
  }
  yield isFirst ? ']' : '\n]';
}

type Section = (() => unknown) | AsyncIterable<unknown>;

function sections(parts: OwnDataParts, user: string): Readonly<Record<string, Section>> {
  return {
    account: () => accountOf(parts, user),
    sessions: sessionsOf(parts, user),
    sites: sitesOf(parts, user),
    teams: teamsOf(parts, user),
    payments: paymentsOf(parts, user),
    keys: keysOf(parts, user),
    imports: importsOf(parts, user),
    webhooks: recipientsOf(parts, user),
    emails_waiting: mailsOf(parts, user),
    events: eventsOf(parts, user),
    notes: () => notes,
  };
}

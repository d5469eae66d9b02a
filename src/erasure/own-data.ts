import { recordExport } from '../commands/accounts/erasure.ts';
import type { PersonParts } from '../commands/accounts/person.ts';
import type { ProfileFields, UserEvent } from '../events/accounts/user.ts';
import { userStream } from '../events/accounts/user.ts';
import { streamName } from '../events/define.ts';
import type { CommandContext, Metadata } from '../events/metadata.ts';
import { personOf } from '../personal/personal-data.ts';
import { erasures } from '../projections/accounts/erasures.ts';
import { people } from '../projections/accounts/people.ts';
import { sessions } from '../projections/accounts/sessions.ts';
import { pages, paginate } from '../projections/engine/paginate.ts';
import { clients } from '../projections/oauth/clients.ts';
import { consents } from '../projections/oauth/consents.ts';
import { payments } from '../projections/payments/payments.ts';
import { members } from '../projections/teams/members.ts';
import { teams } from '../projections/teams/teams.ts';
import type { Documents } from '../stores/documents/port.ts';
import { keysMadeBy } from './obstacles.ts';

export interface OwnDataParts extends PersonParts {
  readonly documents: Documents;
}

/** Events read at a time. */
const eventsAtATime = 500;

const notes = [
  'What somebody sends with a form or in a report of a mistake is stored without an account, so it is not known whose it is. Its team can tell you what you have sent.',
  'Passwords are stored as hashes alone, and are left out. So are the tokens of sessions and sites, of which we have hashes or nothing.',
  'Sites that you have let see your data have copies of their own. Ask them.',
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
  return piecesOf(parts, user, context);
}

async function* piecesOf(parts: OwnDataParts, user: string, context: CommandContext): AsyncGenerator<string> {
  const members = sections(parts, user);
  yield `{\n"format": "commonweal-own-data/1",\n"exported_at": ${JSON.stringify(context.at)}`;
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
    keys: () => keysMadeBy(parts, user),
    events: eventsOf(parts, user),
    notes: () => notes,
  };
}

async function accountOf({ documents, personal }: OwnDataParts, user: string) {
  const holder = personOf(user);
  const person = await documents.collection(people.collection).get(user);
  const erasure = await documents.collection(erasures.collection).get(user);
  if (!person) return { user };
  const passkeys = person.passkeys.map(async ({ label, credential, added_at }) => ({
    label: label === undefined ? undefined : await personal.open<string>(holder, label),
    credential,
    added_at,
  }));
  return {
    user,
    ...(await personal.open<ProfileFields>(holder, person.profile)),
    email: await personal.open<string>(holder, person.email_sealed),
    email_verified: person.email_verified,
    role: person.role,
    registered_at: person.registered_at,
    profile_changed_at: person.profile_changed_at,
    has_password: person.has_password,
    passkeys: await Promise.all(passkeys),
    ...(erasure?.erasure === 'requested' ? { erasure_due_at: erasure.due_at } : {}),
    // Why is for those who placed it.
    legal_holds: (erasure?.holds ?? []).map(({ placed_at }) => ({ placed_at })),
  };
}

async function* sessionsOf({ documents }: OwnDataParts, user: string): AsyncGenerator {
  const query = { where: { user }, orderBy: ['status', 'started_at', 'session'] } as const;
  for await (const each of paginate(documents.collection(sessions.collection), query)) {
    const { session, status, started_at, ended_at, ends, amr } = each;
    yield { session, status, started_at, ended_at, ends_at: new Date(ends * 1_000), signed_in_by: amr };
  }
}

async function* sitesOf({ documents }: OwnDataParts, user: string): AsyncGenerator {
  const query = { where: { user }, orderBy: ['client'] } as const;
  for await (const page of pages(documents.collection(consents.collection), query)) {
    const known = await documents.collection(clients.collection).getMany(page.map(({ client }) => client));
    for (const { client, status, scopes, granted_at, changed_at } of page) {
      yield { client, name: known.get(client)?.name, status, scopes, granted_at, changed_at };
    }
  }
}

async function* teamsOf({ documents }: OwnDataParts, user: string): AsyncGenerator {
  const query = { where: { user }, orderBy: ['status', 'team'] } as const;
  for await (const { team, role, status, joined_at, left_at } of paginate(
    documents.collection(members.collection),
    query,
  )) {
    const { name } = (await documents.collection(teams.collection).get(team)) ?? {};
    yield { team, name, role, status, joined_at, left_at };
  }
}

/** In the teams to which the person belongs or belonged: payments are recorded against members. */
async function* paymentsOf({ documents, personal }: OwnDataParts, user: string): AsyncGenerator {
  const theirs = { where: { user }, orderBy: ['status', 'team'] } as const;
  for await (const { team } of paginate(documents.collection(members.collection), theirs)) {
    const query = { where: { team, member: user }, orderBy: ['recorded_at', 'payment'] } as const;
    for await (const each of paginate(documents.collection(payments.collection), query)) {
      const { payment, amount_minor, currency, memo, occurred_at, status, recorded_at, reversed_at } = each;
      const opened = async (sealed: string | undefined) =>
        sealed === undefined ? undefined : personal.open<string>(personOf(user), sealed);
      yield {
        payment,
        team,
        amount_minor,
        currency,
        memo: await opened(memo),
        occurred_at,
        status,
        recorded_at,
        reversed_at,
        reason: await opened(each.reason),
      };
    }
  }
}

/** What has happened to the account: the stream of the person, without what is sealed, which stands above. */
async function* eventsOf({ store }: OwnDataParts, user: string): AsyncGenerator {
  for (let from = 0; ;) {
    const some = await store.readStream(streamName(userStream, user), { from, limit: eventsAtATime });
    for (const { id, type, metadata, revision } of some) {
      const { at, actor } = metadata as unknown as Metadata;
      yield {
        id,
        at,
        type: type as UserEvent['type'],
        what: userStream.events[type as UserEvent['type']].means,
        by: actor.kind === 'user' && actor.id === user ? 'yourself' : `${actor.kind} ${actor.id}`,
      };
      from = revision + 1;
    }
    if (some.length < eventsAtATime) return;
  }
}

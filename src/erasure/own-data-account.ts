import { addressesOf } from '../commands/accounts/erasure.ts';
import { withLabels } from '../commands/keys-label.ts';
import { userStream, type ProfileFields } from '../events/accounts/user.ts';
import { streamName } from '../events/define.ts';
import { Outbox } from '../mail/outbox.ts';
import { personOf } from '../personal/personal-data.ts';
import { erasures } from '../projections/accounts-erasures.ts';
import { people } from '../projections/accounts-people.ts';
import { sessions } from '../projections/accounts-sessions.ts';
import { pages, paginate } from '../projections/engine/paginate.ts';
import { apiKeys } from '../projections/keys.ts';
import { clients } from '../projections/oauth-clients.ts';
import { consents } from '../projections/oauth-consents.ts';
import { payments } from '../projections/payments.ts';
import { members } from '../projections/teams-members.ts';
import { teams } from '../projections/teams.ts';
import { eventsConcerning } from './own-data-concerning.ts';
import type { OwnDataParts } from './parts.ts';

/** The account as it is now. */
export async function accountOf({ store, documents, personal }: OwnDataParts, user: string) {
  const holder = personOf(user);
  const person = await documents.collection(people.collection).get(user);
  const roles: object[] = [];
  for await (const { event } of eventsConcerning({ store, documents }, user, [
    'UserRegistered',
    'UserRoleChanged',
  ]))
    if (event.stream === streamName(userStream, user) && 'role' in event.data)
      roles.push({ at: event.metadata.at, role: event.data.role });
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
    roles,
    registered_at: person.registered_at,
    profile_changed_at: person.profile_changed_at,
    has_password: person.has_password,
    passkeys: await Promise.all(passkeys),
    ...(erasure?.erasure === 'requested' ? { erasure_due_at: erasure.due_at } : {}),
    // Why is for those who placed it.
    legal_holds: (erasure?.holds ?? []).map(({ placed_at }) => ({ placed_at })),
  };
}

export async function* sessionsOf({ documents, side, personal }: OwnDataParts, user: string): AsyncGenerator {
  const query = { where: { user }, orderBy: ['status', 'started_at', 'session'] } as const;
  for await (const each of paginate(documents.collection(sessions.collection), query)) {
    const { session, status, started_at, ended_at, ends, amr, device } = each;
    const seen = await side.table<number>('session-seen').get(session);
    yield {
      session,
      status,
      started_at,
      last_used_at: seen === undefined ? undefined : new Date(seen),
      ended_at,
      ends_at: new Date(ends * 1_000),
      signed_in_by: amr,
      signed_in_with: device === undefined ? undefined : await personal.open(personOf(user), device),
    };
  }
}

export async function* sitesOf({ documents }: OwnDataParts, user: string): AsyncGenerator {
  const query = { where: { user }, orderBy: ['client'] } as const;
  for await (const page of pages(documents.collection(consents.collection), query)) {
    const clientsById = await documents
      .collection(clients.collection)
      .getMany(page.map(({ client }) => client));
    for (const { client, status, scopes, granted_at, changed_at } of page) {
      yield { client, name: clientsById.get(client)?.name, status, scopes, granted_at, changed_at };
    }
  }
}

/** With each role that the person had there, and since when. */
export async function* teamsOf(parts: OwnDataParts, user: string): AsyncGenerator {
  const { documents } = parts;
  const rolesIn = new Map<string, object[]>();
  const changes = ['MemberJoined', 'MemberRoleChanged', 'MemberLeft'] as const;
  for await (const { event, isAbout } of eventsConcerning(parts, user, changes)) {
    if (!isAbout || !('team' in event.data)) continue;
    const roles = rolesIn.get(String(event.data.team)) ?? [];
    roles.push({ at: event.metadata.at, role: 'role' in event.data ? event.data.role : null });
    rolesIn.set(String(event.data.team), roles);
  }
  const query = { where: { user }, orderBy: ['status', 'team'] } as const;
  for await (const { team, role, status, joined_at, left_at } of paginate(
    documents.collection(members.collection),
    query,
  )) {
    const { name } = (await documents.collection(teams.collection).get(team)) ?? {};
    yield { team, name, role, status, joined_at, left_at, roles: rolesIn.get(team) ?? [] };
  }
}

/** In the teams to which the person belongs or belonged: payments are recorded against members. */
export async function* paymentsOf({ documents, personal }: OwnDataParts, user: string): AsyncGenerator {
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

/** The keys that the person made, or that were made for them, those that are revoked too. */
export async function* keysOf({ documents, personal }: OwnDataParts, user: string): AsyncGenerator {
  const query = { where: { created_by: user }, orderBy: ['kind', 'created_at', 'key_id'] } as const;
  for await (const page of pages(documents.collection(apiKeys.collection), query))
    for (const { secret_sha256: _, created_by: _by, ...key } of await withLabels(personal, page)) yield key;
}

/** The files of imports that the person sent. They are known for 30 days. */
export async function* importsOf({ side }: OwnDataParts, user: string): AsyncGenerator {
  for (const { value } of await side.table<ImportOfPerson>('directory-imports').list()) {
    const { id, team, file, phase, uploaded_at, by } = value;
    if (by === user) yield { id, team, file, phase, uploaded_at };
  }
}

/** What is read of the state of an import. See imports/import-state.ts. */
interface ImportOfPerson {
  readonly id: string;
  readonly team: string;
  readonly file: string;
  readonly phase: string;
  readonly uploaded_at: string;
  readonly by: string;
}

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

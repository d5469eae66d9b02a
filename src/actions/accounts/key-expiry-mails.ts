import { findPerson } from '../../commands/accounts/person.ts';
import { withLabel } from '../../commands/keys-label.ts';
import { findTeam } from '../../commands/teams/team.ts';
import { hasRight } from '../../events/teams-rights.ts';
import { Outbox } from '../../mail/outbox.ts';
import { people } from '../../projections/accounts-people.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { NotYetVisible, visible } from '../../projections/engine/read-your-writes.ts';
import { apiKeys, expiringKeys, warnedMs, type ApiKeyDocument } from '../../projections/keys.ts';
import { mailTime } from '../../tables/shown-time.ts';
import type { ActionParts } from '../action.ts';
import { linkedPages } from '../linked-pages.ts';
import { peopleNamed } from './people-named.ts';

const levelWithinMs = 60_000;

type Parts = Pick<ActionParts, 'store' | 'documents' | 'personal' | 'side' | 'masterKey'>;

/**
 * Tells those who can roll a key that it expires within seven days, each of them once. Not of a key whose place another has,
 * and not where the end was chosen so late: whoever chose it knows. `base`: the address of the dashboard.
 */
export async function mailExpiringKeys(
  parts: Parts,
  { base, timeZone }: { readonly base: string; readonly timeZone?: string | undefined },
  at: Date,
): Promise<void> {
  try {
    await visible(parts.documents, [apiKeys.collection.name], await parts.store.head(), levelWithinMs);
  } catch (error) {
    if (error instanceof NotYetVisible) return;
    throw error;
  }
  const outbox = new Outbox(parts);
  for (const key of await expiringKeys(parts.documents, {}, at)) {
    const { key_id, expires_at: end = '', expiry_chosen_at: chosen = '' } = key;
    const warnAt = new Date(Date.parse(end) - warnedMs);
    if (chosen > warnAt.toISOString()) continue;
    const { to: page, team, users } = await ownersOf(parts, key);
    const { label } = await withLabel(parts.personal, key);
    for (const { user, to } of await reachable(parts, users))
      await outbox.putOnce(
        { to, ...mailOf({ name: label ?? key_id, team, end: mailTime(end, timeZone), page: base + page }) },
        { key: `key-expiry-${key_id}-${user}`, at: warnAt, until: new Date(end) },
      );
  }
}

/** Who can roll a key, and where. */
async function ownersOf(
  { store, documents }: Parts,
  { key_id, kind, team: slug, created_by }: ApiKeyDocument,
): Promise<{ readonly to: string; readonly team?: string; readonly users: readonly string[] }> {
  if (slug !== undefined) {
    const state = await findTeam(store, slug);
    const members = state?.closing === undefined ? (state?.members ?? []) : [];
    const users = [...members].filter(([, role]) => hasRight(role, 'change keys'));
    return {
      to: `${linkedPages.ofTeam}/${encodeURIComponent(slug)}${linkedPages.teamKeys}/${key_id}`,
      team: state?.name ?? slug,
      users: users.map(([user]) => user),
    };
  }
  if (kind === 'developer')
    return { to: `${linkedPages.developers}/${key_id}`, users: created_by === undefined ? [] : [created_by] };
  const administrators = await paginateAll(documents.collection(people.collection), {
    where: { role: 'administrator' },
    orderBy: ['registered_at', 'user'],
  });
  return { to: `${linkedPages.auditKeys}/${key_id}`, users: administrators.map(({ user }) => user) };
}

/** Those who have confirmed their address. */
async function reachable(parts: Parts, users: readonly string[]) {
  const named = await peopleNamed(parts, users);
  const found = await Promise.all(
    users.map(async (user) => {
      const person = await findPerson(parts, user);
      const to = named.get(user)?.email ?? undefined;
      return person?.verified && !person.lapsed && to !== undefined ? [{ user, to }] : [];
    }),
  );
  return found.flat();
}

const mailOf = ({
  name,
  team,
  end,
  page,
}: {
  readonly name: string;
  readonly team?: string | undefined;
  readonly end: string;
  readonly page: string;
}): { readonly subject: string; readonly text: string } => ({
  subject: 'An API key expires soon',
  text: `Hello,

the API key “${name}”${team === undefined ? '' : ` of ${team}`} expires on ${end}. From then on every request with it is refused.

If a program still uses it, open its page, sign in, and press Roll: you get a new key, and both work until the old one ends.

${page}

If nothing uses it any more, there is nothing to do.

Commonweal
`,
});

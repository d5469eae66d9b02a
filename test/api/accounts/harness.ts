import { argon2Sync, createHash, randomBytes } from 'node:crypto';
import { registerClient, type NewClient } from '../../../src/commands/oauth/client.ts';
import { inviteByMail } from '../../../src/actions/teams/invite.ts';
import type { Invited } from '../../../src/commands/teams/invitation.ts';
import { joinTeam } from '../../../src/commands/teams/member.ts';
import { commandPerson, registerPerson, requirePerson } from '../../../src/commands/accounts/person.ts';
import { user } from '../../../src/commands/accounts/user.ts';
import { execute } from '../../../src/commands/command-handler.ts';
import { tendSigningKeys } from '../../../src/commands/oauth/signing-keys.ts';
import type { MemberRole } from '../../../src/events/teams.ts';
import type { ProfileFields, UserRole } from '../../../src/events/accounts/user.ts';
import { Outbox, type WaitingMail } from '../../../src/mail/outbox.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { context, startSystem, type RunningSystem, type ServerSettings } from '../harness.ts';
import { PlainBrowser } from './plain-browser.ts';
import type { TemporaryFolder } from '../../support/folder.ts';
import { requirePlainWords } from '../../support/plain-words.ts';

export const redirectUri = 'https://news.example/callback';
export const password = 'seven quiet herons wading';

/**
 * A hash of the password with the least parameters. A hash names its own, so whoever signs in is checked as everywhere,
 * without the memory and the time that make guessing slow, and tests too.
 */
const quickHash = (() => {
  const parameters = { memory: 8, passes: 1, parallelism: 1 };
  const nonce = Buffer.alloc(16);
  const tag = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, ...parameters });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt ?? ''}$${hash ?? ''}`;
})();

export interface Account {
  readonly user: string;
  readonly email: string;
}

/** A running dashboard, and what people do with it. */
export interface Dashboard extends RunningSystem {
  readonly origin: string;
  browser(): PlainBrowser;
  /** An account whose address is confirmed, unless told otherwise. */
  account(options?: {
    email?: string;
    profile?: Partial<ProfileFields>;
    role?: UserRole;
    confirmed?: boolean;
  }): Promise<Account>;
  signedIn(account: Account): Promise<PlainBrowser>;
  member(team: string, account: Account, role: MemberRole): Promise<void>;
  /** Somebody is invited to a team; the link is in their newest mail. `at`: when. */
  invited(team: string, email: string, role: MemberRole, at?: Date): Promise<Invited>;
  site(options?: Partial<NewClient>): Promise<string>;
  /** The address at which a site asks for somebody. */
  asked(clientId: string, parameters?: Record<string, string>): string;
  mails(to?: string): Promise<WaitingMail[]>;
  /** The newest link of ours in a mail to somebody, as a path. */
  link(to: string): Promise<string>;
  /** The events of the streams whose names begin so, in the order of the log. */
  events(kind: string): Promise<{ type: string; data: Record<string, unknown> }[]>;
}

/** `folder`: as of `startSystem`. */
export async function startDashboard(
  settings: ServerSettings = {},
  folder?: TemporaryFolder,
): Promise<Dashboard> {
  const running = await startSystem(settings, folder);
  const { system } = running;
  const { store, vault, personal, side, masterKey } = system;
  await tendSigningKeys({ store, vault }, context());
  await running.team('harbour');
  const origin = (await running.listen()).replace('127.0.0.1', 'localhost');
  const outbox = new Outbox({ side, masterKey });
  const parts = { store, vault, personal };

  const dashboard: Dashboard = {
    ...running,
    origin,
    browser: () => new PlainBrowser(origin),
    async account({ email = anAddress(), profile = {}, role = 'person', confirmed = true } = {}) {
      const wish = { email, profile: { name: 'Sample Person', ...profile }, role };
      const { userId } = await registerPerson(parts, wish, context());
      const passwordId = crypto.randomUUID();
      await vault.putIfAbsent(`password/${userId}/${passwordId}`, Buffer.from(quickHash));
      await execute(store, user, userId, { kind: 'change-password', passwordId }, context());
      if (confirmed) {
        const { email: index } = await requirePerson({ store }, userId);
        await commandPerson({ store }, userId, { kind: 'verify-email', email: index }, context());
      }
      await running.caughtUp();
      return { user: userId, email };
    },
    async signedIn({ email }) {
      const browser = await new PlainBrowser(origin).open('/dash/sign-in');
      await browser.press('Sign in', { email, password });
      if (browser.heading !== 'Home') throw new Error(`Not signed in: ${browser.text}`);
      return browser;
    },
    async member(team, { user }, role) {
      await joinTeam({ store, personal }, { team, user, role }, context());
      await running.caughtUp();
    },
    async invited(team, email, role, at = new Date()) {
      const invited = await inviteByMail(
        { ...system, outbox, issuer: () => origin },
        { team, email, role },
        { ...context(), at },
      );
      await running.caughtUp();
      return invited;
    },
    async site(options = {}) {
      const wish = { team: 'harbour', name: 'Harbour News', redirectUris: [redirectUri], ...options };
      const { clientId } = await registerClient(store, wish, context());
      await running.caughtUp();
      return clientId;
    },
    asked: (clientId, parameters = {}) =>
      `/oauth/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid profile email',
        state: 'a-state',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...parameters,
      }).toString()}`,
    async mails(to) {
      const all = await outbox.waiting();
      for (const { subject, text } of all) requirePlainWords(`${subject}\n${text}`, `The email ${subject}`);
      return to === undefined ? all : all.filter((mail) => mail.to === to);
    },
    async link(to) {
      const newest = (await dashboard.mails(to)).at(-1);
      const found = newest && /(https?:\/\/\S+[?]\S+)/.exec(newest.text)?.[1];
      if (!found) throw new Error(`There is no link for ${to}.`);
      const url = new URL(found);
      return url.pathname + url.search;
    },
    async events(kind) {
      const found: { type: string; data: Record<string, unknown> }[] = [];
      for (let after = beginning; ;) {
        const { events, position } = await store.readAll({ after, limit: 1_000 });
        for (const { stream, type, data } of events) {
          if (stream.startsWith(kind)) found.push({ type, data: data as Record<string, unknown> });
        }
        if (position === after) break;
        after = position;
      }
      return found;
    },
  };
  return dashboard;
}

export const verifier = 'a-code-verifier-that-is-long-enough-0123456789';
export const anAddress = (): string => `someone-${randomBytes(6).toString('hex')}@example.org`;

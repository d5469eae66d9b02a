import { createHash } from 'node:crypto';
import { registerClient } from '../src/commands/oauth/client.ts';
import { grantConsent } from '../src/commands/oauth/consent.ts';
import { registerPerson } from '../src/commands/accounts/person.ts';
import { issueCode } from '../src/commands/oauth/tokens.ts';
import { readConfig } from '../src/config.ts';
import { openSystem } from '../src/container.ts';
import { ensureCommons } from '../src/commands/teams/ensure-commons.ts';

export const redirectUri = 'https://site.example/callback';
export const verifier = 'a-code-verifier-that-is-long-enough-0123456789';

/** A site, and codes that it has not exchanged yet. */
export interface Site {
  readonly clientId: string;
  readonly codes: readonly string[];
}

const people = 100;
const scopes = ['openid', 'profile', 'email', 'offline_access'] as const;

/** A data folder with a site, people who let it sign them in, and so many codes; read models are the server's to build. */
export async function siteWithCodes(directory: string, count: number): Promise<Site> {
  const config = readConfig({ DATA_DIR: directory });
  const system = await openSystem(config);
  const { store, vault, personal, tokenKeys } = system;
  const context = () => ({
    actor: { kind: 'system', id: 'bench' } as const,
    commandId: crypto.randomUUID(),
    at: new Date(),
  });
  await ensureCommons(store, context());
  const site = { team: 'commons', name: 'Bench', redirectUris: [redirectUri], scopes };
  const { clientId: client } = await registerClient(store, site, context());
  const users: string[] = [];
  for (let n = 0; n < people; n++) {
    const profile = { name: 'Ada Lovelace', username: 'ada' };
    const { userId } = await registerPerson(
      { store, vault, personal },
      { email: `ada-${n}@example.org`, profile },
      context(),
    );
    await grantConsent(store, { user: userId, client }, scopes, context());
    users.push(userId);
  }
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  const parts = { store, personal, tokenKeys, lifetimes: config.lifetimes };
  const codes = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const request = { client, scopes, redirectUri, codeChallenge, nonce: 'n-0S6_WzA2Mj', amr: ['pwd'] };
      const authorized = { ...request, user: users[n % people] as string, authTime: 1_767_225_600 };
      return (await issueCode(parts, authorized, context())).code;
    }),
  );
  await system.close();
  return { clientId: client, codes };
}

import { randomBytes, randomUUID } from 'node:crypto';
import { registerClient } from '../../src/commands/oauth/client.ts';
import { grantConsent } from '../../src/commands/oauth/consent.ts';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { commons } from '../../src/events/teams.ts';
import { issueCode } from '../../src/commands/oauth/tokens.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import type { CommandContext } from '../../src/events/metadata.ts';
import { clients } from '../../src/projections/oauth-clients.ts';
import { people } from '../../src/projections/accounts-people.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { engineSettings } from './engine.ts';
import { challengeOf, redirectUri } from './sign-in.ts';

const context = (): CommandContext => ({
  actor: { kind: 'system', id: 'test' },
  commandId: randomUUID(),
  at: new Date(),
});

/** The first tokens of somebody who signs in to a site at a running server, which shares its data folder. */
export async function tokensFrom(origin: string, dataDir: string): Promise<SiteTokens> {
  const system = await openSystem(readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir) }));
  const { store, vault, personal, tokenKeys, documents, config } = system;
  try {
    const email = `ada-${randomUUID()}@example.org`;
    const { userId: user } = await registerPerson(
      { store, vault, personal },
      { email, profile: { name: 'Ada Lovelace' } },
      context(),
    );
    const wish = { team: commons.team, name: 'Harbour News', redirectUris: [redirectUri] };
    const { clientId: client } = await registerClient(store, wish, context());
    const scopes = ['openid', 'profile'] as const;
    await grantConsent(store, { user, client }, scopes, context());
    const codeVerifier = randomBytes(32).toString('base64url');
    const authTime = Math.floor(Date.now() / 1_000);
    const asked = { user, client, scopes, redirectUri, codeChallenge: challengeOf(codeVerifier) };
    const { code } = await issueCode(
      { store, personal, tokenKeys, lifetimes: config.lifetimes },
      { ...asked, authTime, amr: ['pwd'] },
      context(),
    );
    const shown = [people.collection.name, clients.collection.name];
    await visible(documents, shown, await store.head(), 20_000);
    const token = tokenEndpoint(origin, client);
    return await token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    });
  } finally {
    await system.close();
  }
}

export interface SiteTokens {
  readonly accessToken: string;
  readonly idToken: string;
  /** The same person's next tokens. */
  refresh(): Promise<SiteTokens>;
}

function tokenEndpoint(origin: string, client: string) {
  return async function token(fields: Readonly<Record<string, string>>): Promise<SiteTokens> {
    const answer = await fetch(`${origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, client_id: client }),
    });
    const body = (await answer.json()) as Readonly<Record<string, string>>;
    if (!answer.ok) throw new Error(`${answer.status} ${JSON.stringify(body)}`);
    const { access_token = '', id_token = '', refresh_token = '' } = body;
    return {
      accessToken: access_token,
      idToken: id_token,
      refresh: () => token({ grant_type: 'refresh_token', refresh_token }),
    };
  };
}

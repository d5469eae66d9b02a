import { createHash, webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { InMemory, onDisk } from './oidc-adapters.ts';

/**
 * oidc-provider set up to answer the same exchanges as we do: a public client, PKCE, rotating refresh tokens,
 * profile and email in the id_token, RS256. Arguments: how many codes, the file for them and the client, and the
 * database that it keeps everything in. Without one it forgets all when it ends.
 */
const count = Number(process.argv[2]);
const file = process.argv[3] ?? '';
const database = process.argv[4];
const redirectUri = 'https://site.example/callback';
const clientId = 'site_bench0000000000000';
const verifier = 'a-code-verifier-that-is-long-enough-0123456789';
const scope = 'openid profile email offline_access';

const pair = await webcrypto.subtle.generateKey(
  {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2_048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  true,
  ['sign', 'verify'],
);
const jwk = await webcrypto.subtle.exportKey('jwk', pair.privateKey);

const provider = new Provider('http://localhost', {
  adapter: database === undefined ? InMemory : onDisk(database),
  jwks: { keys: [{ ...jwk, use: 'sig', alg: 'RS256' }] },
  clients: [
    {
      client_id: clientId,
      token_endpoint_auth_method: 'none',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  cookies: { keys: ['unused here'] },
  claims: {
    openid: ['sub'],
    profile: ['name', 'preferred_username', 'updated_at'],
    email: ['email', 'email_verified'],
  },
  conformIdTokenClaims: false,
  rotateRefreshToken: true,
  features: { devInteractions: { enabled: false }, userinfo: { enabled: true } },
  ttl: { AccessToken: 3_600, AuthorizationCode: 3_600, IdToken: 3_600, RefreshToken: 86_400, Grant: 86_400 },
  async findAccount(_context: unknown, accountId: string) {
    return {
      accountId,
      claims: async () => ({
        sub: accountId,
        name: 'Ada Lovelace',
        preferred_username: 'ada',
        updated_at: 1_767_225_600,
        email: `${accountId}@example.org`,
        email_verified: false,
      }),
    };
  },
});

const client = await provider.Client.find(clientId);
if (!client) throw new Error('The client is not there.');
const codes: string[] = [];
for (let n = 0; n < count; n++) {
  const accountId = `person-${n % 100}`;
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const code = new provider.AuthorizationCode({
    accountId,
    client,
    grantId,
    gty: 'authorization_code',
    scope,
    redirectUri,
    codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
    codeChallengeMethod: 'S256',
    authTime: Math.floor(Date.now() / 1_000),
    nonce: 'n-0S6_WzA2Mj',
    amr: ['pwd'],
    acr: '1',
  });
  codes.push(await code.save());
}
writeFileSync(file, JSON.stringify({ clientId, codes }));
const server = provider.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
process.on('SIGTERM', () => process.exit());

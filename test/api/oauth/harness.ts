import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { registerClient, type NewClient } from '../../../src/commands/oauth/client.ts';
import { grantConsent } from '../../../src/commands/oauth/consent.ts';
import { registerPerson } from '../../../src/commands/accounts/person.ts';
import { startSession } from '../../../src/commands/accounts/session.ts';
import { tendSigningKeys } from '../../../src/commands/oauth/signing-keys.ts';
import type { SignInScope } from '../../../src/events/oauth/values.ts';
import type { ProfileFields } from '../../../src/events/accounts/user.ts';
import { context, startSystem, type RunningSystem, type ServerSettings } from '../harness.ts';

export const redirectUri = 'https://site.example/callback';
export const issuer = 'https://id.example';

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;
type Fields = Readonly<Record<string, string | undefined>>;

/** Somebody with an account, and their browser. */
export interface TestPerson {
  readonly user: string;
  readonly email: string;
  /** OwnershipFields in anew, as the sign-in page does. */
  signIn(amr?: readonly string[], at?: Date): Promise<TestBrowser>;
}

export interface TestBrowser {
  readonly sessionId: string;
  readonly authTime: number;
  /** The Cookie header. */
  readonly cookie: string;
}

export interface TokenBody {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** A running sign-in provider, and what sites, people and browsers do with it. */
export interface Provider extends RunningSystem {
  readonly clientId: string;
  readonly person: TestPerson;
  readonly browser: TestBrowser;
  client(options?: Partial<NewClient>): Promise<string>;
  newPerson(profile?: Partial<ProfileFields>): Promise<TestPerson>;
  consent(scopes: readonly SignInScope[], whose?: { user?: string; client?: string }): Promise<void>;
  /** A good authorization request, changed by `fields`; undefined takes a parameter away. */
  authorize(
    fields?: Fields,
    options?: { browser?: TestBrowser | null; headers?: InjectOptions['headers'] },
  ): Promise<Answer>;
  /** A code for a good request. */
  code(fields?: Fields, browser?: TestBrowser): Promise<string>;
  token(fields: Fields, headers?: InjectOptions['headers'], server?: FastifyInstance): Promise<Answer>;
  /** Exchanges a code in the right way. */
  exchange(code: string, fields?: Fields): Promise<Answer>;
  /** Tokens, all the way. */
  tokens(fields?: Fields, browser?: TestBrowser): Promise<TokenBody>;
  refresh(refreshToken: string, fields?: Fields): Promise<Answer>;
  userinfo(accessToken: string, headers?: InjectOptions['headers']): Promise<Answer>;
  post(path: string, fields: Fields, headers?: InjectOptions['headers']): Promise<Answer>;
}

/** RFC 7636 appendix B has one like it; any other does as well. */
export const verifier = 'a-code-verifier-that-is-long-enough-0123456789';
export const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

export async function startProvider(settings: ServerSettings = {}): Promise<Provider> {
  const running = await startSystem({
    ...settings,
    environment: { AUTH_URL: issuer, ...settings.environment },
  });
  const { system, server } = running;
  const caughtUp: RunningSystem['caughtUp'] = (position) => running.caughtUp(position);
  const { store, vault, personal } = system;
  await tendSigningKeys({ store, vault }, context());
  await running.team('harbour');

  const cookieName = settings.environment?.['AUTH_URL'] === undefined ? '__Host-commonweal' : 'commonweal';
  const newPerson = async (profile: Partial<ProfileFields> = {}): Promise<TestPerson> => {
    const email = `ada-${randomBytes(4).toString('hex')}@example.org`;
    const fields = { name: 'Ada Lovelace', username: 'ada', ...profile };
    const { userId, outcome } = await registerPerson(
      { store, vault, personal },
      { email, profile: fields },
      context(),
    );
    await caughtUp(outcome.position);
    return {
      user: userId,
      email,
      async signIn(amr = ['pwd'], at = new Date()) {
        const started = await startSession(store, { user: userId, amr }, randomBytes(32), {
          ...context(),
          at,
        });
        await caughtUp(started.outcome.position);
        const { sessionId, authTime, token } = started;
        return { sessionId, authTime, cookie: `other=1; ${cookieName}=${token}; more=2` };
      },
    };
  };
  const client = async (options: Partial<NewClient> = {}) => {
    const { clientId, outcome } = await registerClient(
      store,
      { team: 'harbour', name: 'Harbour News', redirectUris: [redirectUri], ...options },
      context(),
    );
    await caughtUp(outcome.position);
    return clientId;
  };
  const clientId = await client();
  const person = await newPerson();
  const browser = await person.signIn();

  const provider: Provider = {
    ...running,
    clientId,
    person,
    browser,
    client,
    newPerson,
    async consent(scopes, whose = {}) {
      await grantConsent(store, { user: person.user, client: clientId, ...whose }, scopes, context());
    },
    authorize(fields = {}, { browser: at = browser, headers = {} } = {}) {
      return server.inject({
        url: `/oauth/authorize?${formOf({ ...good(clientId), ...fields })}`,
        headers: { ...(at ? { cookie: at.cookie } : {}), ...headers },
      });
    },
    async code(fields = {}, at = browser) {
      const answer = await provider.authorize(fields, { browser: at });
      const code = landed(answer).get('code');
      if (!code) throw new Error(`There is no code: ${answer.statusCode} ${String(answer.headers.location)}`);
      return code;
    },
    token: (fields, headers = {}, at = server) => post(at, '/oauth/token', fields, headers),
    exchange: (code, fields = {}) =>
      provider.token({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: clientId,
        code_verifier: verifier,
        ...fields,
      }),
    async tokens(fields = {}, at = browser) {
      const answer = await provider.exchange(await provider.code(fields, at), {
        ...(fields['client_id'] === undefined ? {} : { client_id: fields['client_id'] }),
      });
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return answer.json<TokenBody>();
    },
    refresh: (refreshToken, fields = {}) =>
      provider.token({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        ...fields,
      }),
    userinfo: (accessToken, headers = {}) =>
      server.inject({
        url: '/oauth/userinfo',
        headers: { authorization: `Bearer ${accessToken}`, ...headers },
      }),
    post: (path, fields, headers = {}) => post(server, path, fields, headers),
  };
  await provider.consent(['openid', 'profile', 'email']);
  return provider;
}

const good = (clientId: string): Fields => ({
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid profile email',
  state: 'af0ifjsldkj',
  code_challenge: challengeOf(verifier),
  code_challenge_method: 'S256',
  nonce: 'n-0S6_WzA2Mj',
});

/** As a form or a query says it; undefined is left out. */
export function formOf(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  return form.toString();
}

export function post(
  server: FastifyInstance,
  url: string,
  fields: Fields | string,
  headers: InjectOptions['headers'] = {},
): Promise<Answer> {
  return server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: typeof fields === 'string' ? fields : formOf(fields),
  });
}

/** Where an answer sends the browser, by a redirect or by a page that moves on; undefined where it stays. */
export function onward({ statusCode, headers, body }: Answer): string | undefined {
  if (statusCode === 303) return String(headers.location);
  const [, refresh] = /<meta http-equiv="refresh" content="0; url=([^"]+)" \/>/.exec(body) ?? [];
  return refresh?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Where an answer sends the browser, and with what; only to the site itself. */
export function landed(answer: Answer, uri = redirectUri): URLSearchParams {
  const location = onward(answer);
  if (location?.startsWith(uri) !== true) {
    throw new Error(`${answer.statusCode} ${String(location)} ${answer.body}`);
  }
  return new URL(location).searchParams;
}

/** Where an answer sends the browser, of our own pages. */
export function pageOf(answer: Answer): { path: string; continuation: string } {
  const { pathname, searchParams, origin } = new URL(String(answer.headers.location), issuer);
  if (answer.statusCode !== 303 || origin !== issuer) throw new Error(`${answer.statusCode} ${answer.body}`);
  return { path: pathname, continuation: searchParams.get('continue') ?? '' };
}

/** What a JWT says; nothing of it is verified. */
export const claimsIn = (jwt: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

export { context };

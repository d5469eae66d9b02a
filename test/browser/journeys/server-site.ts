import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as openid from 'openid-client';

/**
 * A site that signs people in on its server, as docs/sign-in.md shows it with openid-client, so that its pages need no
 * script. Each view of its first page asks userinfo anew, and its link Renew uses the refresh token.
 */
export interface ServerSite {
  readonly origin: string;
  readonly redirectUri: string;
  /** Tells the site who it is, once it is registered. */
  configure(issuer: string, clientId: string): Promise<void>;
  stop(): Promise<void>;
}

interface Session {
  checks?: openid.AuthorizationCodeGrantChecks;
  sub?: string;
  accessToken?: string;
  refreshToken?: string;
}

export async function startServerSite(): Promise<ServerSite> {
  let config: openid.Configuration | undefined;
  const sessions = new Map<string, Session>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      show(response, `Refused: ${reasonOf(error)}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${origin}/callback`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (config === undefined) throw new Error('The site is not registered yet.');
    const url = new URL(request.url ?? '/', origin);
    const id = /(?:^|; )site=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const session = sessions.get(id) ?? {};
    switch (url.pathname) {
      case '/': {
        if (session.accessToken === undefined) {
          show(response, 'My site');
          return;
        }
        const person = await openid.fetchUserInfo(config, session.accessToken, session.sub ?? '');
        show(response, `Hello, ${String(person.name)}`);
        return;
      }
      case '/sign-in': {
        const pkceCodeVerifier = openid.randomPKCECodeVerifier();
        const checks = { pkceCodeVerifier, expectedState: openid.randomState(), idTokenExpected: true };
        const next = crypto.randomUUID();
        sessions.set(next, { checks });
        const to = openid.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
          code_challenge_method: 'S256',
          state: checks.expectedState,
        });
        const cookie = `site=${next}; Path=/; HttpOnly; SameSite=Lax`;
        response.writeHead(303, { location: to.href, 'set-cookie': cookie }).end();
        return;
      }
      case '/callback':
        keep(session, await openid.authorizationCodeGrant(config, url, session.checks));
        response.writeHead(303, { location: '/' }).end();
        return;
      case '/renew':
        keep(session, await openid.refreshTokenGrant(config, session.refreshToken ?? ''));
        {
          show(response, 'Renewed');
          return;
        }
      default:
        response.writeHead(404).end();
    }
  }

  return {
    origin,
    redirectUri,
    async configure(issuer, clientId) {
      config = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), {
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out; this is localhost
        execute: [openid.allowInsecureRequests],
      });
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function keep(session: Session, tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers) {
  session.sub ??= tokens.claims()?.sub ?? '';
  session.accessToken = tokens.access_token;
  session.refreshToken = tokens.refresh_token ?? '';
}

/** What our answer says: the error of RFC 6749 or RFC 6750. */
const reasonOf = (error: unknown): string => {
  if (error instanceof openid.WWWAuthenticateChallengeError)
    return String(error.cause[0]?.parameters.error ?? error.status);
  return error instanceof openid.ResponseBodyError ? error.error : String(error);
};

const show = (response: ServerResponse, heading: string): void => {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><title>My site</title><link rel="icon" href="data:,"><h1>${heading}</h1><a href="/sign-in">Sign in</a> <a href="/renew">Renew</a>`,
    );
};

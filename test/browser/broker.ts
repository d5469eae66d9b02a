import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A site that goes through a broker, as with Keycloak, Auth0 or Cognito: what is registered with us redirects at
 * once to an address of another site, and that is where people arrive.
 */
export interface BrokeredSite {
  /** At the broker, on `localhost`. */
  readonly redirectUri: string;
  readonly signedOutUri: string;
  /** At the other site, on `127.0.0.1`, which is same-site with nobody else here. */
  readonly origin: string;
  /** Shows a page of the other site, and answers its address. */
  show(html: string): string;
  stop(): Promise<void>;
}

export async function startBrokeredSite(): Promise<BrokeredSite> {
  let shown = '';
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', origin);
    if (pathname.startsWith('/broker/')) {
      response.writeHead(302, { location: `${origin}/${pathname.slice('/broker/'.length)}${search}` }).end();
      return;
    }
    const body = pathname === '/shown' ? shown : `<h1>Arrived: ${pathname}</h1>`;
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .end(`<!doctype html><title>A site</title><link rel="icon" href="data:,">${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    redirectUri: `http://localhost:${port}/broker/callback`,
    signedOutUri: `http://localhost:${port}/broker/signed-out`,
    origin,
    show(html) {
      shown = html;
      return `${origin}/shown`;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

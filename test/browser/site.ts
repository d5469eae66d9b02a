import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site on this machine to which people come back. */
export interface LocalSite {
  readonly redirectUri: string;
  stop(): Promise<void>;
}

export async function startSite(): Promise<LocalSite> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<title>The site</title><h1>Back at the site</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://localhost:${port}/callback`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

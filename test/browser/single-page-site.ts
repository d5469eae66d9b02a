import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A site that is nothing but a page: oidc-client-ts signs people in inside it, and the page holds the tokens. */
export interface SinglePageSite {
  readonly origin: string;
  stop(): Promise<void>;
}

/** What the page is told of us. */
export interface SinglePageSettings {
  readonly authority: string;
  readonly clientId: string;
}

/** `register`: makes it a client, now that it is known where people come back to (`/callback`, or `/` signed out). */
export async function startSinglePageSite(
  register: (origin: string) => Promise<SinglePageSettings>,
): Promise<SinglePageSite> {
  let settings: SinglePageSettings | undefined;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    const [type, body] =
      pathname === '/oidc-client-ts.js'
        ? ['text/javascript', library]
        : pathname === '/site.js'
          ? ['text/javascript', `const settings = ${JSON.stringify(settings)};\n${script}`]
          : ['text/html', page];
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  try {
    settings = await register(origin);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, stop };
}

const library = readFileSync(
  fileURLToPath(
    new URL('../../node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js', import.meta.url),
  ),
);

const page = `<!doctype html>
<html lang="en">
  <title>A single page</title>
  <link rel="icon" href="data:,">
  <h1></h1>
  <button id="redirect">Sign in with Commonweal</button>
  <button id="silently">Am I signed in?</button>
  <button id="popup">Sign in with a window</button>
  <button id="frame">Sign in with a frame</button>
  <button id="out">Sign out</button>
  <script src="/oidc-client-ts.js"></script>
  <script src="/site.js"></script>
</html>`;

const script = `
const manager = new oidc.UserManager({
  authority: settings.authority,
  client_id: settings.clientId,
  redirect_uri: location.origin + '/callback',
  popup_redirect_uri: location.origin + '/callback',
  silent_redirect_uri: location.origin + '/callback',
  post_logout_redirect_uri: location.origin + '/',
  scope: 'openid profile email',
  loadUserInfo: true,
});
const say = (text) => { document.querySelector('h1').textContent = text; };
const on = (id, action) => document.getElementById(id).addEventListener('click', action);
on('redirect', () => manager.signinRedirect());
on('silently', () => manager.signinRedirect({ prompt: 'none' }));
on('out', () => manager.signoutRedirect());
const greet = (user) => say('Hello, ' + user.profile.name);
const regret = (error) => say('Not signed in: ' + (error.error ?? error.message));
on('popup', () => manager.signinPopup().then(greet, regret));
on('frame', () => manager.signinSilent().then(greet, regret));
if (location.pathname === '/callback') {
  // In a window or a frame it hands over to the page that opened it.
  manager.signinCallback().then((user) => user && greet(user), regret);
} else say('Nobody is signed in here');
`;

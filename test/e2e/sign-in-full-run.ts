import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { runCommand } from '../support/serving.ts';

export const administrator = { email: 'head.gardener@office.example', password: 'fourteen odd parsnips' };

export const person = {
  name: 'Philomena Özdemir-Quist',
  username: 'quistling.58',
  phone: '+1 202 555 0143 78',
  picture: 'https://portraits.example/of-her.png',
  email: 'philomena.quist@mailbox.example',
  newEmail: 'quist.moved@elsewhere.example',
  password: 'eleven loud magpies arguing',
  secondPassword: 'twelve calm tortoises asleep',
  thirdPassword: 'thirteen brisk weasels racing',
  wrongPassword: 'fifteen jaded llamas guessing',
} as const;

const site = 'https://news.example';
const redirectUri = `${site}/callback`;

interface Place {
  readonly base: string;
  readonly dataDir: string;
  /** Is told of everything secret that the run comes by. */
  readonly keep: (what: string, value: string) => void;
}

/**
 * One person and two sites do all that there is to do at the sign-in provider, rightly and wrongly. Answers what
 * is no secret of theirs.
 */
export async function fullRun({ base, dataDir, keep }: Place): Promise<{ user: string; client: string }> {
  const news = await newClient('Harbour News', '--post-logout-uri', `${site}/bye`);
  const own = await newClient('Phone Book', '--first-party', '--scopes', 'openid,profile,email,phone');
  const office = new PlainBrowser(base);
  const hers = new PlainBrowser(base);
  await open(office, '/dash/sign-in');
  await press(office, 'Sign in', administrator);

  // She comes from a site, registers, confirms her address, and consents.
  const first = asking(news);
  await open(hers, first.path);
  await hers.follow('Create an account');
  await press(hers, 'Create account', pick('name', 'email', 'password'));
  await open(hers, await link(person.email));
  await press(hers, 'Confirm and sign in', { password: person.wrongPassword });
  await press(hers, 'Confirm and sign in', pick('password'));
  await press(hers, 'Allow');
  const code = codeAt(hers);
  const tokens = await redeemed(first, code);
  await expectStatus(200, userinfo({ authorization: `Bearer ${tokens.access_token}` }));
  await expectStatus(200, post('/oauth/userinfo', { access_token: tokens.access_token }));
  const renewed = await tokensOf(await refresh(news, tokens.refresh_token));

  // A profile with everything in it, for one of our own sites.
  await open(hers, '/dash/me/profile');
  await press(hers, 'Save', { phone: 'no number', username: '', picture: '' });
  await press(hers, 'Save', pick('name', 'username', 'phone', 'picture'));
  const second = asking(own, { scope: 'openid profile email phone', prompt: 'none' });
  await open(hers, second.path);
  const inOwn = await redeemed(second, codeAt(hers));
  const claims = await userinfo({ authorization: `Bearer ${inOwn.access_token}` });
  if (!(await claims.text()).includes(person.phone)) throw new Error('One of our own sites sees the phone.');

  // Wrong passwords, and right ones in the wrong field.
  const elsewhere = new PlainBrowser(base);
  await open(elsewhere, asking(news).path);
  for (const [email, password] of [
    [person.email, person.wrongPassword],
    ['nobody.at.all@mailbox.example', person.password],
    [person.password, person.email],
  ] as const) {
    await press(elsewhere, 'Sign in', { email, password });
  }
  await open(elsewhere, '/dash/register');
  await press(elsewhere, 'Create account', pick('name', 'email', 'password'));

  await rubbish(renewed);

  // A code that is shown with a wrong verifier, and one that is shown twice.
  const third = asking(news);
  await open(hers, third.path);
  const shown = codeAt(hers);
  await expectStatus(400, exchange({ ...third, verifier: first.verifier }, shown));
  const fourth = asking(news);
  await open(hers, fourth.path);
  const twice = codeAt(hers);
  const late = await redeemed(fourth, twice);
  await expectStatus(400, exchange(fourth, twice));

  // Everything is taken back.
  await expectStatus(200, post('/oauth/revoke', { token: renewed.refresh_token, client_id: news }));
  await expectStatus(401, userinfo({ authorization: `Bearer ${renewed.access_token}` }));
  await expectStatus(200, post('/oauth/revoke', { token: late.access_token, client_id: news }));
  await expectStatus(401, userinfo({ authorization: `Bearer ${late.access_token}` }));
  await open(hers, '/dash/me/apps');
  await press(hers, 'Revoke Phone Book');
  await expectStatus(401, userinfo({ authorization: `Bearer ${inOwn.access_token}` }));
  await expectStatus(400, refresh(own, inOwn.refresh_token));
  await press(hers, 'Revoke Harbour News');

  // Another address and other passwords.
  await open(hers, '/dash/me/email');
  await press(hers, 'Ask for the link', { email: person.newEmail, password: person.wrongPassword });
  await press(hers, 'Ask for the link', { email: person.newEmail, password: person.password });
  await open(hers, await link(person.newEmail));
  await press(hers, 'Use this address', pick('password'));
  await open(hers, '/dash/me/password');
  await press(hers, 'Save', { password: person.wrongPassword, new: person.secondPassword });
  await press(hers, 'Save', { password: person.password, new: person.secondPassword });
  await open(elsewhere, '/dash/reset');
  await press(elsewhere, 'Ask for the link', { email: person.newEmail });
  const reset = await link(person.newEmail);
  await open(elsewhere, reset);
  await press(elsewhere, 'Set the password', { password: person.thirdPassword });
  await open(elsewhere, reset);
  await open(hers, '/dash/sign-in');
  await press(hers, 'Sign in', { email: person.newEmail, password: person.secondPassword });
  await press(hers, 'Sign in', { email: person.newEmail, password: person.thirdPassword });
  await open(hers, '/dash/me/sessions');
  const leaving = formOf({
    id_token_hint: renewed.id_token,
    post_logout_redirect_uri: `${site}/bye`,
    state: fresh('a state at sign-out'),
  });
  await open(hers, `/oauth/logout?${leaving}`);
  if (hers.url.pathname !== '/bye') throw new Error(`Not signed out: ${hers.text}`);
  await open(office, '/dash/me');
  await press(office, 'Sign out');
  return { user: subjectOf(tokens.id_token), client: news };

  async function newClient(name: string, ...rest: readonly string[]): Promise<string> {
    const words = ['--team', 'commons', '--name', name, '--redirect-uri', redirectUri, ...rest];
    return ((await runCommand(dataDir, 'clients', 'create', ...words)) as { client: string }).client;
  }

  function fresh(what: string): string {
    const value = randomBytes(32).toString('base64url');
    keep(what, value);
    return value;
  }

  /** A request of a site for her. */
  function asking(client: string, rest: Readonly<Record<string, string>> = {}) {
    const verifier = fresh('a verifier');
    const query = formOf({
      client_id: client,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: fresh('a state'),
      nonce: fresh('a nonce'),
      login_hint: person.email,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...rest,
    });
    return { client, verifier, path: `/oauth/authorize?${query}` };
  }

  async function open(browser: PlainBrowser, path: string): Promise<void> {
    note(await browser.open(path));
  }

  async function press(
    browser: PlainBrowser,
    button: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    note(await browser.press(button, fields));
    if (browser.status >= 500) throw new Error(`${button}: ${browser.status}`);
  }

  /** What the browser has, and what the page that it shows hides. */
  function note(browser: PlainBrowser): void {
    // The cookie of the team that somebody looked at last is no secret and gives no right.
    for (const [name, value] of browser.cookies)
      if (!name.endsWith('commonweal-team')) keep(`the cookie ${name}`, secretOf(value));
    for (const [name, value] of browser.forms().flatMap(({ fields }) => fields)) {
      if (hiding.has(name) && value !== '') keep(`the field ${name}`, secretOf(value));
    }
  }

  /** The newest link to somebody, as the administrator reads it; as a path. */
  async function link(to: string): Promise<string> {
    await open(office, '/dash/outbox');
    // An address may break after its signs.
    const mail = office.html
      .replaceAll('<wbr />', '')
      .split('<li')
      .find((each) => each.includes(`<strong>${to}</strong>`) && each.includes('<a '));
    const href = /href="([^"]+[?][^"]+)"/.exec(mail ?? '')?.[1];
    if (href === undefined) throw new Error('The mail with the link is not in the outbox.');
    const url = new URL(href.replaceAll('&#38;', '&'));
    for (const value of url.searchParams.values()) keep('a link', secretOf(value));
    return url.pathname + url.search;
  }

  function codeAt({ url, text }: PlainBrowser): string {
    const value = url.searchParams.get('code');
    if (url.origin !== site || value === null)
      throw new Error(`There is no code at ${url.pathname}: ${text}`);
    keep('a code', secretOf(value));
    return value;
  }

  function exchange({ client, verifier }: ReturnType<typeof asking>, value: string): Promise<Response> {
    return post('/oauth/token', {
      grant_type: 'authorization_code',
      code: value,
      redirect_uri: redirectUri,
      client_id: client,
      code_verifier: verifier,
    });
  }

  async function redeemed(asked: ReturnType<typeof asking>, value: string): Promise<Tokens> {
    return tokensOf(await exchange(asked, value));
  }

  function refresh(client: string, token: string): Promise<Response> {
    return post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: client });
  }

  async function tokensOf(answer: Response): Promise<Tokens> {
    if (answer.status !== 200) throw new Error(await answer.text());
    const found = (await answer.json()) as Tokens;
    keep('an access token', secretOf(found.access_token));
    keep('a refresh token', secretOf(found.refresh_token));
    keep('the signature of an id_token', found.id_token.split('.')[2] ?? '');
    return found;
  }

  function post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return fetch(base + path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  function userinfo(headers: Readonly<Record<string, string>>): Promise<Response> {
    return fetch(`${base}/oauth/userinfo`, { headers });
  }

  /** Rubbish, and good tokens in places where they do not belong. */
  async function rubbish({ access_token, refresh_token, id_token }: Tokens): Promise<void> {
    const altered = access_token.slice(0, -1) + (access_token.endsWith('0') ? '1' : '0');
    keep('an altered token', secretOf(altered));
    for (const token of [altered, fresh('rubbish'), `sat_${fresh('rubbish')}`, id_token, refresh_token]) {
      await expectStatus(401, userinfo({ authorization: `Bearer ${token}` }));
      await expectStatus(400, refresh(own, token));
      await post('/oauth/revoke', { token, client_id: own });
    }
    const query = formOf({
      access_token,
      refresh_token,
      id_token_hint: id_token,
      code_verifier: first.verifier,
      code,
      continue: fresh('a rubbish continuation'),
      email: person.email,
      password: person.password,
    });
    for (const path of [
      '/oauth/token',
      '/oauth/userinfo',
      '/oauth/revoke',
      '/oauth/authorize',
      '/oauth/logout',
    ]) {
      await fetch(`${base}${path}?${query}`, { redirect: 'manual' });
    }
    for (const path of ['/dash/sign-in', '/dash/verify', '/dash/me', `/${access_token}`, '/']) {
      await fetch(`${base}${path}?${query}`, { redirect: 'manual' });
    }
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      const headers = { 'content-type': type };
      await fetch(`${base}/oauth/token`, { method: 'POST', body: query, headers });
      await fetch(`${base}/dash/sign-in`, { method: 'POST', body: query, headers });
    }
    await fetch(`${base}/oauth/token`, { method: 'POST', body: query + 'x'.repeat(2_000_000) }).catch(
      () => undefined,
    );
    // No HTTP at all.
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.end(
      `GET /oauth/userinfo?${query} HTTP/1.1\r\nauthorization: Bearer ${access_token}\r\nb a d\r\n\r\n`,
    );
    socket.resume();
    await once(socket, 'close');
  }
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** Fields of our forms that nobody else may know. */
const hiding: ReadonlySet<string> = new Set(['token', 'continue', 'link', 'confirm', 'challenge']);

/** Without the prefix that says what it is, and of a session’s cookie without what names the session. */
const secretOf = (value: string): string => value.replace(/^(sss_.{22}|(sac|sat|srt|lnk)_)/, '');

const pick = (...names: readonly (keyof typeof person)[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, person[name]]));

const formOf = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

const subjectOf = (idToken: string): string =>
  (JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub;

async function expectStatus(status: number, answering: Promise<Response>): Promise<void> {
  const answer = await answering;
  if (answer.status !== status) {
    throw new Error(`Expected ${status}, got ${answer.status} at ${new URL(answer.url).pathname}.`);
  }
}

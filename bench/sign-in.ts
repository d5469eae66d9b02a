import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { temporaryFolder } from '../test/support/folder.ts';
import { inWords, median, type Row } from './measure.ts';
import { startServer, type ServerProcess } from './process.ts';
import { redirectUri, siteWithCodes, verifier, type Site } from './sign-in-site.ts';

const connections = 16;
/** Exchanges, refreshes and looks at userinfo in a round. */
const aRound = 1_500;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Best for all who sign: more threads than cores only change places. */
const onePool = { UV_THREADPOOL_SIZE: '1' };

/** Where a server answers what is asked. */
interface Provider {
  readonly server: ServerProcess;
  readonly site: Site;
  readonly tokenPath: string;
  readonly userinfoPath: string;
}

/** Microseconds of a server's CPU for each request: of all its threads, and of its main thread. */
interface Cost {
  readonly cpu: number;
  readonly main: number;
}

interface Round {
  readonly exchange: Cost;
  readonly refresh: Cost;
  readonly userinfo: Cost;
}

/**
 * Signing in as a site's server does it, beside oidc-provider with everything in memory, a bare signature, and
 * bare Fastify. Ours has everything on disk before it answers.
 */
export async function signInRows(): Promise<Row[]> {
  const folder = temporaryFolder();
  const codes = aRound * (rounds + 1);
  const ours = await startOurs(join(folder.path, 'data'), codes);
  const theirs = await startTheirs(join(folder.path, 'codes.json'), codes);
  const bytes = join(folder.path, 'userinfo.json');
  writeFileSync(
    bytes,
    JSON.stringify({ sub: crypto.randomUUID(), name: 'Ada Lovelace', email: 'ada@example.org' }),
  );
  const bare = await startServer('./bare-fastify.ts', [bytes], {});
  const of = { ours: [] as Round[], theirs: [] as Round[], bare: [] as number[], signature: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    const signature = signatureCpu();
    const them = await roundOf(theirs, round + 1);
    const us = await roundOf(ours, round + 1);
    const paths = Array.from(
      { length: aRound },
      () => ({ method: 'GET', path: '/dash/api/v1/resources' }) as const,
    );
    const { cpu } = (await load(bare, paths)).cost;
    // The first round only warms up.
    if (round < 0) continue;
    of.signature.push(signature);
    of.theirs.push(them);
    of.ours.push(us);
    of.bare.push(cpu);
  }
  await Promise.all([ours.server, theirs.server, bare].map((server) => server.stop()));
  folder.remove();
  const cost = (of: readonly Round[], what: keyof Round, kind: keyof Cost) =>
    median(of.map((each) => each[what][kind]));
  const signature = median(of.signature);
  const beside = (what: keyof Round, name: string) => [
    row(`${name}: server CPU (µs) ÷ a jose signature`, signature, cost(of.ours, what, 'cpu'), '≤ 1.4'),
    row('the same of oidc-provider, in memory', signature, cost(of.theirs, what, 'cpu'), ''),
    row(
      `${name}: main thread (µs) ÷ oidc-provider`,
      cost(of.theirs, what, 'main'),
      cost(of.ours, what, 'main'),
      '≤ 90 µs',
    ),
  ];
  return [
    ...beside('exchange', 'code exchange'),
    ...beside('refresh', 'refresh'),
    row(
      'userinfo: server CPU (µs) ÷ bare Fastify',
      median(of.bare),
      cost(of.ours, 'userinfo', 'cpu'),
      '≤ 2.5',
    ),
    row('the same of oidc-provider, in memory', median(of.bare), cost(of.theirs, 'userinfo', 'cpu'), ''),
  ];
}

const row = (what: string, baseline: number, ours: number, aim: string): Row => ({
  what,
  baseline: inWords(baseline),
  ours: inWords(ours),
  ratio: ours / baseline,
  aim,
});

const signatureCpu = (): number =>
  Number(
    execFileSync(process.execPath, [new URL('./signatures.ts', import.meta.url).pathname, String(aRound)], {
      env: { ...process.env, ...onePool },
    }).toString(),
  );

async function startOurs(directory: string, codes: number): Promise<Provider> {
  const site = await siteWithCodes(directory, codes);
  const server = await startServer('../src/main.ts', ['serve', '--json'], {
    ...onePool,
    DATA_DIR: directory,
    PORT: '0',
  });
  return { server, site, tokenPath: '/oauth/token', userinfoPath: '/oauth/userinfo' };
}

async function startTheirs(file: string, codes: number): Promise<Provider> {
  const server = await startServer('./oidc-provider.ts', [String(codes), file], {
    ...onePool,
    NODE_ENV: 'production',
  });
  const site = JSON.parse(readFileSync(file, 'utf8')) as Site;
  return { server, site, tokenPath: '/token', userinfoPath: '/me' };
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Exchanges the codes of a round, then refreshes each token, then asks userinfo with each new one. */
async function roundOf({ server, site, tokenPath, userinfoPath }: Provider, round: number): Promise<Round> {
  const { clientId: client_id, codes } = site;
  const form = (fields: Record<string, string>): Asked => ({
    method: 'POST',
    path: tokenPath,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, client_id }).toString(),
  });
  const exchanged = await load(
    server,
    codes
      .slice(round * aRound, (round + 1) * aRound)
      .map((code) =>
        form({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }),
      ),
  );
  const refreshed = await load(
    server,
    exchanged.answers.map((answer) => {
      const { refresh_token } = JSON.parse(answer) as Tokens;
      return form({ grant_type: 'refresh_token', refresh_token });
    }),
  );
  const asked = refreshed.answers.map((answer): Asked => {
    const { access_token } = JSON.parse(answer) as Tokens;
    return { method: 'GET', path: userinfoPath, headers: { authorization: `Bearer ${access_token}` } };
  });
  const known = await load(server, asked);
  return { exchange: exchanged.cost, refresh: refreshed.cost, userinfo: known.cost };
}

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Asks all that, over a few connections; what projections do for it afterwards is paid for as well. */
async function load(
  server: ServerProcess,
  requests: readonly Asked[],
): Promise<{ answers: string[]; cost: Cost }> {
  const pool = new Pool(server.origin, { connections, pipelining: 1 });
  const answers: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < requests.length; at = next++) {
      const { statusCode, body } = await pool.request(requests[at] as Asked);
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${requests[at]?.path ?? ''} answered ${statusCode}: ${text}`);
      answers[at] = text;
    }
  };
  await idle(server);
  const before = { cpu: server.cpu(), main: server.mainThread() };
  await Promise.all(Array.from({ length: connections }, worker));
  await idle(server);
  const cost = {
    cpu: (server.cpu() - before.cpu) / requests.length,
    main: (server.mainThread() - before.main) / requests.length,
  };
  await pool.close();
  return { answers, cost };
}

/** Until the server does next to nothing: start-up and projections are over. */
async function idle(server: ServerProcess): Promise<void> {
  for (;;) {
    const before = server.cpu();
    await new Promise((resolve) => setTimeout(resolve, 250));
    if (server.cpu() - before <= 20_000) return;
  }
}

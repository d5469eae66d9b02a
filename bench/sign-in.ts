import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support/folder.ts';
import { eachOf, serveCheckout, type Checkout, type Each } from './checkouts.ts';
import { load, type Asked, type Cost } from './load.ts';
import { median, rounds, spreadOf, type Row } from './measure.ts';
import { startServer, untilReady, type ServerProcess } from './process.ts';
import { redirectUri, siteWithCodes, verifier, type Site } from './sign-in-site.ts';

/** Best for all who sign: more threads than cores only change places. */
const onePool = { UV_THREADPOOL_SIZE: '1' };

/** Where a server answers what is asked. */
interface Provider {
  readonly server: ServerProcess;
  readonly site: Site;
  readonly tokenPath: string;
  readonly userinfoPath: string;
}

interface Round {
  readonly exchange: Cost;
  readonly refresh: Cost;
  readonly userinfo: Cost;
}

/**
 * Signing in as a site's server does it, beside oidc-provider with everything in memory and with everything on the disk, a
 * bare signature, and bare Fastify. Ours has everything on disk before it answers, and what its projections do afterwards
 * is counted.
 */
export async function signInRows(
  measured: readonly Checkout[],
  /** Exchanges, refreshes and looks at userinfo in a round. */
  aRound = 1_500,
): Promise<Row[]> {
  const folder = temporaryFolder();
  const codes = aRound * (rounds + 1);
  const sites = await eachOf(measured, (checkout) =>
    startOurs(checkout, join(folder.path, checkout.name), codes),
  );
  const theirs = await startTheirs(join(folder.path, 'codes.json'), codes);
  const durable = await startTheirs(join(folder.path, 'durable.json'), codes, join(folder.path, 'theirs.db'));
  const bytes = join(folder.path, 'userinfo.json');
  writeFileSync(
    bytes,
    JSON.stringify({ sub: crypto.randomUUID(), name: 'Ada Lovelace', email: 'ada@example.org' }),
  );
  const bare = await startServer('./bare-fastify.ts', [bytes], {});
  const of = {
    theirs: [] as Round[],
    durable: [] as Round[],
    bare: [] as number[],
    signature: [] as number[],
  };
  const turns = await eachOf(measured, async () => [] as Round[]);
  const codesOf = ({ site }: Provider, round: number) =>
    site.codes.slice(round * aRound, (round + 1) * aRound);
  for (let round = -1; round < rounds; round++) {
    // The first round only warms up.
    const counts = round >= 0;
    const signature = signatureCpu(aRound);
    if (counts) of.signature.push(signature);
    const them = await roundOf(theirs, codesOf(theirs, round + 1));
    const themOnDisk = await roundOf(durable, codesOf(durable, round + 1));
    if (counts) {
      of.theirs.push(them);
      of.durable.push(themOnDisk);
    }
    for (const { name } of measured) {
      const us = await roundOf(sites[name] as Provider, codesOf(sites[name] as Provider, round + 1));
      if (counts) turns[name]?.push(us);
    }
    const paths = Array.from(
      { length: aRound },
      () => ({ method: 'GET', path: '/dash/api/v1/resources' }) as const,
    );
    const { cpu } = (await load(bare, paths, { withAftermath: true })).cost;
    if (counts) of.bare.push(cpu);
  }
  const servers = measured.map(({ name }) => (sites[name] as Provider).server);
  for (const server of [theirs.server, durable.server, bare, ...servers]) await server.stop();
  folder.remove();
  return rowsOf(turns, of);
}

function rowsOf(
  turns: Each<Round[]>,
  {
    theirs,
    durable,
    bare,
    signature,
  }: { theirs: Round[]; durable: Round[]; bare: number[]; signature: number[] },
): Row[] {
  const costs = (of: readonly Round[], what: keyof Round, kind: keyof Cost) =>
    of.map((each) => each[what][kind]);
  const row = (
    name: string,
    what: keyof Round,
    kind: keyof Cost,
    baseline: readonly number[],
    aim: string,
  ): Row => ({
    what: name,
    baseline: median(baseline),
    before: turns.before && median(costs(turns.before, what, kind)),
    ours: median(costs(turns.ours, what, kind)),
    spread: spreadOf(costs(turns.ours, what, kind), baseline),
    aim,
  });
  const beside = (what: 'exchange' | 'refresh', name: string): Row[] => [
    row(
      `${name}: server CPU (µs) ÷ oidc-provider, in memory`,
      what,
      'cpu',
      costs(theirs, what, 'cpu'),
      '≤ 1.2',
    ),
    row(
      `${name}: server CPU (µs) ÷ oidc-provider, on SQLite with FULL`,
      what,
      'cpu',
      costs(durable, what, 'cpu'),
      '≤ 1',
    ),
    row(
      `${name}: main thread (µs) ÷ oidc-provider, in memory`,
      what,
      'main',
      costs(theirs, what, 'main'),
      '≤ 1',
    ),
    row(`${name}: server CPU (µs) ÷ a jose signature`, what, 'cpu', signature, ''),
  ];
  return [
    ...beside('exchange', 'code exchange'),
    ...beside('refresh', 'refresh'),
    row('userinfo: server CPU (µs) ÷ bare Fastify', 'userinfo', 'cpu', bare, '≤ 2.5'),
    row(
      'userinfo: server CPU (µs) ÷ oidc-provider, in memory',
      'userinfo',
      'cpu',
      costs(theirs, 'userinfo', 'cpu'),
      '≤ 1',
    ),
  ];
}

const signatureCpu = (count: number): number =>
  Number(
    execFileSync(process.execPath, [new URL('./signatures.ts', import.meta.url).pathname, String(count)], {
      env: { ...process.env, ...onePool },
    }).toString(),
  );

async function startOurs(checkout: Checkout, directory: string, codes: number): Promise<Provider> {
  const site = await siteWithCodes(directory, codes);
  const server = await serveCheckout(checkout, { ...onePool, DATA_DIR: directory });
  await untilReady(server);
  return { server, site, tokenPath: '/oauth/token', userinfoPath: '/oauth/userinfo' };
}

async function startTheirs(file: string, codes: number, ...database: string[]): Promise<Provider> {
  const server = await startServer('./oidc-provider.ts', [String(codes), file, ...database], {
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

/** Exchanges these codes, then refreshes each token, then asks userinfo with each new one. */
async function roundOf(
  { server, site, tokenPath, userinfoPath }: Provider,
  codes: readonly string[],
): Promise<Round> {
  const { clientId: client_id } = site;
  const form = (fields: Record<string, string>): Asked => ({
    method: 'POST',
    path: tokenPath,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, client_id }).toString(),
  });
  const options = { keepAnswers: true, withAftermath: true } as const;
  const exchanged = await load(
    server,
    codes.map((code) =>
      form({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }),
    ),
    options,
  );
  const refreshed = await load(
    server,
    exchanged.answers.map((answer) => {
      const { refresh_token } = JSON.parse(answer) as Tokens;
      return form({ grant_type: 'refresh_token', refresh_token });
    }),
    options,
  );
  const asked = refreshed.answers.map((answer): Asked => {
    const { access_token } = JSON.parse(answer) as Tokens;
    return { method: 'GET', path: userinfoPath, headers: { authorization: `Bearer ${access_token}` } };
  });
  const known = await load(server, asked, options);
  return { exchange: exchanged.cost, refresh: refreshed.cost, userinfo: known.cost };
}

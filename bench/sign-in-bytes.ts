import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support/folder.ts';
import { eachOf, serveCheckout, type Checkout } from './checkouts.ts';
import { load } from './load.ts';
import type { Row } from './measure.ts';
import { untilIdle, untilReady, type ServerProcess } from './process.ts';
import { redirectUri, siteWithCodes, verifier } from './sign-in-site.ts';

/** Codes that are issued, exchanged and refreshed once. */
const count = 2_000;

/** What one of them leaves on the disk for ever, in bytes. */
interface Left {
  readonly log: number;
  /** With read models, their indexes and the proof log. */
  readonly all: number;
}

const steps = ['code', 'exchange', 'refresh'] as const;
type Bytes = Readonly<Record<(typeof steps)[number], Left>>;

/** How much a person has stored by signing in at a site: why codes and refreshes have a limit. */
export async function signInBytesRows(measured: readonly Checkout[]): Promise<Row[]> {
  const folder = temporaryFolder();
  const bytes = await eachOf(measured, (checkout) => bytesOf(checkout, join(folder.path, checkout.name)));
  folder.remove();
  return steps.flatMap((step) => [
    {
      what: `${step}: bytes in the log`,
      before: bytes.before?.[step].log,
      ours: bytes.ours[step].log,
      aim: '',
    },
    {
      what: `${step}: bytes in all files`,
      before: bytes.before?.[step].all,
      ours: bytes.ours[step].all,
      aim: '≤ 2,500',
    },
  ]);
}

async function bytesOf(checkout: Checkout, directory: string): Promise<Bytes> {
  const [empty, full] = [join(directory, 'empty'), join(directory, 'full')];
  await siteWithCodes(empty, 0);
  const { clientId: client_id, codes } = await siteWithCodes(full, count);
  const sizes = [await served(checkout, empty), await served(checkout, full)];
  const post = async (server: ServerProcess, each: readonly Readonly<Record<string, string>>[]) => {
    const { answers } = await load(
      server,
      each.map((fields) => ({
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...fields, client_id }).toString(),
      })),
      { keepAnswers: true },
    );
    return answers.map((answer) => (JSON.parse(answer) as { refresh_token: string }).refresh_token);
  };
  let tokens: string[] = [];
  const exchanging = async (server: ServerProcess) => {
    const fields = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier };
    tokens = await post(
      server,
      codes.map((code) => ({ ...fields, code })),
    );
  };
  const refreshing = async (server: ServerProcess) => {
    await post(
      server,
      tokens.map((refresh_token) => ({ grant_type: 'refresh_token', refresh_token })),
    );
  };
  for (const step of [exchanging, refreshing]) sizes.push(await served(checkout, full, step));
  const left = steps.map((step, at) => {
    const [before, after] = [sizes[at], sizes[at + 1]] as [Left, Left];
    return [step, { log: (after.log - before.log) / count, all: (after.all - before.all) / count }] as const;
  });
  return Object.fromEntries(left) as Bytes;
}

/** The sizes once a server has done some work, has shown and signed all of it, and has stopped. */
async function served(
  checkout: Checkout,
  directory: string,
  work: (server: ServerProcess) => Promise<void> = () => Promise.resolve(),
): Promise<Left> {
  const server = await serveCheckout(checkout, { DATA_DIR: directory });
  await untilReady(server);
  await work(server);
  await untilIdle(server);
  await server.stop();
  const sizes = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, statSync(join(directory, name)).size] as const);
  const total = (of: typeof sizes) => of.reduce((sum, [, size]) => sum + size, 0);
  return { log: total(sizes.filter(([name]) => name.startsWith('events.db'))), all: total(sizes) };
}

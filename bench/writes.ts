import { join } from 'node:path';
import { temporaryFolder } from '../test/support/folder.ts';
import { eachOf, serveCheckout, type Checkout } from './checkouts.ts';
import { seedDirectory, type Directory } from './list-site.ts';
import { load, type Asked, type Cost } from './load.ts';
import { median, type Row } from './measure.ts';
import { untilIdle, untilReady, type ServerProcess } from './process.ts';
import { submissionOf } from './seed.ts';
import { redirectUri, siteWithCodes, verifier } from './sign-in-site.ts';

const rounds = 3;
/** Resources submitted in a round. */
const aRound = 500;
/** A mixed round: as many of each of the four kinds of event, one a turn. */
const mixed = { ofEachKind: 100, everyMs: 20 };

/** CPU of worker threads for each event, in microseconds. */
interface Threads {
  readonly projector: number;
  readonly dispatcher: number;
}

interface Site {
  readonly server: ServerProcess;
  readonly directory: Directory;
  readonly clientId: string;
  readonly codes: string[];
  readonly waiting: string[];
}

/**
 * What writing costs a whole server, answered when the read models show it; and what projecting and dispatching
 * cost for each event, when a hundred a second of four kinds are written by requests: submitted and approved
 * resources, exchanged codes and refreshed tokens. No webhook is subscribed.
 */
export async function writeRows(measured: readonly Checkout[]): Promise<Row[]> {
  const folder = temporaryFolder();
  const sites = await eachOf(measured, (checkout) => startSite(checkout, join(folder.path, checkout.name)));
  const submitted = await eachOf(measured, async () => [] as Cost[]);
  const threads = await eachOf(measured, async () => [] as Threads[]);
  const idle = await eachOf(measured, async () => [] as Threads[]);
  for (let round = -1; round < rounds; round++) {
    for (const { name } of measured) {
      const site = sites[name] as Site;
      const cost = await submitMany(site);
      const ofThreads = await writeMixed(site);
      const ofIdle = await restMixed(site);
      // The first round only warms up.
      if (round < 0) continue;
      submitted[name]?.push(cost);
      threads[name]?.push(ofThreads);
      idle[name]?.push(ofIdle);
    }
  }
  for (const { name } of measured) await (sites[name] as Site).server.stop();
  folder.remove();
  const row = <Value>(
    what: string,
    of: { readonly ours: readonly Value[]; readonly before?: readonly Value[] },
    value: (each: Value) => number,
    aim: string,
  ): Row => ({
    what,
    before: of.before && median(of.before.map(value)),
    ours: median(of.ours.map(value)),
    aim,
  });
  return [
    row('submitted resource: server CPU (µs)', submitted, ({ cpu }) => cpu, ''),
    row('submitted resource: main thread (µs)', submitted, ({ main }) => main, ''),
    row('projector thread, all projections: CPU an event (µs)', threads, (of) => of.projector, '¼ of before'),
    row('dispatcher thread, no subscription: CPU an event (µs)', threads, (of) => of.dispatcher, ''),
    row('projector thread, nothing to do in the time of an event (µs)', idle, (of) => of.projector, ''),
    row('dispatcher thread, nothing to do in the time of an event (µs)', idle, (of) => of.dispatcher, ''),
  ];
}

async function startSite(checkout: Checkout, directory: string): Promise<Site> {
  const count = mixed.ofEachKind * (rounds + 1);
  const { clientId, codes } = await siteWithCodes(directory, count);
  const seeded = await seedDirectory({ DATA_DIR: directory }, { listed: 1_000, submitted: count });
  const server = await serveCheckout(checkout, {
    DATA_DIR: directory,
    RATE_LIMIT_PER_MINUTE: '100000000',
  });
  await untilReady(server);
  await untilIdle(server);
  return { server, directory: seeded, clientId, codes: [...codes], waiting: [...seeded.submitted] };
}

let made = 1_000_000;
const submission = (key: string): Asked => ({
  method: 'POST',
  path: '/dash/api/v1/resources',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify(submissionOf(++made)),
});

async function submitMany({ server, directory }: Site): Promise<Cost> {
  const asked = Array.from({ length: aRound }, () => submission(directory.reader));
  return (await load(server, asked, { withAftermath: true })).cost;
}

/** Four kinds of events at a steady pace, far below the point where commits come in a rush. */
async function writeMixed({ server, directory, clientId, codes, waiting }: Site): Promise<Threads> {
  const form = (fields: Record<string, string>): Asked => ({
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, client_id: clientId }).toString(),
  });
  const tokens: string[] = [];
  const exchange = async () => {
    const code = codes.pop() ?? '';
    const grant = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    const answer = JSON.parse(await ask(server, form(grant))) as { refresh_token: string };
    tokens.push(answer.refresh_token);
  };
  const refresh = () => ask(server, form({ grant_type: 'refresh_token', refresh_token: tokens.pop() ?? '' }));
  const submit = () => ask(server, submission(directory.reader));
  const approve = () =>
    ask(server, {
      method: 'POST',
      path: `/dash/api/v1/resources/${waiting.pop() ?? ''}/approve`,
      headers: { authorization: `Bearer ${directory.reviewer}` },
    });
  await untilIdle(server);
  const before = threadsOf(server);
  const under: Promise<unknown>[] = [];
  const work = [exchange, submit, refresh, approve];
  for (let n = 0; n < mixed.ofEachKind * work.length; n++) {
    const next = new Promise((resolve) => setTimeout(resolve, mixed.everyMs));
    // The refresh of a turn uses the token of its exchange.
    if (n % work.length === 2) await under.at(-2);
    under.push((work[n % work.length] as () => Promise<unknown>)());
    await next;
  }
  await Promise.all(under);
  await untilIdle(server);
  return since(before, threadsOf(server), mixed.ofEachKind * work.length);
}

/** The same time without a request; the threads look for others' commits all the while. */
async function restMixed({ server }: Site): Promise<Threads> {
  const before = threadsOf(server);
  const events = mixed.ofEachKind * 4;
  await new Promise((resolve) => setTimeout(resolve, events * mixed.everyMs));
  return since(before, threadsOf(server), events);
}

const threadsOf = (server: ServerProcess): Threads => ({
  projector: server.thread('projector'),
  dispatcher: server.thread('dispatcher'),
});

const since = (before: Threads, after: Threads, events: number): Threads => ({
  projector: (after.projector - before.projector) / events,
  dispatcher: (after.dispatcher - before.dispatcher) / events,
});

async function ask({ origin }: ServerProcess, { path, ...init }: Asked): Promise<string> {
  const response = await fetch(origin + path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

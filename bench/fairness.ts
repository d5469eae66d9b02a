import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandTeam } from '../src/commands/teams/team.ts';
import { createSubscription } from '../src/commands/webhooks/subscription.ts';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import { newSigningSecret } from '../src/dispatch/signature.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import { subscriptions } from '../src/projections/webhooks/subscriptions.ts';
import { startThread } from '../src/runtime/threads/thread.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { approve, context, waysOf } from './fan-out.ts';
import { median, percentile, type Row } from './measure.ts';

const many = 1_000;
const dead = 100;
const slow = 100;
/** Of the team with dead and slow receivers. */
const events = 5;
const quietMs = 4_000;

/**
 * The way of one team's events to its receiver, before and while another team has events for a thousand receivers and a
 * third has a hundred dead and a hundred slow ones.
 */
export async function fairnessRows(): Promise<Row[]> {
  // One event, and 20,000 deliveries that are due at once.
  return [...(await rowsOf(1)), ...(await rowsOf(20))];
}

async function rowsOf(eventsOfMany: number): Promise<Row[]> {
  const receiver = spawn(process.execPath, [new URL('./receiver.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(receiver.stdout, 'data')) as [Buffer];
  const origin = `http://127.0.0.1:${line.toString().trim()}`;
  const folder = temporaryFolder();
  const config = readConfig({ DATA_DIR: folder.path, ALLOW_PRIVATE_WEBHOOKS: 'true' });
  const system = await openSystem(config);
  const threads = ['projector', 'dispatcher'].map((name) =>
    startThread(name as 'projector', { config, writer: system.shareWriter() }, console.error),
  );
  try {
    await subscribe(system, 'many', Array<string>(many).fill(`${origin}/`));
    const nobody = `http://127.0.0.1:${await deadPort()}/`;
    await subscribe(system, 'failing', [
      ...Array<string>(dead).fill(nobody),
      ...Array<string>(slow).fill(`${origin}/slow`),
    ]);
    await subscribe(system, 'other', [`${origin}/`]);
    await visible(system.documents, [subscriptions.collection.name], await system.store.head(), 60_000);

    const before = await waysOf(system, async () => sleep(quietMs));
    const meanwhile = await waysOf(system, async () => {
      for (let n = 0; n < events; n++) await approve(system, 'failing');
      for (let n = 0; n < eventsOfMany; n++) await approve(system, 'many');
      await sleep(quietMs);
    });
    const row = (what: string, of: (values: readonly number[]) => number, aim: string): Row => ({
      what: `a team beside ${many} receivers of ${eventsOfMany} events, ${dead} dead and ${slow} slow ones: ${what}, ms, ÷ alone`,
      baseline: of(before),
      ours: of(meanwhile),
      aim,
    });
    return [row('p50', median, '+ ≤ 50 ms'), row('p99', (values) => percentile(values, 0.99), '+ ≤ 250 ms')];
  } finally {
    for (const thread of threads.reverse()) await thread.stop();
    await system.close();
    receiver.kill();
    await once(receiver, 'exit');
    folder.remove();
  }
}

async function subscribe(system: System, team: string, urls: readonly string[]): Promise<void> {
  await commandTeam(system.store, { kind: 'create', team, name: team }, context());
  await Promise.all(
    urls.map((url) =>
      createSubscription(
        system,
        { team, url, events: ['resource.approved'] },
        newSigningSecret(randomBytes),
        context(),
      ),
    ),
  );
}

/** A port on which nobody listens. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

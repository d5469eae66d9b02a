import { randomUUID } from 'node:crypto';
import { describe, expect, test, type TestContext } from 'vitest';
import { Installation } from '../../src/commands/installation.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { OwnEvents } from '../../src/stores/event-store/own-events.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { start, type Running } from '../faults/processes.ts';
import {
  readOnlyFolder,
  smallDisk,
  withoutReadOnlyFolder,
  withoutSmallDisk,
} from '../stores/fixtures/small-disk.ts';
import { aCommand } from '../support/context.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

interface Health {
  readonly status: number;
  readonly said: string;
}

interface Node {
  readonly running: Running;
  readonly origin: string;
  readyz(): Promise<Health>;
  /** What standard error says of health since the node was ready, line by line. */
  told(): string[];
}

/** Read models stand still for a while on a machine that is slow enough. Then it is said too, and is true. */
const slowness = /^health: (Over: )?Read models stand still/;

type Finishing = Pick<TestContext, 'onTestFinished'>;

async function aNode(
  { onTestFinished }: Finishing,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Node> {
  const running = start('src/main.js', ['serve', '--json'], dataDir, { LOG_LEVEL: 'silent', ...settings });
  onTestFinished(async () => {
    await running.kill();
  });
  const line = await until(() => running.written().includes('\n') && running.written().split('\n')[0]);
  const { listening: origin } = JSON.parse(line) as { listening: string };
  const readyz = async () => {
    const answer = await fetch(`${origin}/readyz`);
    return { status: answer.status, said: await answer.text() };
  };
  await until(async () => (await readyz()).status === 200);
  const said = () =>
    running
      .complaints()
      .split('\n')
      .filter((each) => each.startsWith('health: '));
  const beginnings = () => said().filter((each) => !each.startsWith('health: Over: '));
  await until(() => said().length === 2 * beginnings().length);
  const before = said().length;
  return { running, origin, readyz, told: () => said().slice(before) };
}

function aFolder({ onTestFinished }: Finishing): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** Looks until the node answers with this status and says this. */
const says = (node: Node, status: number, what: RegExp): Promise<Health> =>
  until(async () => {
    const health = await node.readyz();
    return health.status === status && what.test(health.said) && health;
  });

/** Appends as a node of the installation does, but without the check of what other nodes can read. */
async function append(dataDir: string, work: (store: EventStore) => Promise<unknown>): Promise<void> {
  const log = new EmbeddedEventStore({ directory: dataDir });
  const named = new Installation(log, () => {
    throw new Error('The log has its id already.');
  });
  await named.id();
  await work(new OwnEvents(log, named));
  await log.close();
}

const event = (type: string, schema: number) => ({
  id: randomUUID(),
  type,
  data: {},
  metadata: { commonweal_schema: schema },
});

const wellAgain = /^\{"status":"ready"\}$/;

/** At once, as each waits for many seconds that something stands still. */
describe.skipIf(!isEmbedded).concurrent('readiness', { timeout: 180_000 }, () => {
  test('names an event that this release does not know, and is kept where no change waits for it', async (context) => {
    const dataDir = aFolder(context);
    const node = await aNode(context, dataDir);
    await append(dataDir, (store) =>
      store.append('resource-r_0123456789abcdef', [event('ThingHappened', 1)], 'no_stream'),
    );
    const sentence = /The log has held events ThingHappened since [^ ]+, and this release does not know them/;
    await says(node, 200, sentence);
    const told = () => node.told().filter((each) => !slowness.test(each));
    await until(() => told().length > 0);
    expect(told()).toEqual([expect.stringMatching(sentence)]);
  });

  test('is lost where changes wait for the read model that stands still', async (context) => {
    const dataDir = aFolder(context);
    const node = await aNode(context, dataDir);
    await append(dataDir, (store) => store.append('team-newer', [event('TeamCreated', 99)], 'no_stream'));
    const { said } = await says(
      node,
      503,
      /teams(-v\d+)? has stood still .*does not know the event TeamCreated/,
    );
    expect(said).not.toContain('team-newer');
  });

  test('is lost while the holder of the leases stands still, and comes back with it', async (context) => {
    const dataDir = aFolder(context);
    const holder = await aNode(context, dataDir);
    const other = await aNode(context, dataDir, { ROLES: 'api' });
    holder.running.signal('SIGSTOP');
    context.onTestFinished(() => holder.running.signal('SIGCONT'));
    await append(dataDir, (store) =>
      commandTeam(store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand({ at: new Date() })),
    );
    await says(other, 503, /Read models stand still[^"]*teams/);
    await until(() => other.told().length === 1);
    holder.running.signal('SIGCONT');
    await says(other, 200, wellAgain);
    await until(() => other.told().length === 2);
    expect(other.told()).toEqual([
      expect.stringMatching(/^health: Read models stand still/),
      expect.stringMatching(/^health: Over: Read models stand still/),
    ]);
  });

  test.skipIf(withoutReadOnlyFolder)(
    'is kept where the daily backup fails, which is said once, under the name of its job',
    async (context) => {
      const readOnly = await readOnlyFolder(() => Promise.resolve());
      context.onTestFinished(() => readOnly.remove());
      const node = await aNode(context, aFolder(context), { BACKUP_DIR: readOnly.path });
      const failures = () =>
        node.running
          .complaints()
          .split('\n')
          .filter((line) => line.startsWith('backup: '));
      await until(() => failures().length > 0);
      expect(failures()).toEqual([expect.stringMatching(/^backup: \S+ cannot be made: (EROFS|EACCES)/)]);
      expect((await node.readyz()).status).toBe(200);
    },
  );

  test.skipIf(withoutSmallDisk)(
    'is lost on a full disk, said once, and comes back with room',
    async (context) => {
      const disk = smallDisk('16m');
      context.onTestFinished(() => disk.remove());
      const node = await aNode(context, disk.path);
      disk.fill();
      const { said } = await says(node, 503, /There is no room left in the data folder/);
      expect(said).not.toContain(disk.path);
      const told = () => node.told().filter((each) => !slowness.test(each));
      await until(() => told().length === 1);
      expect((await fetch(`${node.origin}/healthz`)).status).toBe(200);
      disk.free();
      await says(node, 200, wellAgain);
      await until(() => told().length === 2);
      expect(told()).toEqual([
        expect.stringMatching(/^health: There is no room left/),
        expect.stringMatching(/^health: Over: There is no room left/),
      ]);
      expect(await node.running.stop()).toMatchObject({ code: 0 });
    },
  );
});

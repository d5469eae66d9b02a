import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streamId } from '../../src/events/define.ts';
import { deliveryStream } from '../../src/events/webhooks/webhook.ts';
import { isEmbedded } from '../support/engine.ts';
import { eventStoreCommand, eventStoreIn } from '../support/event-store-server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { OperatedInstallation, startHook, type Hook } from '../support/installation.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(join(root, 'docs/backup.md'), 'utf8');

/** The commands of the document that stand in a code block under a heading, after some words of it. */
function commandsOf(heading: string, after: string): string {
  const section = guide.split(/^(?=#{2,3} )/m).find((each) => each.startsWith(`${heading}\n`));
  const behind = section?.split(after)[1];
  const [, block] = /```sh\n(.*?)```/s.exec(behind ?? '') ?? [];
  if (block === undefined)
    throw new Error(`docs/backup.md has no commands under "${heading}" after "${after}".`);
  return block;
}

/** Runs commands of the document as they stand there. */
const perform = (commands: string, cwd: string) =>
  execFileSync('sh', ['-e', '-c', commands], { cwd, stdio: 'pipe' });

let folder: ReturnType<typeof temporaryFolder>;
let hook: Hook;

beforeEach(async () => {
  folder = temporaryFolder();
  hook = await startHook();
});
afterEach(async () => {
  await hook[Symbol.asyncDispose]();
  folder.remove();
});

/** What the receiver knows of each delivery, by id. */
const acknowledged = () =>
  new Map([...hook.acknowledged].map(([id, { name, times }]) => [id, { name, times }]));
const named = (name: string) => [...acknowledged()].find(([, each]) => each.name === name);

interface Story {
  readonly installation: OperatedInstallation;
  readonly serve: () => Promise<{ stop(): Promise<unknown> }>;
  readonly backUp: () => Promise<void>;
  /** Puts the backup back and nothing else, as somebody does who has not read the document. */
  readonly putBackOnly: () => Promise<void>;
  /** What the document says. */
  readonly restore: () => Promise<void>;
}

/**
 * Deliveries that are acknowledged before the backup, some that are then not, and changes after it that carry
 * read models and consumer groups on. An attempt whose outcome the dispatcher did not learn is made again, by its
 * own account in the log; nothing else is sent twice before the restore.
 */
async function restoreStory({ installation, serve, backUp, putBackOnly, restore }: Story): Promise<void> {
  const before = ['Pantry', 'Kitchen', 'Clinic'];
  const pending = ['Shelter', 'Library', 'Garden'];
  await installation.subscribe('harbour', hook.url);
  let serving = await serve();
  await installation.approve('harbour', ...before);
  await until(() => hook.acknowledged.size === before.length);
  await delivered(installation, before.length);
  hook.refuse(true);
  const late = await installation.submit('harbour', 'Late');
  await installation.approve('harbour', ...pending);
  await until(() => hook.refused() >= pending.length);
  await backUp();
  hook.refuse(false);
  await until(() => hook.acknowledged.size === before.length + pending.length);
  await installation.answerTo('resources', 'approve', ...late);
  await installation.approve('harbour', 'Lost with the newer log');
  await until(() => hook.acknowledged.size === before.length + pending.length + 2);
  await delivered(installation, hook.acknowledged.size);
  await serving.stop();
  const earlier = acknowledged();
  const repeatable = await attemptsWithoutOutcome(installation);
  for (const [id, { name, times }] of earlier)
    expect(times, name).toBeLessThanOrEqual(1 + (repeatable.get(id) ?? 0));

  await putBackOnly();
  const refused = await installation.run('serve');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /(are ahead of the log|know events that the log does not have).*docs\/backup\.md, "Restore"/,
  );

  await restore();
  serving = await serve();
  const timesBefore = (id: string) => earlier.get(id)?.times ?? 0;
  const isRepeated = ([id, { times }]: NonNullable<ReturnType<typeof named>>) => times > timesBefore(id);
  await until(() => pending.map(named).every((each) => each && isRepeated(each)));
  // What was approved after the backup is to be approved again, and that is a new event.
  await installation.answerTo('resources', 'approve', ...late);
  await installation.approve('harbour', 'Afterwards');
  await until(() => named('Afterwards'));
  await until(() => hook.acknowledged.size === earlier.size + 2);
  await delivered(installation, before.length + pending.length + 2);
  await serving.stop();
  const repeatableNow = await attemptsWithoutOutcome(installation);
  for (const [id, { name, times }] of acknowledged()) {
    const again = times - timesBefore(id);
    if (before.includes(name)) expect({ name, again }).toEqual({ name, again: 0 });
    if (pending.includes(name)) {
      expect({ name, known: earlier.has(id) }).toEqual({ name, known: true });
      expect(again, name).toBeLessThanOrEqual(1 + (repeatableNow.get(id) ?? 0));
    }
  }
}

/** By delivery, the attempts of the log that a receiver may have acknowledged though no answer was recorded. */
async function attemptsWithoutOutcome(installation: OperatedInstallation): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const event of await installation.events()) {
    if (event.type !== 'DeliveryAttemptFailed' || 'status' in event.data) continue;
    const id = streamId(event, deliveryStream);
    found.set(id, (found.get(id) ?? 0) + 1);
  }
  return found;
}

/** Nothing is under way any more, and so many deliveries have succeeded by the log. */
async function delivered(installation: OperatedInstallation, count: number): Promise<void> {
  await until(async () => {
    const types = (await installation.events()).map(({ type }) => type);
    return types.filter((type) => type === 'DeliverySucceeded').length >= count;
  });
}

describe.skipIf(!isEmbedded)('a restore of the embedded stores', { timeout: 300_000 }, () => {
  const data = () => join(folder.path, 'data');

  it('repeats under the same ids what came after the backup, and nothing that came before', async () => {
    const installation = new OperatedInstallation(data());
    await restoreStory({
      installation,
      serve: () => installation.serve(),
      backUp: async () => {
        await installation.answerTo('backup', join(folder.path, 'backup'));
      },
      putBackOnly: async () => {
        for (const suffix of ['-wal', '-shm']) rmSync(join(data(), `events.db${suffix}`), { force: true });
        copyFileSync(join(folder.path, 'backup/events.db'), join(data(), 'events.db'));
      },
      restore: async () => {
        await installation.answerTo('restore', join(folder.path, 'backup'), '--replace');
      },
    });
    // The vault, too, comes back where it is lost.
    rmSync(join(data(), 'vault.db'));
    await installation.answerTo('restore', join(folder.path, 'backup'), '--replace');
    const serving = await installation.serve();
    await installation.approve('harbour', 'With the older vault');
    await until(() => named('With the older vault'));
    await serving.stop();
  });
});

const { MONGODB_URL } = process.env;
const serversReason =
  eventStoreCommand === ''
    ? 'EVENTSTORE_COMMAND is not set'
    : MONGODB_URL === undefined
      ? 'MONGODB_URL is not set'
      : undefined;

describe.skipIf(serversReason)(
  `a restore of EventStoreDB and MongoDB, by the words of the document${serversReason === undefined ? '' : ` (skipped: ${serversReason})`}`,
  { timeout: 300_000 },
  () => {
    it('repeats under the same ids what came after the backup, and nothing that came before', async () => {
      const node = join(folder.path, 'node');
      const tar = join(folder.path, 'eventstore.tar');
      const server = await eventStoreIn(node);
      const url = new URL(MONGODB_URL ?? '');
      url.pathname = `/t${randomBytes(8).toString('hex')}`;
      const client = new MongoClient(url.href);
      const installation = new OperatedInstallation(join(folder.path, 'data'), {
        EVENTSTORE_URL: server.url,
        MONGODB_URL: url.href,
        MASTER_KEY: randomBytes(32).toString('base64'),
      });
      /** Where this node keeps its files: what /var/lib/eventstore is in the image. */
      const files = () =>
        dirname(globSync('**/chaser.chk', { cwd: node }).map((each) => join(node, each))[0] ?? '');
      let where = '';
      const putBack = async () => {
        await server.stop();
        renameSync(where, `${where}-${randomBytes(4).toString('hex')}`);
        mkdirSync(where);
        const [, inImage = ''] =
          /-c \\\n\s+'(.*)' <eventstore\.tar/.exec(
            commandsOf('## Restore', '**EventStoreDB, from its files.**'),
          ) ?? [];
        expect(inImage).toContain('/var/lib/eventstore');
        perform(`{ ${inImage.replace('/var/lib/eventstore', where)}; } <${tar}`, folder.path);
        await server.start();
      };
      await server.start();
      try {
        await restoreStory({
          installation,
          serve: () => installation.serve(),
          backUp: async () => {
            where = files();
            writeFileSync(
              tar,
              execFileSync('sh', [join(root, 'deploy/eventstore/backup.sh'), where], { maxBuffer: 2 ** 30 }),
            );
            expect(existsSync(tar)).toBe(true);
          },
          putBackOnly: putBack,
          restore: async () => {
            // In the shell of MongoDB; here by its driver, which answers with promises.
            const [, script = ''] =
              /<<'END'\n(.*?)\nEND/s.exec(commandsOf('## Starting the read models anew', 'In MongoDB')) ?? [];
            const names = (await client.db().listCollections().toArray()).map(({ name }) => name);
            const renamed: Promise<unknown>[] = [];
            const db = {
              getCollectionNames: () => names,
              getCollection: (name: string) => ({
                renameCollection: (to: string, dropTarget: boolean) =>
                  renamed.push(client.db().renameCollection(name, to, { dropTarget })),
              }),
            };
            // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the words of the document are what is tested
            (new Function('db', script) as (on: typeof db) => void)(db);
            await Promise.all(renamed);
            // The log was signed before the restore, and that stays.
            const left = (await client.db().listCollections().toArray()).map(({ name }) => name).sort();
            expect(left).toContain('former.generations');
            expect(left.filter((name) => !name.startsWith('former.'))).toEqual([
              ...['proof.bundles', 'proof.checkpoints', 'proof.head', 'proof.tiles'],
              'vault',
            ]);
          },
        });
      } finally {
        await client.db().dropDatabase();
        await client.close();
        await server.stop();
      }
    });
  },
);

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installationOf } from '../../../src/commands/installation.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { commons } from '../../../src/events/teams.ts';
import { installationStreamName } from '../../../src/events/installation.ts';
import { newEvent } from '../../../src/events/new-event.ts';
import { uuidOf } from '../../../src/events/ids.ts';
import { refuseOtherLog, remedy } from '../../../src/projections/engine/log-identity.ts';
import { copyLog } from '../../../src/backup/transfer-log.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { all } from '../../support/fold.ts';
import { caughtUp, startProjector } from '../../support/projector.ts';
import { until } from '../../support/until.ts';
import { dataFolder, installation, type DataFolder, type Stores } from '../../support/stores.ts';

let folders: DataFolder[];
let here: Stores;
let there: Stores;
const where = { log: 'the log', readModels: 'the views' };

beforeEach(() => {
  folders = [dataFolder(), dataFolder()];
  [here, there] = folders.map((folder) => folder.open()) as [Stores, Stores];
});
afterEach(async () => {
  for (const folder of folders) await folder.dispose();
});

/** Names the installation as the stores of the tests know it. */
const name = ({ wholeLog }: Stores, id = installation) => {
  const named = { type: 'InstallationNamed', data: { installation: id } } as const;
  const event = newEvent(installationStreamName, named, 0, aCommand());
  const marked = { ...event, metadata: { ...event.metadata, installation: id } };
  return wholeLog.append(installationStreamName, [marked], 'no_stream');
};
const begin = ({ store }: Stores) =>
  commandTeam(store, { kind: 'create', ...commons }, aCommand({ commandId: uuidOf('commons') }));
const grow = ({ store }: Stores, team: string) =>
  commandTeam(store, { kind: 'create', team, name: team }, aCommand());

/** What a start asks: whether the read models of one folder go with the log of another. */
const start = async (log: Stores, readModels: Stores = log, groups: readonly string[] = []) =>
  refuseOtherLog(
    {
      store: log.store,
      documents: readModels.documents,
      projections: all,
      groups,
      installation: await installationOf(log.wholeLog),
    },
    where,
  );

async function project(stores: Stores): Promise<void> {
  const projector = startProjector(stores);
  await caughtUp(stores);
  await projector.stop();
}

/** The log as it is now, in the other folder: a backup that was restored there. */
const restoreThere = () =>
  copyLog({ source: here.wholeLog, target: there.wholeLog, signal: new AbortController().signal });

describe('read models', () => {
  it('go with the log they were made from, again and again', async () => {
    await start(here);
    await name(here);
    await begin(here);
    await project(here);
    for (let n = 0; n < 3; n++) await start(here);
    await grow(here, 'one');
    await start(here);
  });

  it('made from another installation’s log are refused, with what to do about it', async () => {
    await name(here);
    await name(there, crypto.randomUUID());
    for (const each of [here, there]) await begin(each);
    await start(here);
    const mixed = start(there, here);
    await expect(mixed).rejects.toMatchObject({ code: 'incompatible' });
    await expect(mixed).rejects.toThrow(
      /^The read models \(the views\) were made from another log \(the log\)\. Going on would skip events, so nothing was started and nothing was changed\. Check that the settings name the log that belongs to them, and start the release that served last\. If an older log was put back: docs\/backup\.md, "Restore"\.$/,
    );
  });

  it('that are ahead of the log are refused: it was restored from before them', async () => {
    await name(here);
    await begin(here);
    await restoreThere();
    for (const team of ['one', 'two']) await grow(here, team);
    await project(here);
    await start(here);
    await expect(start(there, here)).rejects.toThrow(/are ahead of the log/);
  });

  it('are refused, too, when the restored log has grown past them since', async () => {
    await name(here);
    await begin(here);
    await restoreThere();
    for (const team of ['one', 'two']) await grow(here, team);
    await project(here);
    await start(here);
    for (const team of ['three', 'four', 'five', 'six']) await grow(there, team);
    await expect(start(there, here)).rejects.toThrow(
      /^The read models \(the views\) know events that the log does not have/,
    );
  });

  it('are refused when what was restored differs only behind the last event that any of them folded', async () => {
    await name(here);
    await begin(here);
    await restoreThere();
    // Another product's events carry the checkpoints on.
    const foreign = () => ({ id: crypto.randomUUID(), type: 'Ordered', data: {}, metadata: {} });
    await here.wholeLog.append('orders-1', [foreign(), foreign(), foreign()], 'any');
    await project(here);
    await start(here);
    for (const team of ['three', 'four', 'five']) await grow(there, team);
    await expect(start(there, here)).rejects.toThrow(/know events that the log does not have/);
  });
});

describe('a consumer group', () => {
  const consume = async ({ store }: Stores, events: number, acknowledged = events) => {
    const stop = new AbortController();
    let seen = 0;
    const consuming = store.consume('group', {
      filter: { types: ['TeamCreated'] },
      signal: stop.signal,
      handle: async (consumed) => {
        seen += consumed.length;
        return consumed.map(() => ({ kind: 'ack' }));
      },
    });
    await until(async () => seen >= acknowledged && (await store.groupPlaces('group')).length > 0);
    stop.abort();
    await consuming;
  };
  /** The groups of one folder beside the log of another, as when an older events.db is put back beside them. */
  const beside = (log: Stores, groups: Stores): Stores => {
    const store = altered(log.store, {
      groupPlaces: (group) => groups.store.groupPlaces(group),
      recordGroupLog: (of) => groups.store.recordGroupLog(of),
    });
    return { ...log, store };
  };

  it('goes with the log that it follows', async () => {
    await name(here);
    await begin(here);
    await start(here, here, ['group']);
    await consume(here, 1);
    await grow(here, 'one');
    await consume(here, 1);
    await start(here, here, ['group']);
  });

  it('of another installation’s log is refused, with what to do about it', async () => {
    await name(here);
    await name(there, crypto.randomUUID());
    await begin(here);
    await start(here, here, ['group']);
    const mixed = start(beside(there, here), there, ['group']);
    await expect(mixed).rejects.toThrow(
      /^The consumer groups were made from another log \(the log\)\. .*docs\/backup\.md, "Restore"\.$/,
    );
  });

  it('that is ahead of a restored log, or went another way, is refused', async () => {
    await name(here);
    await begin(here);
    await restoreThere();
    for (const team of ['one', 'two']) await grow(here, team);
    await consume(here, 3);
    const restored = beside(there, here);
    await expect(start(restored, there, ['group'])).rejects.toThrow(
      /^The consumer groups are ahead of the log/,
    );
    for (const team of ['three', 'four', 'five']) await grow(there, team);
    await expect(start(restored, there, ['group'])).rejects.toThrow(
      /^The consumer groups know events that the log does not have/,
    );
  });
});

it('the section that a refusal cites is there', () => {
  const [, file = '', heading = ''] = /^(\S+), "(.+)"$/.exec(remedy) ?? [];
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  expect(text.split('\n').filter((line) => /^#+ /.test(line) && line.endsWith(` ${heading}`))).toHaveLength(
    1,
  );
});

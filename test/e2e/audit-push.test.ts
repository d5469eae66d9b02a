import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { newSigningSecret, standardHeaders } from '../../src/dispatch/signature.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { receiver } from '../dispatch/receivers.ts';
import { start } from '../faults/processes.ts';
import { runCommandLine } from '../support/command-line.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';
import { until } from '../support/until.ts';

const key = newSigningSecret((size) => Buffer.alloc(size, 9));

describe.skipIf(missing)(onEngines('a server that pushes its audit log'), () => {
  const folder = temporaryFolder();
  afterAll(async () => {
    await dropDatabase(folder.path);
    folder.remove();
  });

  /** The ids of all events of the installation, in order. */
  async function idsOfLog(): Promise<string[]> {
    const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    try {
      const ids: string[] = [];
      for (let after = beginning; ;) {
        const { events, position } = await system.store.readAll({ after, limit: 1_000 });
        if (position === after) return ids;
        ids.push(...events.map(({ id }) => id));
        after = position;
      }
    } finally {
      await system.close();
    }
  }

  async function failingJobs() {
    const { stdout } = await runCommandLine(['status', '--json'], folder.path);
    const status = JSON.parse(stdout) as {
      readonly failing_jobs?: readonly { readonly job: string; readonly error: string }[];
    };
    return status.failing_jobs ?? [];
  }

  it('gets each event to a receiver that was away, in order, through a kill of the server', async () => {
    /** Ids in the order of their first arrival. */
    const arrived: string[] = [];
    const unsigned: string[] = [];
    let up = true;
    let refused = 0;
    await using to = await receiver((response, { headers, body }) => {
      if (!up) {
        refused += 1;
        response.statusCode = 503;
        response.end();
        return;
      }
      const id = String(headers['webhook-id']);
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      const expected = standardHeaders({ secret: key, id, body, at })['webhook-signature'];
      if (headers['webhook-signature'] !== expected) unsigned.push(id);
      for (const line of body.toString().trimEnd().split('\n')) {
        const { uid } = (JSON.parse(line) as { metadata: { uid: string } }).metadata;
        if (!arrived.includes(uid)) arrived.push(uid);
      }
      response.end();
    });
    const settings = {
      AUDIT_PUSH: to.url,
      AUDIT_PUSH_KEY: key,
      AUDIT_PUSH_FROM: 'beginning',
      CHECKPOINT_SECONDS: '1',
    };
    let teams = 0;
    const change = () =>
      runCommand(
        folder.path,
        'teams',
        'create',
        `team-${String(++teams)}`,
        '--name',
        `Team ${String(teams)}`,
      );
    const serve = () => start('src/main.js', ['serve', '--json'], folder.path, settings);

    const first = serve();
    await until(() => arrived.length > 0);
    up = false;
    await change();
    await until(() => refused > 1);
    // It is named, with what to look at.
    const failing = await until(async () => (await failingJobs()).find(({ job }) => job === 'audit-push'));
    expect(failing.error).toMatch(/could not be sent to .*AUDIT_PUSH names: the answer was 503/);
    await change();
    expect(await first.kill()).toBe(true);
    await change();

    const second = serve();
    const before = refused;
    await until(() => refused > before);
    up = true;
    await until(() => arrived.length > teams);
    // Killed right after it was sent, perhaps before it was recorded that it was.
    await change();
    const so = arrived.length;
    await until(() => arrived.length > so);
    await second.kill();

    const third = serve();
    await change();
    const last = await until(async () => {
      const ids = await idsOfLog();
      return arrived.length >= ids.length && ids;
    });
    expect(await third.stop()).toMatchObject({ code: 0 });
    expect(arrived).toEqual((await idsOfLog()).slice(0, arrived.length));
    expect(arrived.length).toBeGreaterThanOrEqual(last.length);
    expect(unsigned).toEqual([]);
  });
});

import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../support/command-line.ts';
import { dropDatabase, engines, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const skipped = engines !== 'servers' || missing !== undefined;

describe.skipIf(skipped)(onEngines('a proof log in MongoDB that was cut back'), () => {
  const folder = temporaryFolder();
  afterAll(async () => {
    await dropDatabase(folder.path);
    folder.remove();
  });
  const newest = async () =>
    (
      (await runCommand(folder.path, 'audit', 'log', 'status')) as {
        readonly checkpoint: { readonly size: number } | null;
      }
    ).checkpoint;
  /** Serves until there is a checkpoint of more entries. */
  const serveUntilSigned = async (moreThan: number) => {
    const serving = await startServing(folder.path, { CHECKPOINT_SECONDS: '1' });
    await until(async () => ((await newest())?.size ?? 0) > moreThan);
    await serving.stop();
  };

  it('is not signed again, and named by verify and the doctor', async () => {
    await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour');
    await serveUntilSigned(0);
    const { size = 0 } = (await newest()) ?? {};
    const client = new MongoClient(engineSettings(folder.path)['MONGODB_URL'] ?? '');
    const parts = (await client.db().listCollections().toArray()).filter(({ name }) =>
      name.startsWith('proof.'),
    );
    const early = await Promise.all(
      parts.map(async ({ name }) => [name, await client.db().collection(name).find().toArray()] as const),
    );
    await runCommand(folder.path, 'keys', 'create', '--kind', 'developer', '--scopes', 'resources:read');
    await serveUntilSigned(size);
    expect(await runCommand(folder.path, 'verify')).toMatchObject({ verified: true });

    for (const [name, rows] of early) {
      await client.db().collection(name).deleteMany({});
      if (rows.length > 0)
        await client
          .db()
          .collection(name)
          .insertMany([...rows]);
    }
    await client.close();
    // A server signs once more when it stops.
    await (await startServing(folder.path, { CHECKPOINT_SECONDS: '1' })).stop();
    expect(await newest()).toMatchObject({ size });
    for (const command of ['verify', 'doctor']) {
      const { code, stdout } = await runCommandLine([command], folder.path);
      expect([command, code]).toEqual([command, 1]);
      expect(stdout).toContain('The proof log was cut back');
    }
  });
});

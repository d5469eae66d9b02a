import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';

// It changes the files of the embedded stores; test/engines/proof-log-cut.process.test.ts does the same in MongoDB.
const settings = { CHECKPOINT_SECONDS: '1' };

/** An installation with a team, whose stopped server has signed everything. */
async function signedInstallation(): Promise<{ dataDir: string; serveOnce: () => Promise<void> }> {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const dataDir = folder.path;
  const serveOnce = async () => {
    // A server signs once more when it stops.
    const serving = await startServing(dataDir, settings);
    await serving.stop();
  };
  await runCommand(dataDir, 'teams', 'create', 'harbour', '--name', 'Harbour');
  await serveOnce();
  return { dataDir, serveOnce };
}

test.skipIf(!isEmbedded)(
  'who cuts the proof log back and changes what follows does not get it signed',
  async () => {
    const { dataDir, serveOnce } = await signedInstallation();
    const evidence = join(dataDir, 'log.db');
    const early = join(dataDir, 'early-log.db');
    copyFileSync(evidence, early);
    await runCommand(dataDir, 'keys', 'create', '--kind', 'developer', '--scopes', 'resources:read');
    await serveOnce();
    expect(await runCommand(dataDir, 'verify')).toMatchObject({ verified: true });

    for (const file of [evidence, `${evidence}-wal`, `${evidence}-shm`]) rmSync(file, { force: true });
    copyFileSync(early, evidence);
    rmSync(early);
    const db = new DatabaseSync(join(dataDir, 'events.db'));
    db.exec('DROP TRIGGER events_are_never_changed');
    const { changes } = db
      .prepare(
        `UPDATE events SET data = replace(data, 'resources:read', 'resources:submit') WHERE type = 'ApiKeyCreated'`,
      )
      .run();
    db.exec(
      `CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
    );
    db.close();
    expect(changes).toBe(1);

    // Started, and stopped, it would have signed the change.
    const { checkpoint: before } = await status(dataDir);
    await serveOnce();
    expect((await status(dataDir)).checkpoint).toEqual(before);
    const verify = await runCommandLine(['verify'], dataDir);
    expect(verify).toMatchObject({ code: 1 });
    expect(verify.stdout).toContain('The proof log was cut back');
    const doctor = await runCommandLine(['doctor', '--full'], dataDir);
    expect(doctor.code).not.toBe(0);
    expect(doctor.stdout).toContain('The proof log was cut back');

    // Only an operator who says so goes on from there, and it is recorded.
    await runCommand(dataDir, 'audit', 'log', 'replace', '--accept-loss');
    await serveOnce();
    expect(await runCommand(dataDir, 'verify')).toMatchObject({ verified: true });
    expect(await runCommand(dataDir, 'audit', 'events', '--type', 'ProofLogBegun')).toMatchObject({
      data: [{ type: 'ProofLogBegun', data: { reason: 'replaced' } }],
    });
  },
);

test.skipIf(!isEmbedded)('a server that is killed while it signs raises no alarm', async () => {
  const { dataDir } = await signedInstallation();
  for (let round = 0; round < 5; round++) {
    const serving = await startServing(dataDir, settings);
    await runCommand(dataDir, 'teams', 'create', `team-${round}`, '--name', 'Another');
    // A checkpoint is signed within a second.
    await new Promise((resolve) => setTimeout(resolve, 250 * round));
    process.kill(serving.pid, 'SIGKILL');
    await serving.stop();
    expect(await runCommand(dataDir, 'verify')).toMatchObject({ verified: true, findings: [] });
  }
});

const status = async (dataDir: string) =>
  (await runCommand(dataDir, 'audit', 'log', 'status')) as { readonly checkpoint: unknown };

import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { start } from '../faults/processes.ts';
import { startMailServer } from '../mail/smtp-server.ts';
import { runCommandLine } from '../support/command-line.ts';
import { engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

interface Status {
  readonly failing_jobs?: readonly { readonly job: string; readonly error: string }[];
}

test.skipIf(missing)(
  onEngines('status and readiness name a background job that keeps failing, until it works again'),
  async () => {
    const folder = temporaryFolder();
    const mailServer = await startMailServer();
    const running = start('src/main.js', ['serve', '--json'], folder.path, { SMTP_URL: mailServer.url });
    onTestFinished(async () => {
      await running.kill();
      await mailServer.stop();
      folder.remove();
    });
    const line = await until(() => running.written().includes('\n') && running.written().split('\n')[0]);
    const { listening } = JSON.parse(line) as { listening: string };
    const readyz = async () => {
      const answer = await fetch(`${listening}/readyz`);
      return { status: answer.status, said: await answer.text() };
    };
    await until(async () => (await readyz()).status === 200);
    const status = async () => {
      const { code, stdout } = await runCommandLine(['status', '--json'], folder.path);
      return { code, jobs: (JSON.parse(stdout) as Status).failing_jobs };
    };
    expect(await status()).toEqual({ code: 0, jobs: undefined });

    // A mail that cannot be opened with our key.
    const beside = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    const outbox = beside.side.table<string>('mail');
    await outbox.put('damaged', 'bm90IHNlYWxlZA');
    const failing = await until(async () => {
      const now = await status();
      return now.jobs && now;
    });
    expect(failing.code).toBe(1);
    expect(failing.jobs).toMatchObject([{ job: 'mail', error: expect.stringMatching(/\S/) as string }]);
    const { stdout } = await runCommandLine(['status'], folder.path);
    expect(stdout).toMatch(/^Background job mail: FAILED since \S+Z: \S/m);
    const { said } = await until(async () => {
      const now = await readyz();
      return now.said.includes('background job') && now;
    });
    expect(said).toMatch(/The background job mail has failed again and again since/);

    await outbox.delete('damaged');
    await until(async () => (await status()).jobs === undefined);
    expect((await status()).code).toBe(0);
    await beside.close();
    expect((await running.stop()).code).toBe(0);
  },
);

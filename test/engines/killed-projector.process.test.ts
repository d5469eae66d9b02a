import { describe, expect, it } from 'vitest';
import { submitResource } from '../../src/commands/directory/resource.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { commons } from '../../src/events/teams.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { start, type Running } from '../faults/processes.ts';
import { aCommand } from '../support/context.ts';
import { dropDatabase, engines, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const reason = engines === 'servers' ? missing : 'only leases in MongoDB outlive a killed process';

describe.skipIf(reason)(onEngines('a projector that was killed', reason), () => {
  it('refuses no event while its leases run out: records are submitted all the time', async ({
    onTestFinished,
  }) => {
    const folder = temporaryFolder();
    const settings = engineSettings(folder.path);
    const serve = async (): Promise<{ process: Running; isReady: () => Promise<boolean> }> => {
      const process = start('src/main.js', ['serve', '--json'], folder.path, settings);
      const origin = await until(() => {
        const line = process.written().split('\n')[0];
        return line?.startsWith('{') && (JSON.parse(line) as { listening: string }).listening;
      });
      return { process, isReady: async () => (await fetch(`${origin}/readyz`)).ok };
    };
    const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...settings }));
    onTestFinished(async () => {
      await system.close();
      await dropDatabase(folder.path);
      folder.remove();
    });
    const first = await serve();
    await until(first.isReady);
    await commandTeam(system.store, { kind: 'create', ...commons }, aCommand()).catch(() => undefined);
    expect(await first.process.kill()).toBe(true);

    const second = await serve();
    let submitted = 0;
    do {
      const fields = { name: `Resource ${submitted}`, category: 'food' } as const;
      await submitResource(system, { team: commons.team, fields }, aCommand());
      submitted += 1;
    } while (!(await second.isReady()));
    expect(submitted).toBeGreaterThan(1);
    await second.process.stop();
  });
});

import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { teamsCommand } from '../../src/cli/teams.ts';
import { installationOf } from '../../src/commands/installation.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';

test.skipIf(!isEmbedded)('a command says what it waits for when a read model keeps failing', async () => {
  const folder = temporaryFolder();
  await runCommandLine(['teams', 'create', 'harbour', '--name', 'Harbour House'], folder.path);
  const store = new EmbeddedEventStore({ directory: folder.path });
  const metadata = { commonweal_schema: 99, installation: await installationOf(store) };
  await store.append(
    'team-newer',
    [{ id: randomUUID(), type: 'TeamCreated', data: {}, metadata }],
    'no_stream',
  );
  await store.close();
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    const line = {
      environment: { DATA_DIR: folder.path },
      exitCode: 0,
      visibleWithinMs: 2_000,
      silentMs: 1_000,
    };
    await expect(teamsCommand(line).parseAsync(['list'], { from: 'user' })).rejects.toThrow(/in: .*teams/);
    expect(said.mock.calls.flat()).toEqual([
      expect.stringMatching(/^Waiting for the read models\. .*teams has failed since .*TeamCreated/),
    ]);
  } finally {
    said.mockRestore();
    folder.remove();
  }
});

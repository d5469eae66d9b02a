import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { start } from '../../faults/processes.ts';
import { isEmbedded, missing, onEngines } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

const fixture = new URL('./fixtures/dies.ts', import.meta.url).href;

/** A process one of whose threads dies when it is told to. */
function doomed(thread: string, script: string, words: readonly string[]) {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  mkdirSync(dataDir);
  const sign = join(folder.path, 'die');
  const running = start(script, words, dataDir, {
    NODE_OPTIONS: `--import=${fixture}`,
    DIES: thread,
    DIES_WHEN: sign,
    LOG_LEVEL: 'silent',
  });
  onTestFinished(async () => {
    await running.kill();
    folder.remove();
  });
  return { running, dataDir, die: () => writeFileSync(sign, '') };
}

async function ready(running: ReturnType<typeof start>): Promise<void> {
  const line = await until(() => running.written().includes('\n') && running.written().split('\n')[0]);
  const { listening } = JSON.parse(line) as { listening: string };
  await until(async () => (await fetch(`${listening}/readyz`)).ok);
}

describe.skipIf(missing)(onEngines('a thread that dies'), () => {
  test.each(['projector', 'dispatcher'])('the %s: ends the server with one line', async (thread) => {
    const { running, die } = doomed(thread, 'src/main.js', ['serve', '--json']);
    await ready(running);
    die();
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: `The ${thread} thread has died: out of order\n` });
  });

  test.skipIf(!isEmbedded)(
    'the writer: ends the server with one line, though only the projector appends',
    async () => {
      const { running, dataDir, die } = doomed('writer', 'src/main.js', ['serve', '--json']);
      await ready(running);
      die();
      // The command appends by a writer of its own; that the new generation serves is appended by the server.
      const rebuild = start('src/main.js', ['rebuild', 'teams'], dataDir);
      onTestFinished(async () => {
        await rebuild.kill();
      });
      const { code, stderr } = await running.ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^[^\n]*Nothing can be appended: the writer thread has ended\.\n$/);
    },
  );

  test('the writer: leaves no append hanging, in whichever thread; what is under way is unknown', async () => {
    const { running } = doomed('writer', 'test/runtime/threads/fixtures/orphans.ts', []);
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [unknown, none] = (['unknown', 'none'] as const).map((outcome) => ({
      code: 'unavailable',
      outcome,
    }));
    expect(JSON.parse(stdout)).toEqual({
      underWay: [unknown, unknown],
      later: [none, none],
      told: ['owner', 'sharer'],
    });
  });
});

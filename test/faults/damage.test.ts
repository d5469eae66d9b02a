import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSystem } from '../api/harness.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/folder.ts';
import { startServing } from '../support/serving.ts';
import { trialsOf, tryDamaged, type Trial } from './damage.ts';

const asked = ['/healthz', '/find', '/dash/sign-in', '/audit/log/checkpoint', '/hsds'];
/**
 * Each start takes a second of CPU. All are tried by `DAMAGE=all`; here each file with one damage, so that every file and
 * every damage is tried.
 */
const oneOfEachFile = (all: readonly Trial[]): Trial[] =>
  [...Map.groupBy(all, ({ file }) => file).values()].flatMap(
    (ofFile, place) => ofFile[place % ofFile.length] ?? [],
  );

let intact: TemporaryFolder;
let copies: TemporaryFolder;
let trials: readonly Trial[];

beforeAll(async () => {
  intact = temporaryFolder();
  copies = temporaryFolder();
  // `stop` would remove the folder.
  const running = await startSystem({}, { path: intact.path, remove: () => undefined });
  await running.resources(3);
  await running.stop();
  await (await startServing(intact.path)).stop();
  // All leases are alike.
  const all = trialsOf(intact.path).filter(({ file }) => !/^leases.(?!projections\.lease)/.test(file));
  trials = process.env.DAMAGE === 'all' ? all : oneOfEachFile(all);
});
afterAll(() => {
  intact.remove();
  copies.remove();
});

test.runIf(isEmbedded)(
  'a file of the data folder that is cut, flipped, gone or a folder is named in a sentence, or the server serves',
  async () => {
    for (const trial of trials) {
      const told = `${trial.file}: ${trial.damage}`;
      const outcome = await tryDamaged(intact.path, join(copies.path, 'copy'), trial, asked);
      expect(outcome.complaints, told).not.toMatch(/^\s+at /m);
      if (outcome.code !== undefined) {
        expect(outcome.code, told).toBe(1);
        expect(outcome.complaints, told).toContain(
          trial.damage === 'gone' && trial.file === 'events.db' ? 'the log' : trial.file,
        );
        expect(outcome.complaints, told).toMatch(/\w+ \w+ \w+/);
        continue;
      }
      for (const [path, { status, body }] of Object.entries(outcome.answers ?? {})) {
        expect(status, `${told}: ${path} ${body}`).not.toBe(500);
        if (outcome.ready === 200) expect(status, `${told}: ${path} ${body}`).toBeLessThan(500);
      }
      if (outcome.ready === 200) expect(outcome.answers?.['/find']?.body, told).toContain('Resource 1');
    }
  },
);

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedEvent } from '../../src/stores/event-store/port.ts';
import { projections } from '../../src/projections/all.ts';
import { modelOf } from '../../src/projections/engine/read-model.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import type { Chance } from './seeded-random.ts';
import { writeDatapackage } from './datapackages.ts';
import { byStream, copyLog, disorderIn, lostSince, readLog } from './log.ts';
import { cli, endedBadly, servedBadly, start } from './processes.ts';
import type { Round, RoundReport } from './round.ts';
import { differencesFromRebuild, shown } from './read-models.ts';

/** Read models are killed while they follow the log or are built anew; afterwards they must show what the log says. */
export async function projectionRounds(services: number): Promise<{ round: Round; dispose: () => void }> {
  const folder = temporaryFolder();
  const path = writeDatapackage(folder.path, services);
  const ended = await cli(folder.path, 'import', path, '--approve', '--json').ended;
  if (ended.code !== 0) throw new Error(`The import of the scene failed: ${ended.stderr}`);
  return {
    round: async (chance) => {
      const scene = temporaryFolder();
      try {
        copyLog(folder.path, scene.path);
        return await (chance.happens(0.6) ? following(scene.path, chance) : rebuilding(scene.path, chance));
      } finally {
        scene.remove();
      }
    },
    dispose: folder.remove,
  };
}

const projecting = (dataDir: string) => start('src/main.js', ['serve'], dataDir, { ROLES: 'projector' });

/** A server follows the log while another process appends to it; either may be killed. */
async function following(dataDir: string, chance: Chance): Promise<RoundReport> {
  const violations: string[] = [];
  const acknowledged: string[] = [];
  let kills = 0;
  let before: readonly RecordedEvent[] = [];
  const rounds = chance.count(1, 3);
  for (let n = 1; n <= rounds; n++) {
    const server = projecting(dataDir);
    const appender = start('test/faults/appender.ts', [String(n), '400'], dataDir);
    const killed = await Promise.all([
      server.killAfter(chance.between(200, 2_500)),
      chance.happens(0.5) ? appender.killAfter(chance.between(200, 2_500)) : appender.ended,
    ]);
    kills += killed.filter((each) => each === true).length;
    const { stdout } = await appender.ended;
    // The last line may be torn by the kill.
    acknowledged.push(...stdout.split('\n').slice(0, -1));
    violations.push(...endedBadly('the appender', await appender.ended, 'killed'));
    violations.push(...servedBadly(killed[0], await server.ended));
    const events = await readLog(dataDir);
    violations.push(...lostSince(before, events));
    before = events;
    if (chance.happens(0.15)) deleteViews(dataDir);
  }
  violations.push(...(await toTheEnd(dataDir, () => shown(dataDir))));
  const events = await readLog(dataDir);
  const there = new Set(events.map(({ position, id }) => `${position} ${id}`));
  const missing = acknowledged.filter((line) => !there.has(line));
  if (missing.length > 0) violations.push(`${missing.length} acknowledged appends are not in the log`);
  violations.push(
    ...lostSince(before, events),
    ...disorderIn(events),
    ...(await differencesFromRebuild(dataDir)),
  );
  return { kills, events: events.length, facts: { acknowledged: acknowledged.length }, violations };
}

/** Read models that serve are built anew, and whoever builds them is killed. */
async function rebuilding(dataDir: string, chance: Chance): Promise<RoundReport> {
  const violations: string[] = [];
  let kills = 0;
  violations.push(...(await toTheEnd(dataDir, () => shown(dataDir))));
  const before = await readLog(dataDir);
  for (let left = chance.count(1, 3); left > 0; left--) {
    const beside = chance.happens(0.5) ? projecting(dataDir) : undefined;
    const rebuild = cli(dataDir, 'rebuild', '--json');
    const killed = await Promise.all([
      rebuild.killAfter(chance.between(200, 4_000)),
      beside?.killAfter(chance.between(200, 4_000)),
    ]);
    kills += killed.filter((each) => each === true).length;
    violations.push(...endedBadly('rebuild', await rebuild.ended, 'killed'));
    if (beside) violations.push(...servedBadly(killed[1] === true, await beside.ended));
  }
  // Whoever projects next takes up what was asked for and never done.
  violations.push(...(await toTheEnd(dataDir, () => rebuilt(dataDir))));
  const events = await readLog(dataDir);
  violations.push(
    ...lostSince(before, events),
    ...disorderIn(events),
    ...(await differencesFromRebuild(dataDir)),
  );
  const rebuilds = events.filter(({ type }) => type === 'GenerationSwitched').length;
  return { kills, events: events.length, facts: { rebuilds }, violations };
}

/** A server that nobody kills works until there is nothing left to do. */
async function toTheEnd(dataDir: string, done: () => Promise<void>): Promise<string[]> {
  const server = projecting(dataDir);
  const early = server.ended.then((ended) => {
    throw new Error(`serve ended by itself: ${ended.stderr}`);
  });
  try {
    await Promise.race([done(), early]);
    return endedBadly('serve', await server.stop(), 'told');
  } catch (error) {
    return [...endedBadly('serve', await server.stop(), 'told'), String(error)];
  } finally {
    early.catch(() => undefined);
  }
}

async function rebuilt(dataDir: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  await until(async () => {
    const streams = byStream(await readLog(dataDir));
    const waiting = projections
      .map(modelOf)
      .filter((name) => streams.get(`projection-${name}`)?.at(-1)?.type === 'RebuildStarted');
    if (waiting.length > 0 && Date.now() > deadline) throw new Error(`Never rebuilt: ${waiting.join(', ')}.`);
    return waiting.length === 0;
  });
  await shown(dataDir);
}

function deleteViews(dataDir: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `views.db${suffix}`), { force: true });
}

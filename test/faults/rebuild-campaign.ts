import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startRebuild } from '../../src/commands/rebuild.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { projections } from '../../src/projections/all.ts';
import { modelOf, nameOf } from '../../src/projections/engine/read-model.ts';
import { statusOf, visible } from '../../src/projections/engine/read-your-writes.ts';
import {
  rebuildsUnderWay,
  type RebuildProgress,
} from '../../src/projections/engine/rebuild/rebuild-progress.ts';
import { dropDatabase, engineSettings, isEmbedded } from '../support/engine.ts';
import { foldOf } from '../support/fold.ts';
import { temporaryFolder } from '../support/folder.ts';
import { documentsOf, sorted } from '../support/projector.ts';
import { until } from '../support/until.ts';
import { writeDatapackage } from './datapackages.ts';
import { everyEvent } from './log.ts';
import { start, type Running } from './processes.ts';
import { chanceOf } from './seeded-random.ts';
import { UpgradeLoad } from './upgrade-load.ts';

interface CampaignOptions {
  readonly seed: number;
  /** Services that are imported first. */
  readonly services: number;
  /** How often the projector is killed in the middle of a rebuild. */
  readonly kills: number;
  readonly patienceMs: number;
  readonly tell: (line: string) => void;
}

export interface CampaignReport {
  readonly violations: readonly string[];
  readonly kills: number;
  /** Generations that were being built at a kill, and that the next projector went on with. */
  readonly resumed: number;
  readonly switched: number;
  readonly changes: number;
  readonly events: number;
  readonly seconds: number;
}

/** What the load lists. */
const listed = 100;

/**
 * Rebuilds every read model while clients read and write at a node that is never killed, and kills the projector, in a
 * process of its own, in the middle. No request may see an error or a half-built read model, and in the end the read
 * models must be what a fold from zero makes.
 */
export async function rebuildCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { seed, services, kills, patienceMs, tell } = options;
  const began = performance.now();
  const chance = chanceOf(seed);
  const violations: string[] = [];
  const folder = temporaryFolder();
  const settings = { ...engineSettings(folder.path), RATE_LIMIT_PER_MINUTE: '1000000' };
  const serve = (ROLES: string) =>
    start('src/main.js', ['serve', '--json'], folder.path, { ...settings, ROLES, PORT: '0' });
  const nodes: Running[] = [];
  const load = new UpgradeLoad(listed, violations);
  let system: System | undefined;
  try {
    const done = doing(folder.path, settings);
    await done('import', writeDatapackage(folder.path, services), '--approve', '--json');
    load.key = await teamKey(done);
    const api = serve('api');
    nodes.push(api);
    let projector = await ready(serve, nodes);
    load.nodes.set('this', await readyAt(api));
    const working = load.work();
    system = await openSystem(readConfig({ DATA_DIR: folder.path, ...settings }));
    const { store } = system;
    let [killed, resumed, switched] = [0, 0, 0];
    // The next projector waits for the lease before the one at work is killed, so that no change waits for a start.
    let standby: Running | undefined;
    while (killed < kills) {
      const after = await store.head();
      const interrupted: RebuildProgress[] = [];
      standby ??= await ready(serve, nodes);
      for (const each of projections) await startRebuild(store, modelOf(each), {}, context());
      while ((await store.count({ after, filter: switchedOnly })) < projections.length) {
        if (performance.now() - began > patienceMs) throw new Error('The rebuilds do not come to their end.');
        await pause(chance.between(50, 800));
        if (killed >= kills) continue;
        standby ??= await ready(serve, nodes);
        if ((await rebuildsUnderWay(system, projections)).length === 0) continue;
        await projector.kill();
        projector = standby;
        standby = undefined;
        killed += 1;
        const left = await rebuildsUnderWay(system, projections);
        interrupted.push(...left);
        tell(`killed ${killed} times; ${left.length} generations were being built`);
      }
      const { events } = await store.readAll({ after, filter: switchedOnly, limit: 1_000 });
      const served = new Set(events.map(({ data }) => generationIn(data as Switched)));
      for (const each of interrupted) {
        if (served.has(generationIn(each))) resumed += 1;
        else violations.push(`${generationIn(each)} was not gone on with`);
      }
      switched += projections.length;
    }
    load.stop();
    await working;
    // On servers the lease of a dead projector is waited for, longer than a change waits until it is shown.
    if (isEmbedded && load.repeated > 0)
      violations.push(`${load.repeated} requests were sent again, the last after ${load.refusal}`);
    violations.push(...(await differencesFromZero(system)));
    const cancelled = await store.count({ after: -1n, filter: { types: ['RebuildCancelled'] } });
    if (cancelled > 0) violations.push(`${cancelled} rebuilds were stopped`);
    return {
      violations,
      kills: killed,
      resumed,
      switched,
      changes: load.made.size,
      events: await store.count({ after: -1n }),
      seconds: (performance.now() - began) / 1_000,
    };
  } finally {
    load.stop();
    for (const node of nodes) await node.kill();
    await system?.close();
    await dropDatabase(folder.path);
    folder.remove();
  }
}

type Switched = Pick<RebuildProgress, 'projection' | 'generation'>;

const switchedOnly = { types: ['GenerationSwitched'] };
const generationIn = ({ projection, generation }: Switched) => `generation ${generation} of ${projection}`;

async function ready(serve: (roles: string) => Running, nodes: Running[]): Promise<Running> {
  const node = serve('projector,dispatcher');
  nodes.push(node);
  await readyAt(node);
  return node;
}

const context = () => ({
  actor: { kind: 'system', id: 'campaign' } as const,
  commandId: randomUUID(),
  at: new Date(),
});

/** Runs commands of the product to their end. */
function doing(dataDir: string, settings: Readonly<Record<string, string>>) {
  return async (...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await start('src/main.js', words, dataDir, settings).ended;
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code ?? 'a signal'}: ${stderr}`);
    return stdout;
  };
}

async function teamKey(done: ReturnType<typeof doing>): Promise<string> {
  await done('teams', 'create', 'harbour', '--name', 'Harbour House', '--json');
  await done('teams', 'scopes', 'harbour', '--enable', 'directory:manage', '--json');
  const scopes = 'resources:read,resources:submit,directory:manage';
  const made = await done(
    'keys',
    'create',
    '--kind',
    'team',
    '--team',
    'harbour',
    '--scopes',
    scopes,
    '--json',
  );
  return (JSON.parse(made) as { key: string }).key;
}

/** Where a node listens, once it is ready. */
async function readyAt(node: Running): Promise<string> {
  void node.ended.then(({ signal, stderr }) => {
    if (signal !== 'SIGKILL' && stderr !== '') console.error(stderr);
  });
  const listening = await until(() => {
    const [line] = node.written().split('\n');
    return line?.startsWith('{') && (JSON.parse(line) as { listening: string }).listening;
  });
  await until(async () => (await fetch(`${listening}/readyz`).catch(() => undefined))?.ok);
  return listening;
}

async function differencesFromZero(system: System): Promise<string[]> {
  const { store, documents } = system;
  const events = await everyEvent(store);
  await visible(documents, projections.map(nameOf), await store.head(), 120_000);
  const differing: string[] = [];
  for (const projection of projections) {
    const shown = await documentsOf(documents, projection);
    const expected = sorted(foldOf(projection, events).values());
    if (JSON.stringify(shown) !== JSON.stringify(expected))
      differing.push(`${nameOf(projection)} shows something else than a fold from zero`);
  }
  for (const { name, failure } of await statusOf(system, projections))
    if (failure) differing.push(`${name} stands still: ${failure.error}`);
  return differing;
}

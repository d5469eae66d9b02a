import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { projections } from '../../src/projections/all.ts';
import { nameOf } from '../../src/projections/engine/read-model.ts';
import { statusOf, visible } from '../../src/projections/engine/read-your-writes.ts';
import { dropDatabase, engines, engineSettings } from '../support/engine.ts';
import { foldOf } from '../support/fold.ts';
import { temporaryFolder } from '../support/folder.ts';
import { documentsOf, sorted } from '../support/projector.ts';
import { until } from '../support/until.ts';
import { writeDatapackage } from './datapackages.ts';
import { disorderIn, everyEvent } from './log.ts';
import { root, start, type Running } from './processes.ts';
import { UpgradeLoad } from './upgrade-load.ts';
import { entryOf } from '../support/entry.ts';

/**
 * Replaces a node of a former version by one of this version under load: each starts beside the other, and goes on
 * when the other stops. Where the former version reads all that this one writes, also back, and forth again. Looks
 * whether a change was lost or doubled, whether an answer
 * came from a half-built read model, how soon changes are shown again, and whether the read models are in the end
 * what the log says:
 *
 *   node test/faults/rolling-upgrade.ts
 *   node test/faults/rolling-upgrade.ts --from v1.0.0 --back 2
 *   COMMONWEAL_ENGINES=servers EVENTSTORE_URL=… MONGODB_URL=… node test/faults/rolling-upgrade.ts
 */

/**
 * The first commit whose formats count: everything from it on can be upgraded from. Release 1.0.0 replaces it by its tag.
 * A commit that changes a format before that release moves it on to itself.
 */
const startingCommit = '519113d';

const services = 100;
/** Changes that the load makes in each state of affairs. */
const changes = 25;
const shownAgainWithinMs = 15_000;
const patienceMs = 120_000;

const command = new Command('rolling-upgrade')
  .argument('[checkout]', 'the former version, with its node_modules. Default: one that is made of --from')
  .option('--from <commit>', 'the former version, checked out for this run', startingCommit)
  .option(
    '--back <n>',
    'how often the former version takes over again, if it reads all events of this one',
    '0',
  )
  .parse();
const { back, from } = command.opts<{ back: string; from: string }>();
const timesBack = Number(back);

const shared = temporaryFolder();
const folders = { former: temporaryFolder(), ours: temporaryFolder() };
const [checkout] = command.args;
const former = checkout === undefined ? checkedOut(from) : resolve(checkout);
const settings = { ...engineSettings(shared.path), RATE_LIMIT_PER_MINUTE: '1000000' };
const violations: string[] = [];
type Release = keyof typeof folders;

/** Embedded, both work on one folder; on servers each has one of its own. */
const folderOf = (release: Release) => (engines === 'embedded' ? shared.path : folders[release].path);
const rootOf = (release: Release) => (release === 'former' ? former : root);
const run = (release: Release, ...words: readonly string[]): Running =>
  start(entryOf(rootOf(release)), words, folderOf(release), settings, rootOf(release));

async function done(release: Release, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(release, ...words).ended;
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code ?? 'a signal'}: ${stderr}`);
  return stdout;
}

async function serve(release: Release): Promise<Running> {
  const running = run(release, 'serve', '--json');
  void running.ended.then(({ code, signal, stderr }) => {
    if (code !== 0 && signal !== 'SIGKILL')
      violations.push(`a node of the ${release} version ended with ${code ?? 'a signal'}: ${stderr}`);
  });
  const listening = await until(() => {
    const [line] = running.written().split('\n');
    return line?.startsWith('{') && (JSON.parse(line) as { listening: string }).listening;
  });
  await until(async () => (await fetch(`${listening}/readyz`).catch(() => undefined))?.ok);
  load.nodes.set(release, listening);
  return running;
}

function git(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr.trim()}`);
}

/** A commit of this repository in a folder of its own, with the packages of this one. */
function checkedOut(commit: string): string {
  const folder = join(folders.former.path, 'checkout');
  git('worktree', 'add', '--detach', folder, commit);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const load = new UpgradeLoad(services, violations);
/** Lets the load work for a while; answers how long its slowest change took to be shown. */
async function worked(state: string): Promise<void> {
  const before = load.made.size;
  load.slowestMs = 0;
  await until(() => load.made.size >= before + changes);
  console.log(
    `${state}: ${changes} changes, the slowest shown after ${load.slowestMs} ms; ${load.repeated} repeated so far`,
  );
  if (load.slowestMs > shownAgainWithinMs) violations.push(`${state}: shown only after ${load.slowestMs} ms`);
}

async function upgrade(): Promise<void> {
  let formerNode = await serve('former');
  const path = writeDatapackage(shared.path, services);
  await done('former', 'import', path, '--approve', '--json');
  await done('former', 'teams', 'create', 'harbour', '--name', 'Harbour House', '--json');
  await done('former', 'teams', 'scopes', 'harbour', '--enable', 'directory:manage', '--json');
  // A key that sees its own submissions.
  const wish = [
    '--kind',
    'team',
    '--team',
    'harbour',
    '--scopes',
    'resources:read,resources:submit,directory:manage',
  ];
  const made = await done('former', 'keys', 'create', ...wish, '--json');
  load.key = (JSON.parse(made) as { key: string }).key;
  const working = load.work();
  await worked('the former version alone');
  for (let back = 1; back <= timesBack; back++) {
    const ours = await serve('ours');
    await worked('this version beside the former');
    load.nodes.delete('former');
    await formerNode.stop();
    await worked('this version alone');
    formerNode = await serve('former');
    await worked('the former version beside this one');
    load.nodes.delete('ours');
    await ours.stop();
    await worked('the former version alone again');
  }
  const ours = await serve('ours');
  await worked('this version beside the former');
  load.nodes.delete('former');
  await formerNode.kill();
  await worked('this version, after the former was killed');
  load.stop();
  await working;
  await done('ours', 'rebuild', '--json');
  await ours.stop();
}

const isOfLoad = (data: unknown): boolean =>
  (data as { fields: { name: string } }).fields.name.startsWith('Resource ');

/** What the log and the read models are in the end. */
async function inspect(): Promise<void> {
  const system = await openSystem(readConfig({ DATA_DIR: folderOf('ours'), ...settings }));
  try {
    const events = await everyEvent(system.store);
    violations.push(...disorderIn(events));
    const submitted = events
      .filter(({ type, data }) => type === 'ResourceSubmitted' && isOfLoad(data))
      .map(({ stream }) => stream.slice('resource-'.length));
    const lost = [...load.made].filter((svcId) => !submitted.includes(svcId)).length;
    if (lost > 0) violations.push(`${lost} acknowledged changes are not in the log`);
    if (submitted.length > load.made.size)
      violations.push(`${submitted.length - load.made.size} changes are there twice`);
    const head = await system.store.head();
    const folded = events.filter(({ type }) =>
      projections.some((each) => (each.events as readonly string[]).includes(type)),
    );
    await visible(system.documents, projections.map(nameOf), folded.at(-1)?.position ?? head, patienceMs);
    for (const projection of projections) {
      const shown = await documentsOf(system.documents, projection);
      const expected = sorted(foldOf(projection, events).values());
      if (JSON.stringify(shown) !== JSON.stringify(expected))
        violations.push(`${nameOf(projection)} shows something else than the log says`);
    }
    for (const { name, failure } of await statusOf(system, projections))
      if (failure) violations.push(`${name} stands still: ${failure.error}`);
    console.log(`${events.length} events, ${load.made.size} changes acknowledged`);
  } finally {
    await system.close();
  }
}

try {
  await upgrade();
  await inspect();
} finally {
  await dropDatabase(shared.path);
  if (checkout === undefined) git('worktree', 'remove', '--force', former);
  for (const folder of [shared, ...Object.values(folders)]) folder.remove();
}
for (const each of violations) console.error(each);
console.log(violations.length === 0 ? 'Nothing was lost.' : `${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);

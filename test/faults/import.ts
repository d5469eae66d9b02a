import { fileURLToPath } from 'node:url';
import type { RecordedEvent } from '../../src/stores/event-store/port.ts';
import { temporaryFolder } from '../support/folder.ts';
import { writeDatapackage } from './datapackages.ts';
import { byStream, disorderIn, lostSince, readLog } from './log.ts';
import { cli, endedBadly, servedBadly, start } from './processes.ts';
import type { Round } from './round.ts';
import { differencesFromRebuild } from './read-models.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));

/** A datapackage, and what an import that nobody disturbs makes of it. */
interface Package {
  readonly path: string;
  readonly story: ReadonlySet<string>;
  readonly takesMs: number;
}

/** An import that is killed, perhaps more than once, must be finished by repeating it. */
export async function importRounds(services: number): Promise<{ round: Round; dispose: () => void }> {
  const folder = temporaryFolder();
  const packages = [await undisturbed(example), await undisturbed(writeDatapackage(folder.path, services))];
  return {
    round: async (chance) => {
      const chosen = packages[chance.happens(0.3) ? 0 : 1] as Package;
      const scene = temporaryFolder();
      try {
        return await round(scene.path, chosen, chance);
      } finally {
        scene.remove();
      }
    },
    dispose: folder.remove,
  };
}

async function undisturbed(path: string): Promise<Package> {
  const folder = temporaryFolder();
  try {
    const began = performance.now();
    const ended = await cli(folder.path, 'import', path, '--approve', '--json').ended;
    const takesMs = performance.now() - began;
    if (ended.code !== 0) throw new Error(`The undisturbed import failed: ${ended.stderr}`);
    return { path, story: storyOf(await readLog(folder.path)), takesMs };
  } finally {
    folder.remove();
  }
}

async function round(dataDir: string, { path, story, takesMs }: Package, chance: Parameters<Round>[0]) {
  const violations: string[] = [];
  let kills = 0;
  let before: readonly RecordedEvent[] = [];
  const words = ['import', path, '--approve', '--json'] as const;
  // Now and then a server keeps the read models beside it, and is killed at a moment of its own.
  const beside = chance.happens(0.25);
  for (let left = chance.count(1, 3); left > 0; left--) {
    const server = beside ? start('src/main.js', ['serve'], dataDir, { ROLES: 'projector' }) : undefined;
    const importing = cli(dataDir, ...words);
    const killed = await Promise.all([
      importing.killAfter(chance.between(0, takesMs)),
      server?.killAfter(chance.between(0, takesMs)),
    ]);
    kills += killed.filter((each) => each === true).length;
    violations.push(...endedBadly('import', await importing.ended, 'killed'));
    if (server) violations.push(...servedBadly(killed[1] === true, await server.ended));
    const events = await readLog(dataDir);
    violations.push(...lostSince(before, events), ...disorderIn(events));
    before = events;
  }
  violations.push(
    ...endedBadly('the import that nobody killed', await cli(dataDir, ...words).ended, 'by itself'),
  );
  const finished = await readLog(dataDir);
  const again = await cli(dataDir, ...words).ended;
  violations.push(...endedBadly('the repeated import', again, 'by itself'));
  const events = await readLog(dataDir);
  if (changesIn(events) !== changesIn(finished)) violations.push('the repeated import changed something');
  violations.push(
    ...lostSince(before, finished),
    ...disorderIn(events),
    ...otherThan(story, storyOf(events)),
  );
  violations.push(...submittedAndApproved(events), ...(await differencesFromRebuild(dataDir)));
  return { kills, events: events.length, facts: {}, violations };
}

/**
 * What happened, without when and under which ids. The id of the installation is drawn as well, and a server that
 * lives long enough beside the import publishes a signing key. That an import was carried out is recorded each time.
 */
const storyOf = (events: readonly RecordedEvent[]): Set<string> =>
  new Set(
    events
      .filter(({ stream }) => !/^(signing-key|import)-/.test(stream))
      .map(({ stream, revision, type, data }) =>
        JSON.stringify([stream, revision, type, type === 'InstallationNamed' ? {} : data]),
      ),
  );

/** Events other than those that say that an import was carried out. */
const changesIn = (events: readonly RecordedEvent[]): number =>
  events.filter(({ stream }) => !stream.startsWith('import-')).length;

function otherThan(expected: ReadonlySet<string>, found: ReadonlySet<string>): string[] {
  const missing = [...expected].filter((each) => !found.has(each)).length;
  const more = [...found].filter((each) => !expected.has(each)).length;
  return missing + more === 0 ? [] : [`${missing} events are missing, ${more} are too many`];
}

function submittedAndApproved(events: readonly RecordedEvent[]): string[] {
  const wrong: string[] = [];
  for (const [stream, own] of byStream(events)) {
    if (!stream.startsWith('resource-')) continue;
    const types = own.map(({ type }) => type).join();
    if (types !== 'ResourceSubmitted,ResourceApproved' && types !== 'ResourceSubmitted') {
      wrong.push(`${stream} holds ${types}`);
    }
  }
  return wrong;
}

import { createHash } from 'node:crypto';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { projections } from '../../src/projections/all.ts';
import { nameOf } from '../../src/projections/engine/read-model.ts';
import { project } from '../../src/projections/engine/projector.ts';
import { statusOf, visible } from '../../src/projections/engine/read-your-writes.ts';
import { temporaryFolder } from '../support/folder.ts';
import { everything } from '../support/projector.ts';
import { copyLog } from './log.ts';

const names = projections.map(nameOf);
/** What a busy machine may need to fold the largest log of a round. */
const patienceMs = 120_000;

/** Resolves when every read model of a folder shows all there is, whoever writes it. */
export async function shown(directory: string): Promise<void> {
  const system = await openSystem(readConfig({ DATA_DIR: directory }));
  try {
    await visible(system.documents, names, await system.store.head(), patienceMs);
  } finally {
    await system.close();
  }
}

/**
 * What the read models of a folder, brought up to date from where they were left, show otherwise than read
 * models folded from the first event on. Nothing else may run there.
 */
export async function differencesFromRebuild(directory: string): Promise<string[]> {
  const fresh = temporaryFolder();
  try {
    const left = await documentsIn(directory);
    copyLog(directory, fresh.path);
    const rebuilt = await documentsIn(fresh.path);
    const differing = names.filter((name) => left.hashes.get(name) !== rebuilt.hashes.get(name));
    return [
      ...left.failures,
      ...rebuilt.failures,
      ...differing.map((name) => `${name} differs from a rebuild from zero`),
    ];
  } finally {
    fresh.remove();
  }
}

async function documentsIn(directory: string) {
  const system = await openSystem(readConfig({ DATA_DIR: directory }));
  const { store, documents, side, leases } = system;
  const stop = new AbortController();
  const projecting = project({ store, documents, side, leases, projections, signal: stop.signal });
  try {
    await visible(documents, names, await store.head(), patienceMs);
    const models = Object.entries(await everything(documents));
    const status = await statusOf(system, projections);
    return {
      hashes: new Map(
        models.map(([name, docs]) => [name, createHash('sha256').update(JSON.stringify(docs)).digest('hex')]),
      ),
      failures: status.flatMap(({ name, failure }) =>
        failure ? [`${name} stands still: ${failure.error}`] : [],
      ),
    };
  } finally {
    stop.abort();
    await projecting;
    await system.close();
  }
}

import { readConfig, type Config } from '../config.ts';
import { openSystem, type System } from '../container.ts';
import { requireData } from '../data-folder.ts';
import { uuidOf } from '../events/ids.ts';
import type { CommandContext } from '../events/metadata.ts';
import { projections } from '../projections/all.ts';
import { project } from '../projections/engine/projector.ts';
import { retired } from '../projections/retired.ts';
import { NotYetVisible, visible } from '../projections/engine/read-your-writes.ts';
import { untilShown, type Change } from '../projections/until-shown.ts';
import { refuseLostVault, refuseStoresOfAnotherLog } from '../runtime/check-stores.ts';

/** What a command is started with, and the exit code it leaves behind. */
export interface CommandLine {
  readonly environment: NodeJS.ProcessEnv;
  exitCode: number;
  /** How long a command waits for the read models to show what it did; a minute unless told otherwise. */
  readonly visibleWithinMs?: number;
}

/** A command at work, beside a running server or alone. */
export interface CommandSystem extends System {
  /** A context for one change, made from the command line. The same `key` again names the same change. */
  context(key?: string): CommandContext;
  /** Resolves when every read model shows the changes. @throws NotYetVisible */
  waitUntilVisible(changes: Change | readonly Change[], timeoutMs?: number): Promise<void>;
  /**
   * For a secret, which is printed before anybody waits, as it is shown only once: waits like `shown`, and says so
   * when that takes too long. Nothing has failed then.
   */
  waitOrWarn(changes: Change | readonly Change[]): Promise<void>;
  /** Before a list: resolves when these read models show the whole log. @throws NotYetVisible */
  waitUntilCurrent(
    ...readModels: readonly { readonly collection: { readonly name: string } }[]
  ): Promise<void>;
}

/** Nobody waits behind a command line for an answer in time: it may be the first to build the read models. */
const visibleWithinMs = 60_000;

/**
 * Opens the stores, works, and closes them. The read models are kept up to date meanwhile: by the server that
 * runs beside us, or, where there is none, by ourselves.
 */
export async function withSystem<Result>(
  line: CommandLine,
  work: (at: CommandSystem) => Promise<Result>,
): Promise<Result> {
  requireData(readConfig(line.environment));
  return withNewOrExistingSystem(line, work);
}

/** Like `atWork`, for a command that somebody may begin with: makes the stores where there are none. */
export async function withNewOrExistingSystem<Result>(
  line: CommandLine,
  work: (at: CommandSystem) => Promise<Result>,
): Promise<Result> {
  const system = await openUnmixed(readConfig(line.environment));
  const { store, documents, side, leases, nodes } = system;
  const done = new AbortController();
  const correlationId = crypto.randomUUID();
  const projecting = project({
    store,
    documents,
    side,
    leases,
    nodes,
    projections,
    retired,
    signal: done.signal,
  });
  // Its failure ends the work: nothing that was changed would ever be seen.
  const failing = projecting.then(() => new Promise<never>(() => undefined));
  try {
    const patienceMs = line.visibleWithinMs ?? visibleWithinMs;
    const waitUntilVisible: CommandSystem['waitUntilVisible'] = (changes, timeoutMs = patienceMs) =>
      untilShown(documents, changes, timeoutMs);
    const at: CommandSystem = Object.assign(Object.create(system) as System, {
      context: (key?: string): CommandContext => ({
        actor: { kind: 'system', id: 'cli' },
        commandId: key === undefined ? crypto.randomUUID() : uuidOf('cli', key),
        at: new Date(),
        correlationId,
      }),
      waitUntilVisible,
      async waitOrWarn(changes: Change | readonly Change[]) {
        try {
          await waitUntilVisible(changes);
        } catch (error) {
          if (!(error instanceof NotYetVisible)) throw error;
          console.error(
            `It is made and stays. The server does not know it yet: ${error.names.join(', ')} is behind, which "commonweal status" shows. It works as soon as that has caught up.`,
          );
        }
      },
      waitUntilCurrent: async (
        ...readModels: readonly { readonly collection: { readonly name: string } }[]
      ) =>
        visible(
          documents,
          readModels.map(({ collection }) => collection.name),
          await store.head(),
          600_000,
        ),
    });
    return await Promise.race([work(at), failing]);
  } finally {
    done.abort();
    await projecting.catch(() => undefined);
    await system.close();
  }
}

async function openUnmixed(config: Config): Promise<System> {
  const system = await openSystem(config);
  try {
    await refuseLostVault(system);
    await refuseStoresOfAnotherLog(system, { groups: false });
  } catch (error) {
    await system.close();
    throw error;
  }
  return system;
}

/** For commands that only look: the stores, nothing running. */
export async function withStores<Result>(
  line: CommandLine,
  work: (system: System) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(line.environment);
  requireData(config);
  const system = await openSystem(config);
  try {
    return await work(system);
  } finally {
    await system.close();
  }
}

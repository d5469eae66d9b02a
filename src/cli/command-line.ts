import type { MailParts } from '../actions/accounts/account-mails.ts';
import { Throttle } from '../actions/accounts/throttle.ts';
import { recordRestores } from '../backup/restored.ts';
import { readConfig, type Config } from '../config.ts';
import { openSystem, type System } from '../container.ts';
import { requireData } from '../data-folder.ts';
import { uuidOf } from '../events/ids.ts';
import type { Actor, CommandContext } from '../events/metadata.ts';
import { Outbox } from '../mail/outbox.ts';
import { projections } from '../projections/all.ts';
import { modelNamed } from '../projections/engine/read-model.ts';
import { failuresTable, type ProjectionFailure } from '../projections/engine/stalled-projections.ts';
import { BulkPace, promptly } from '../projections/engine/pace.ts';
import { project } from '../projections/engine/projector.ts';
import { NotYetVisible, visible } from '../projections/engine/read-your-writes.ts';
import { untilShown, type Change } from '../projections/until-shown.ts';
import { operator } from './accounts/operator.ts';
import { release } from '../release.ts';
import { markFormat, refuseNewerFormat } from '../stores/format.ts';
import type { SideStore } from '../stores/side/port.ts';
import { refuseLostVault, refuseStoresOfAnotherLog } from '../runtime/check-stores.ts';
import { missingFiles } from '../runtime/missing-files.ts';

/** The environment and exit code of a command. */
export interface CommandLine {
  readonly environment: NodeJS.ProcessEnv;
  exitCode: number;
  /** The administrator whom the operator claims to be (`--as`), by email address or id. */
  as?: string | undefined;
  /** How long a command waits until the read models show its changes. Default: a minute. */
  readonly visibleWithinMs?: number;
  /** How long it waits before it says what for. Default: ten seconds. */
  readonly silentMs?: number;
}

/** The open stores for a command, with or without a running server. */
export interface CommandSystem extends System, MailParts {
  /** The context of one change. The same `key` makes the change idempotent. */
  context(key?: string): CommandContext;
  /** Resolves when every read model shows the changes. @throws NotYetVisible */
  waitUntilVisible(changes: Change | readonly Change[], timeoutMs?: number): Promise<void>;
  /**
   * For secrets, which are shown once and printed first: waits like `waitUntilVisible`, but only prints a warning
   * when it takes too long.
   */
  waitOrWarn(changes: Change | readonly Change[]): Promise<void>;
  /** Before a list: resolves when these read models show the whole log. @throws NotYetVisible */
  waitUntilCurrent(
    ...readModels: readonly { readonly collection: { readonly name: string } }[]
  ): Promise<void>;
}

/** Long, because the command may have to build the read models first. */
const visibleWithinMs = 60_000;
/** Longer, because the read models of a list may have to be built from the whole log. */
const currentWithinMs = 600_000;
/** After so long a person wants to know what a command waits for. */
const silentMs = 10_000;

/**
 * Opens the stores, runs a command, and closes them. The read models are updated meanwhile by the running server
 * or, without one, by this process.
 */
export async function withSystem<Result>(
  line: CommandLine,
  work: (at: CommandSystem) => Promise<Result>,
): Promise<Result> {
  requireData(readConfig(line.environment));
  return withNewOrExistingSystem(line, work);
}

/** Like `withSystem`, but creates the stores when they do not exist. `bulk`: the command changes many streams. */
export async function withNewOrExistingSystem<Result>(
  line: CommandLine,
  work: (at: CommandSystem) => Promise<Result>,
  { bulk = false }: { readonly bulk?: boolean } = {},
): Promise<Result> {
  const { system, actor } = await openUnmixed(readConfig(line.environment), line.as);
  const { store, documents, side, leases, nodes } = system;
  const done = new AbortController();
  const correlationId = crypto.randomUUID();
  const pace = bulk ? new BulkPace() : undefined;
  const projecting = project({
    store,
    documents,
    side,
    leases,
    nodes,
    projections,
    // A command ends soon, and what it has not folded waits for the next one.
    pace: pace ?? promptly,
    signal: done.signal,
  });
  // A failure of the projector ends the command: its changes would never become visible.
  const failing = projecting.then(() => new Promise<never>(() => undefined));
  try {
    const hurried = <Waiting>(waiting: Promise<Waiting>): Promise<Waiting> =>
      pace?.hurried(waiting) ?? waiting;
    const patienceMs = line.visibleWithinMs ?? visibleWithinMs;
    const waitUntilVisible: CommandSystem['waitUntilVisible'] = (changes, timeoutMs = patienceMs) =>
      hurried(sayingWhy(side, untilShown(documents, changes, timeoutMs), line.silentMs));
    const at: CommandSystem = Object.assign(Object.create(system) as System, {
      // Emails wait in the outbox for a running server.
      outbox: new Outbox(system),
      throttle: new Throttle(system.limits),
      issuer: () => issuerOf(system.config),
      now: () => new Date(),
      context: (key?: string): CommandContext => ({
        actor,
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
            `It is created and stays valid. The server does not know it yet: ${error.names.join(', ')} is behind, see "commonweal status". It works as soon as that has caught up.`,
          );
        }
      },
      waitUntilCurrent: async (
        ...readModels: readonly { readonly collection: { readonly name: string } }[]
      ) =>
        hurried(
          sayingWhy(
            side,
            visible(
              documents,
              readModels.map(({ collection }) => collection.name),
              await store.head(),
              line.visibleWithinMs ?? currentWithinMs,
            ),
            line.silentMs,
          ),
        ),
    });
    return await Promise.race([work(at), failing]);
  } finally {
    done.abort();
    await projecting.catch(() => undefined);
    await system.close();
  }
}

/** Waits for read models. When that takes long, standard error says once what keeps them. */
async function sayingWhy(side: SideStore, waiting: Promise<void>, afterMs = silentMs): Promise<void> {
  const timer = setTimeout(() => {
    // Whoever cannot read the failures waits on; the command itself ends with what is wrong.
    void reasonOf(side).then(console.error, () => undefined);
  }, afterMs);
  try {
    await waiting;
  } finally {
    clearTimeout(timer);
  }
}

async function reasonOf(side: SideStore): Promise<string> {
  const failures = await side.table<ProjectionFailure>(failuresTable).list();
  const reasons = failures.map(
    ({ id, value: { since, error } }) => `${modelNamed(id)} has failed since ${since}: ${error}`,
  );
  const shown = reasons.length > 0 ? reasons : ['they are being built, or another process builds them'];
  return `Waiting for the read models. ${shown.join('; ')}. "commonweal status" shows them.`;
}

/** Where people reach the service, for links in emails and on the terminal. */
const issuerOf = ({ authUrl, baseUrl, port }: Config): string =>
  authUrl ?? baseUrl ?? `http://localhost:${port}`;

async function openUnmixed(
  config: Config,
  as: string | undefined,
): Promise<{ readonly system: System; readonly actor: Actor }> {
  for (const sentence of missingFiles(config)) console.error(sentence);
  const system = await openSystem(config);
  try {
    await refuseNewerFormat(system.side);
    await refuseLostVault(system);
    await refuseStoresOfAnotherLog(system, { groups: false });
    await markFormat(system.side, release);
    await recordRestores(system, new Date());
    return { system, actor: await operator(system, as) };
  } catch (error) {
    await system.close();
    throw error;
  }
}

/** Opens the stores without running a projector. `actor`: of what the command appends. */
export async function withStores<Result>(
  line: CommandLine,
  work: (system: System, actor: Actor) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(line.environment);
  requireData(config);
  for (const sentence of missingFiles(config)) console.error(sentence);
  const system = await openSystem(config);
  try {
    await refuseNewerFormat(system.side);
    return await work(system, await operator(system, line.as));
  } finally {
    await system.close();
  }
}

/** Aborts when the process is told to stop, so that a command can clean up. A second signal ends it at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  return stop.signal;
}

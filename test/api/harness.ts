import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildServer } from '../../src/api/server.ts';
import type { ServerDependencies } from '../../src/api/dependencies.ts';
import { commandApiKey, createApiKey, type NewApiKey } from '../../src/commands/keys.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { commons, type KeyScope, type teamScopes } from '../../src/events/teams.ts';
import { readConfig, type Config } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import type { Category } from '../../src/events/directory/category.ts';
import type { CommandContext } from '../../src/events/metadata.ts';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import { projections } from '../../src/projections/all.ts';
import { promptly } from '../../src/projections/engine/pace.ts';
import { project } from '../../src/projections/engine/projector.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { untilShown } from '../../src/projections/until-shown.ts';
import { ImportJobs } from '../../src/imports/import-jobs.ts';
import type { Position } from '../../src/stores/event-store/port.ts';
import { TableLimits } from '../../src/stores/limits/table-limits.ts';
import { MemoryRateLimiter } from '../../src/stores/limits/memory-rate-limiter.ts';
import type { Limits, RateLimiter } from '../../src/stores/limits/port.ts';
import { dropDatabase, engineSettings } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import type { ImportJobParts } from '../../src/imports/carry-out.ts';

export const v1 = '/dash/api/v1/resources';
export const legacy = '/api/resources';

/** Every read model, by name. */
const everyView = projections.map(({ collection }) => collection.name);

export interface RunningSystem {
  readonly folder: string;
  readonly system: System;
  readonly server: FastifyInstance;
  /** Where the server listens, once it has been asked to. */
  listen(): Promise<string>;
  /** Another server on the same stores, with its own memory of limits and pauses. */
  another(settings?: ServerSettings): Promise<FastifyInstance>;
  team(slug: string, scopes?: readonly (typeof teamScopes)[number][]): Promise<void>;
  /** A key in clear, ready to be used. */
  key(options?: Partial<NewApiKey>): Promise<TestKey>;
  revoke(keyId: string, through?: System): Promise<void>;
  /** Public resources, in one go. Answers their svc_ids. */
  resources(
    count: number,
    options?: { team?: string; fields?: (index: number) => Partial<UnsealedFields> },
  ): Promise<string[]>;
  submission(team: string, fields?: Partial<UnsealedFields>): Promise<string>;
  command(svcId: string, command: Parameters<typeof commandResource>[2]): Promise<void>;
  /** Nothing moves the read models on while this works: whoever projects stands still. */
  withoutProjector<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Until every read model shows all that has been done so far. */
  caughtUp(position?: Position): Promise<void>;
  stop(): Promise<void>;
}

export interface TestKey {
  readonly keyId: string;
  readonly key: string;
  /** The Authorization header. */
  readonly bearer: { readonly authorization: string };
}

export type ServerSettings = Partial<
  Pick<
    ServerDependencies,
    | 'now'
    | 'ready'
    | 'problems'
    | 'stopping'
    | 'logger'
    | 'domainLookups'
    | 'requestDurations'
    | 'uniformStepMs'
  >
> & {
  readonly environment?: Readonly<Record<string, string>>;
  /** How imports that people start are carried out. */
  readonly imports?: Partial<Pick<ImportJobParts, 'rest' | 'mostBytes' | 'onFault'>>;
};

/** A whole system in a folder of its own, or a given one: real stores, the real projector, the real server. */
export async function startSystem(
  settings: ServerSettings = {},
  folder = temporaryFolder(),
): Promise<RunningSystem> {
  const system = await openSystem(configOf(folder.path, settings));
  const { store, documents, side, leases } = system;
  const startProjecting = () => {
    const stopping = new AbortController();
    // No read model rests between two commits: a file of tests waits for each change.
    const ended = project({
      ...{ store, documents, side, leases, projections, pace: promptly },
      signal: stopping.signal,
    });
    return async () => {
      stopping.abort();
      await ended;
    };
  };
  let stopProjecting = startProjecting();
  const servers: FastifyInstance[] = [];

  const another = async (own: ServerSettings = {}) => {
    const config = configOf(folder.path, own);
    const server = await buildServer({
      ...system,
      config,
      rateLimiter: limitsOf(config),
      uniformStepMs: own.uniformStepMs ?? 1,
      limits: withNumbers(system, config),
      ready: own.ready ?? (() => Promise.resolve({ ready: true })),
      ...(own.problems ? { problems: own.problems } : {}),
      ...(own.stopping ? { stopping: own.stopping } : {}),
      ...(own.now ? { now: own.now } : {}),
      ...(own.imports
        ? { imports: new ImportJobs({ ...system, now: own.now, onFault: console.error, ...own.imports }) }
        : {}),
      ...(own.domainLookups ? { domainLookups: own.domainLookups } : {}),
      ...(own.requestDurations ? { requestDurations: own.requestDurations } : {}),
      ...(own.logger === undefined ? {} : { logger: own.logger }),
    });
    servers.push(server);
    return server;
  };
  const server = await another(settings);
  const caughtUp = async (position?: Position) =>
    visible(documents, everyView, position ?? (await store.head()), 120_000);

  const running: RunningSystem = {
    folder: folder.path,
    system,
    server,
    another,
    caughtUp,
    async withoutProjector(work) {
      await stopProjecting();
      try {
        return await work();
      } finally {
        stopProjecting = startProjecting();
      }
    },
    listen: () => server.listen({ host: '127.0.0.1', port: 0 }),
    async team(slug, scopes = []) {
      const made = [await commandTeam(store, { kind: 'create', team: slug, name: slug }, context())];
      if (scopes.length > 0)
        made.push(await commandTeam(store, { kind: 'enable-scopes', team: slug, scopes }, context()));
      await untilShown(documents, made);
    },
    async key(options = {}) {
      const {
        kind = 'developer',
        scopes = ['resources:read', 'resources:submit'] as KeyScope[],
        domains = [],
      } = options;
      const made = await createApiKey(
        system,
        { ...options, kind, scopes, domains },
        randomBytes(32),
        context(),
      );
      if (made.key === undefined) throw new Error('A new key is shown.');
      await untilShown(documents, made.outcome);
      return { keyId: made.keyId, key: made.key, bearer: { authorization: `Bearer ${made.key}` } };
    },
    async revoke(keyId, through = system) {
      await untilShown(
        through.documents,
        await commandApiKey(through.store, keyId, { kind: 'revoke' }, context()),
      );
    },
    async resources(count, { team = commons.team, fields = () => ({}) } = {}) {
      const made = await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const { state } = await submitResource(
            system,
            { team, fields: fieldsOf(index, fields(index)) },
            context(),
          );
          if (!state) throw new Error('A submission makes a resource.');
          await commandResource(system, state.svc_id, { kind: 'approve' }, context());
          return state.svc_id;
        }),
      );
      await caughtUp();
      return made;
    },
    async submission(team, fields = {}) {
      const { state, position } = await submitResource(
        system,
        { team, fields: fieldsOf(0, fields) },
        context(),
      );
      if (!state) throw new Error('A submission makes a resource.');
      await caughtUp(position);
      return state.svc_id;
    },
    async command(svcId, command) {
      const { position } = await commandResource(system, svcId, command, context());
      await caughtUp(position);
    },
    async stop() {
      for (const each of servers) await each.close();
      await stopProjecting();
      await system.close();
      await dropDatabase(folder.path);
      folder.remove();
    },
  };
  await commandTeam(store, { kind: 'create', ...commons }, context());
  await caughtUp();
  return running;
}

/** A second client of the same stores, as another process would open them. */
export const openAnother = ({ folder }: RunningSystem): Promise<System> => openSystem(configOf(folder, {}));

export const context = (): CommandContext => ({
  actor: { kind: 'system', id: 'test' },
  commandId: crypto.randomUUID(),
  at: new Date(),
});

/** The counts of a system under other numbers. */
function withNumbers({ limits }: System, config: Config): Limits {
  if (!(limits instanceof TableLimits)) throw new Error('The limits are not those of the table.');
  return limits.withNumbers(config.limits);
}

/** The limit of keys, as one process alone has it. */
export const limitsOf = ({ limits }: Config): RateLimiter =>
  new MemoryRateLimiter({ points: limits.key, windowSeconds: 60 });

/** A file of tests has one person do what thousands do. */
const manyOfAll = {
  CODES_PER_HOUR: '1000000',
  REFRESHES_PER_HOUR: '1000000',
  CHANGES_PER_HOUR: '1000000',
  SIGN_INS_PER_HOUR: '1000000',
};

function configOf(directory: string, { environment = {} }: ServerSettings) {
  return readConfig({
    DATA_DIR: directory,
    ...engineSettings(directory),
    RATE_LIMIT_PER_MINUTE: '100000',
    ...manyOfAll,
    ...environment,
  });
}

const kinds: readonly Category[] = ['food', 'housing', 'mental', 'legal'];

export function fieldsOf(index: number, fields: Partial<UnsealedFields>): UnsealedFields {
  return {
    name: `Resource ${index}`,
    category: kinds[index % kinds.length] ?? 'other',
    locations: [{ city: 'Springfield' }],
    phones: [{ number: '555-0100' }],
    ...fields,
  };
}

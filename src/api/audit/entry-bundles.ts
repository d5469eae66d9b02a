import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBundle } from '../../audit/proof-log/read-bundle.ts';
import { ProofError } from '../../audit/proof-log/errors.ts';
import { recordEntriesRead } from '../../actions/audit-readings.ts';
import { StoreError } from '../../stores/errors.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ServerDependencies } from '../dependencies.ts';
import type { Caller } from '../http/key-lookup.ts';
import { callerOf, type Guard } from '../http/key-guard.ts';
import { resourceProblem } from '../http/responses/api-errors.ts';
import { bundlesPath } from './log-paths.ts';
import { asFile, requestedTile } from './requested-tile.ts';

const compressed = promisify(gzip);

/** The entries themselves: whole events, for keys of the installation. */
export function serveBundles(
  scope: FastifyInstance,
  { store, proofLog, guard, now = () => new Date() }: ServerDependencies & { readonly guard: Guard },
): void {
  const recorded = new RecordedReaders(store);
  scope.decorateRequest('caller', undefined);
  scope.get<{ Params: { '*': string } }>(`${bundlesPath}*`, {
    onRequest: guard('audit:read', unlessOfInstallation),
    schema: { hide: true },
    handler: async (request, reply) => {
      const { index, width } = await requestedTile(`entries/${request.params['*']}`, proofLog);
      const bundle = await readBundle({ store, proofLog }, index, width).catch(asFault);
      await recorded.reading({
        key: callerOf(request).keyId,
        at: now(),
        bundle: index,
        events: width,
        request,
      });
      void asFile(reply, 'private').header('vary', 'authorization, accept-encoding');
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(bundle);
      return reply.header('content-encoding', 'gzip').send(await compressed(bundle));
    },
  });
}

/** A team sees what concerns it, by /audit/v1/events. Bundles hold everybody's events. */
const unlessOfInstallation = ({ kind }: Caller) =>
  kind === 'installation'
    ? undefined
    : resourceProblem(
        'forbidden',
        'Entry bundles hold the events of all teams: they need an installation key with audit:read.',
      );

function asFault(error: unknown): never {
  if (error instanceof ProofError) throw new StoreError('incompatible', error.message, { cause: error });
  throw error;
}

interface Reading {
  readonly key: string;
  readonly at: Date;
  readonly bundle: number;
  readonly events: number;
  readonly request: FastifyRequest;
}

const hourMs = 3_600_000;

/**
 * Records a key's first reading of an hour, which stands for the others: whoever follows the log would otherwise add
 * an entry with each reading, and would never reach its end.
 */
class RecordedReaders {
  readonly #store: EventStore;
  /** By key: the hour, and the record of it. */
  readonly #readers = new Map<string, { readonly hour: number; readonly recorded: Promise<unknown> }>();

  constructor(store: EventStore) {
    this.#store = store;
  }

  /** Resolves when the reading is recorded. @throws StoreError unavailable, full: nothing may be shown */
  async reading({ key, at, bundle, events, request }: Reading): Promise<void> {
    const hour = Math.floor(at.getTime() / hourMs);
    const before = this.#readers.get(key);
    if (before?.hour === hour) {
      await before.recorded;
      return;
    }
    const until = new Date((hour + 1) * hourMs).toISOString();
    const recorded = recordEntriesRead(
      { store: this.#store },
      { bundle, until, events },
      { actor: { kind: 'key', id: key }, commandId: crypto.randomUUID(), at, correlationId: request.id },
    );
    this.#readers.set(key, { hour, recorded });
    try {
      await recorded;
    } catch (error) {
      this.#readers.delete(key);
      throw error;
    }
  }
}

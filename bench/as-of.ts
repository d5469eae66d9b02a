import { join } from 'node:path';
import { answerAsOf, type AsOfRequest } from '../src/audit/as-of/ask.ts';
import { scanForLastNotAfter } from '../src/audit/as-of/log-times.ts';
import { Moments } from '../src/audit/as-of/moment.ts';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import type { DomainEvent } from '../src/events/catalogue.ts';
import { streamName } from '../src/events/define.ts';
import { resourceStream } from '../src/events/directory/resource.ts';
import { clientStream } from '../src/events/oauth/client.ts';
import { integerId, svcIdOf, uuidOf } from '../src/events/ids.ts';
import { newEvent } from '../src/events/new-event.ts';
import { resources } from '../src/projections/directory/resources.ts';
import { project } from '../src/projections/engine/projector.ts';
import { nameOf, type AnyProjection } from '../src/projections/engine/read-model.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import { apiKeys } from '../src/projections/keys.ts';
import { consents } from '../src/projections/oauth-consents.ts';
import { grants } from '../src/projections/oauth-grants.ts';
import { subscriptions } from '../src/projections/webhooks/subscriptions.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { alternate, inWords, type Row } from './measure.ts';
import { eventsAPerson, seedMixedLog } from './mixed-log.ts';
import { scanFile } from './rebuild.ts';
import { resourceFieldsOf } from './seed.ts';

const rounds = 5;
const longStream = 10_000;

/** The site of every twentieth person of the mixed log. */
const client = `site_bench${'0'.repeat(12)}`;

/** The times of the long stream, a second apart, after all others. */
const began = Date.UTC(2026, 0, 2);
const timeOf = (revision: number): Date => new Date(began + revision * 1_000);

/**
 * Milliseconds of what was true at a time, over a log of mixed events and one record that was revised ten thousand times:
 * one stream beside reading it, the position of a time beside a search through the whole log, and each question beside
 * reading and parsing each event once. The read models are built.
 */
export async function asOfRows(size: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const system = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const { store, side, personal, documents } = system;
  await seedMixedLog(store, Math.ceil((size - longStream) / eventsAPerson));
  await registerSite(system);
  const stream = await revisedOften(system);
  await buildReadModels(system);
  const now = () => timeOf(longStream);
  const at = timeOf(longStream / 2);
  const moment = await new Moments({ store, side, now }).of({ at: at.toISOString() });
  const end = await new Moments({ store, side, now }).of({ at: now().toISOString() });
  const reader = { opens: new Set<never>() };
  const answer = async (asked: AsOfRequest, when = end) => {
    const { total } = await answerAsOf({ store, personal, documents }, asked, when, reader, { limit: 100 });
    // Nobody subscribes in this log: only the reading of it is measured.
    if (total === 0 && asked.question !== 'subscriptions') throw new Error(`No ${asked.question}.`);
  };

  const kept = new Moments({ store, side, now });
  await kept.of({ at: at.toISOString() });
  const rows: Row[] = [
    {
      what: `position of a time, for the first time in a process, ms ÷ a scan of ${inWords(size)} events`,
      ...(await alternate(
        rounds,
        () => milliseconds(() => scanForLastNotAfter(store, at.getTime())),
        () => milliseconds(() => new Moments({ store, side, now }).of({ at: at.toISOString() })),
      )),
      aim: '',
    },
    {
      what: `the same, asked again, ms ÷ a scan of ${inWords(size)} events`,
      ...(await alternate(
        rounds,
        () => milliseconds(() => scanForLastNotAfter(store, at.getTime())),
        () => milliseconds(() => kept.of({ at: at.toISOString() })),
      )),
      aim: '',
    },
    {
      what: `a stream of ${inWords(longStream)} events at its middle, ms ÷ reading the stream`,
      ...(await alternate(
        rounds,
        () => milliseconds(() => store.readStream(stream)),
        () => milliseconds(() => answer({ question: 'streams', stream }, moment)),
      )),
      aim: '',
    },
  ];
  const team = 'team-0';
  const questions: readonly AsOfRequest[] = [
    { question: 'keys' },
    { question: 'members', team },
    { question: 'subscriptions', team },
    { question: 'directory', team },
    { question: 'consents', client },
    { question: 'tokens', client },
  ];
  const log = join(folder.path, 'events.db');
  for (const asked of questions)
    rows.push({
      what: `${asked.question} at the end of ${inWords(size)} events, ms ÷ scan and parse`,
      ...(await alternate(
        rounds,
        () => milliseconds(() => scanFile(log)),
        () => milliseconds(() => answer(asked)),
      )),
      aim: '',
    });
  await system.close();
  folder.remove();
  return rows;
}

/** Those that name the streams which a question concerns. */
async function buildReadModels(system: System): Promise<void> {
  const some = [apiKeys, resources, subscriptions, consents, grants];
  const projections = some as unknown as readonly AnyProjection[];
  const stop = new AbortController();
  const ended = project({ ...system, projections, signal: stop.signal });
  await visible(system.documents, projections.map(nameOf), await system.store.head(), 30 * 60_000);
  stop.abort();
  await ended;
}

/** The mixed log does not register its sites, and a site that is not registered has no consents. */
async function registerSite({ store }: System): Promise<void> {
  const stream = streamName(clientStream, client);
  const registered: DomainEvent = {
    type: 'ClientRegistered',
    data: {
      client,
      team: 'team-0',
      name: 'Bench',
      redirect_uris: ['https://site.example/callback'],
      post_logout_redirect_uris: [],
      scopes: ['openid', 'profile', 'email'],
      first_party: false,
      status: 'active',
    },
  };
  const context = {
    actor: { kind: 'system', id: 'bench' } as const,
    commandId: uuidOf('bench', 'as-of', client),
    at: new Date(began),
  };
  await store.append(stream, [newEvent(stream, registered, 0, context)], 'no_stream');
}

/** One record with many revisions; answers the name of its stream. */
async function revisedOften({ store }: System): Promise<string> {
  const id = integerId('bench', 'as-of');
  const svc_id = svcIdOf(id);
  const stream = streamName(resourceStream, svc_id);
  const fields = resourceFieldsOf(0);
  const eventAt = (revision: number): DomainEvent =>
    revision === 0
      ? { type: 'ResourceSubmitted', data: { svc_id, id, team: 'team-0', fields } }
      : { type: 'ResourceRevised', data: { fields: { ...fields, hours: `From ${revision}` } } };
  for (let from = 0; from < longStream; from += 500) {
    const made = Array.from({ length: 500 }, (_, n) => {
      const revision = from + n;
      const context = {
        actor: { kind: 'system', id: 'bench' } as const,
        commandId: uuidOf('bench', 'as-of', String(revision)),
        at: timeOf(revision),
      };
      return newEvent(stream, eventAt(revision), 0, context);
    });
    await store.append(stream, made, 'any');
  }
  return stream;
}

async function milliseconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

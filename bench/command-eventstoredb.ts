import { randomBytes } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, type JSONType } from '@eventstore/db-client';
import { commandTeam } from '../src/commands/teams/team.ts';
import { submitResource } from '../src/commands/directory/resource.ts';
import { streamName } from '../src/events/define.ts';
import type { DomainEvent } from '../src/events/catalogue.ts';
import { integerId, svcIdOf } from '../src/events/ids.ts';
import { newEvent } from '../src/events/new-event.ts';
import { resourceStream } from '../src/events/directory/resource.ts';
import { teamStream } from '../src/events/teams.ts';
import { PersonalData } from '../src/personal/personal-data.ts';
import { EventStoreDbStore } from '../src/stores/event-store/eventstoredb/store.ts';
import { EmbeddedVault } from '../src/stores/vault/embedded.ts';
import { median, type Row } from './measure.ts';
import { resourceFieldsOf, submissionOf } from './seed.ts';
import { noGroups } from '../test/support/groups.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { freshName } from './servers.ts';

type Work = () => Promise<unknown>;

/**
 * How long a command takes that waits for no read model, against the append of an event of the same size by the
 * client library as it comes. A command reads before it appends: one that creates a team reads a stream that is
 * not there yet; one that submits a resource reads its team, too.
 */
export async function commandRows(url: string): Promise<Row[]> {
  const namespace = freshName();
  const store = new EventStoreDbStore({ url, namespace, groups: noGroups });
  const folder = temporaryFolder();
  const vault = new EmbeddedVault(folder.path, randomBytes(32));
  const parts = { store, personal: new PersonalData(vault) };
  const client = EventStoreDBClient.connectionString(url);
  const team = { team: 'commons', name: 'Commons' };
  const fields = resourceFieldsOf(1);
  await commandTeam(store, { kind: 'create', ...team }, context());
  let made = 0;
  const append = (stream: string, event: DomainEvent) => {
    const { id, type, data, metadata } = newEvent(stream, event, 0, context());
    const same = jsonEvent({ id, type, data: data as JSONType, metadata: { ...metadata } });
    return client.appendToStream(`${namespace}.raw-${stream}`, same, { expectedRevision: 'no_stream' });
  };
  const nextTeam = () => ({ team: `team-${++made}`, name: 'A team' });
  const nextResource = () => {
    const id = integerId('bench', namespace, String(++made));
    return { svc_id: svcIdOf(id), id, team: team.team, fields };
  };
  const rawTeam = () => {
    const data = nextTeam();
    return append(streamName(teamStream, data.team), { type: 'TeamCreated', data });
  };
  const rawResource = () => {
    const data = nextResource();
    return append(streamName(resourceStream, data.svc_id), { type: 'ResourceSubmitted', data });
  };
  const rawRead = async () => {
    const read = client.readStream(`${namespace}.none-${++made}`);
    // It says that there is no such stream by an error, and that is its answer.
    await new Promise((resolve) => read.on('error', resolve).on('end', resolve).resume());
  };
  const contenders = {
    rawTeam,
    rawTeamRead: async () => {
      await rawRead();
      await rawTeam();
    },
    createTeam: () => commandTeam(store, { kind: 'create', ...nextTeam() }, context()),
    rawResource,
    submit: () => submitResource(parts, { team: team.team, fields: submissionOf(1) }, context()),
  };
  const rows: Row[] = [];
  for (const [underWay, calls] of [
    [1, 100],
    [50, 1_000],
  ] as const) {
    const of = await middles(contenders, underWay, calls);
    const row = (what: string, baseline: number, ours: number, aim: string): Row => ({
      what: `${what}, ${underWay} under way: p50 (ms)`,
      baseline,
      ours,
      aim,
    });
    rows.push(
      row('create a team (read, append) ÷ raw append', of.rawTeam, of.createTeam, '≤ 1.3'),
      row('create a team (read, append) ÷ raw read and append', of.rawTeamRead, of.createTeam, ''),
      row('submit a resource (two reads, append) ÷ raw append', of.rawResource, of.submit, ''),
    );
  }
  await store.close();
  await vault.close();
  folder.remove();
  await client.dispose();
  return rows;
}

const context = () => ({
  actor: { kind: 'system', id: 'bench' } as const,
  commandId: crypto.randomUUID(),
  at: new Date(),
});

const rounds = 9;

/** Milliseconds of each contender's middle call, all of them taking turns; the first turn warms up. */
async function middles<Name extends string>(
  contenders: Readonly<Record<Name, Work>>,
  underWay: number,
  calls: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const took = await timed(contenders[name], underWay, calls);
      if (round > 0) times.get(name)?.push(...took);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

async function timed(work: Work, underWay: number, calls: number): Promise<number[]> {
  const times: number[] = [];
  let left = calls;
  const worker = async () => {
    while (left-- > 0) {
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: underWay }, worker));
  return times;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditConditions } from '../src/audit/search-filter.ts';
import { searchEvents } from '../src/audit/search.ts';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import { subjectsOf, subjectText } from '../src/events/audit-subjects.ts';
import { actorsOf } from '../src/projections/audit-terms.ts';
import { auditEvents } from '../src/projections/audit.ts';
import {
  nameOf,
  projected,
  type AnyProjection,
  type ProjectedEvent,
} from '../src/projections/engine/read-model.ts';
import { project } from '../src/projections/engine/projector.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import { beginning } from '../src/stores/event-store/port.ts';
import { percentile, type Row } from './measure.ts';
import { eventsAPerson, seedMixedLog } from './mixed-log.ts';

const pages = 200;
const limit = 25;

/** A page of the audit log by each condition: from the index to the events read from their streams. */
export async function auditSearchRows(size: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'commonweal-bench-'));
  const open = () => openSystem(readConfig({ DATA_DIR: folder }));
  try {
    const system = await open();
    await seedMixedLog(system.store, Math.ceil(size / eventsAPerson));
    await indexed(system);
    const some = await sampleOf(system);
    await system.close();
    const rows: Row[] = [];
    for (const [name, conditionsOf] of Object.entries(questions)) {
      const again = await open();
      const ms: number[] = [];
      for (let page = 0; page < pages; page++) {
        const event = some[(page * 7_919) % some.length] as ProjectedEvent;
        const asked = { ...conditionsOf(event), limit, newestFirst: page % 2 === 0, withParts: true };
        const began = performance.now();
        await searchEvents(again, asked);
        ms.push(performance.now() - began);
      }
      await again.close();
      const what = `audit search in ${size.toLocaleString('en')} events, by ${name}`;
      rows.push({ what: `${what}: first page of a process, ms`, ours: ms[0] ?? Number.NaN, aim: '< 20' });
      rows.push({ what: `${what}: p95, ms`, ours: percentile(ms, 0.95), aim: '< 20' });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Question {
  readonly conditions: AuditConditions;
  readonly team?: string | undefined;
  readonly place?: number;
}

const questions: Readonly<Record<string, (event: ProjectedEvent) => Question>> = {
  nothing: ({ position }) => ({ conditions: {}, place: Number(position) }),
  actor: ({ metadata, position }) => ({
    conditions: { actor: actorsOf(metadata.actor)[0] ?? '' },
    place: Number(position),
  }),
  subject: (event) => {
    const [first] = subjectsOf(event);
    return { conditions: first ? { subject: subjectText(first) } : {} };
  },
  type: ({ type, position }) => ({ conditions: { type }, place: Number(position) }),
  stream: ({ stream }) => ({ conditions: { stream } }),
  correlation: ({ metadata }) => ({ conditions: { correlation: metadata.correlation_id } }),
  time: ({ metadata, position }) => ({
    conditions: {
      from: new Date(Date.parse(metadata.at) - 3_600_000),
      until: new Date('2026-03-01T00:00:00Z'),
    },
    place: Number(position),
  }),
  'team and type': ({ type, position }) => ({
    conditions: { type },
    team: `team-${Number(position) % 40}`,
    place: Number(position),
  }),
};

async function indexed({ store, documents, side, leases }: System): Promise<void> {
  const stop = new AbortController();
  const projections = [auditEvents] as readonly unknown[] as readonly AnyProjection[];
  const done = project({ store, documents, side, leases, projections, signal: stop.signal });
  await visible(documents, projections.map(nameOf), await store.head(), 3_600_000);
  stop.abort();
  await done;
}

/** Events from all over the log. */
async function sampleOf({ store }: System): Promise<ProjectedEvent[]> {
  const some: ProjectedEvent[] = [];
  for (let after = beginning; ;) {
    const { events, position } = await store.readAll({ after, limit: 1_000 });
    if (position === after) return some;
    some.push(...events.filter((_, index) => index % 97 === 0).map(projected));
    after = position;
  }
}

import { z } from 'zod';
import { usageOf } from '../audit/key-usage.ts';
import { namesOfEvents } from '../audit/names-of-events.ts';
import { onceIndexed } from '../audit/once-indexed.ts';
import { shownLines } from '../audit/operation-lines.ts';
import { BadQuestion, conditionParameters, readConditions } from '../audit/search-filter.ts';
import { eventOf, searchEvents, type Among, type FoundEvent } from '../audit/search.ts';
import { actorText } from '../audit/sentences/sentences.ts';
import { typesOfWhat, whatOf } from '../audit/sentences/what-happened.ts';
import { shown, type ShownEvent } from '../audit/shown-event.ts';
import { walk, type Cause, type WalkNode } from '../audit/walk.ts';
import { recordAccess } from '../commands/audit.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { withLabel } from '../commands/keys-label.ts';
import type { AuditQuestion } from '../events/audit.ts';
import { defined } from '../ground/defined.ts';
import { throttle } from '../ground/throttle.ts';
import { apiKeys } from '../projections/keys.ts';
import { action, type ActionParts, type Performing } from './action.ts';

export const readsAudit = { right: 'read the audit log', scope: 'audit:read', whenClosed: true } as const;

/**
 * Records what somebody is about to be shown: nothing is shown that cannot be recorded. What is read of a team belongs to the
 * team. @throws StoreError unavailable, full
 */
export async function recordReading(
  { store }: Pick<ActionParts, 'store'>,
  { who: { team }, context }: Pick<Performing, 'who' | 'context'>,
  question: AuditQuestion,
  filter: Readonly<Record<string, string | undefined>>,
  events: number,
): Promise<void> {
  const named = defined<Record<string, string | undefined>>({ ...filter, team: team ?? filter['team'] });
  const data = { question, filter: named as Record<string, string>, events };
  await recordAccess(store, { type: 'AuditQueried', data }, context);
}

/** Of what kind, by whom of several, and about which of several: one of each list fits. */
const several = z.object({
  what: z.string().max(100).optional(),
  // The service has some two dozen parts.
  actors: z.array(z.string()).max(40).optional(),
  subjects: z.array(z.string()).max(10).optional(),
});
type Several = z.output<typeof several>;

/** @throws BadQuestion for what cannot happen */
function amongOf({ what, actors, subjects }: Several): Among | undefined {
  const types = what === undefined ? undefined : typesOfWhat(what);
  if (what !== undefined && types === undefined)
    throw new BadQuestion('what is none of the kinds of events.');
  const isNarrow = [types, actors, subjects].some((each) => each !== undefined);
  return isNarrow ? { types, actors, subjects } : undefined;
}

/** As the reading of the log is recorded. */
const recordedAmong = ({ what, actors, subjects }: Several): Readonly<Record<string, string>> =>
  defined({ what, actors: actors?.join(','), subjects: subjects?.join(',') });

/** Searches the events that somebody may see. @throws BadQuestion (refused) for a condition that means nothing */
export const searchLog = action({
  name: 'audit.search',
  ...readsAudit,
  input: z.object({
    conditions: conditionParameters,
    newestFirst: z.boolean(),
    withParts: z.boolean(),
    place: z.number().optional(),
    limit: z.int(),
    ...several.shape,
  }),
  async run(parts, { conditions, what, actors, subjects, ...page }, by) {
    const { team } = by.who;
    const read = readConditions(conditions, by.context.at);
    const among = amongOf({ what, actors, subjects });
    const { found, next } = await searchEvents(parts, { conditions: read, among, team, ...page });
    const filter = { ...conditions, ...recordedAmong({ what, actors, subjects }) };
    const shownOf = async () => {
      const names = await namesOfEvents(parts, found, team);
      return page.withParts ? found.map((each) => shown(each, names)) : shownLines(parts, found, names);
    };
    // The log is written while the names are looked up. What cannot be recorded is not answered.
    const recording = recordReading(parts, by, 'events', filter, found.length);
    const [events] = await Promise.all([shownOf(), recording]);
    return { changes: [], value: () => ({ events, next }) };
  },
});

/** The most events in a table. Whoever wants more chooses a shorter time, or an export. */
export const mostInTable = 10_000;
const perRead = 500;

/** An event as a line of a table. */
export interface TableLine {
  readonly id: string;
  readonly at: string;
  /** The name of who did it, where the reader may see it. */
  readonly who: string;
  readonly what: string;
  readonly sentence: string;
  readonly team: string | null;
}

/** All events of a search, at most 10,000, as lines of a table. */
export const downloadLog = action({
  name: 'audit.download',
  ...readsAudit,
  input: searchLog.input.omit({ place: true, limit: true }).extend({ atMost: z.int().default(mostInTable) }),
  async run(parts, { conditions, atMost, ...search }, by) {
    const { team } = by.who;
    const read = readConditions(conditions, by.context.at);
    const among = amongOf(search);
    const lines: TableLine[] = [];
    // Others have their turn: it may read thousands of events.
    const rest = throttle();
    let place: number | undefined;
    do {
      const limit = Math.min(perRead, atMost - lines.length);
      const { newestFirst, withParts } = search;
      const page = { newestFirst, withParts, place, limit };
      const { found, next } = await searchEvents(parts, { conditions: read, among, team, ...page });
      const names = await namesOfEvents(parts, found, team);
      const events = withParts
        ? found.map((each) => shown(each, names))
        : await shownLines(parts, found, names);
      for (const [index, { id, at, type, sentence, team: of }] of events.entries()) {
        const { event, team: its } = found[index] as (typeof found)[number];
        const who = event ? actorText({ ...event, team: its }, names) : '';
        lines.push({ id, at, who, what: whatOf(type)?.label ?? type, sentence, team: of });
      }
      place = next;
      await rest();
    } while (place !== undefined && lines.length < atMost);
    await recordReading(parts, by, 'events', { ...conditions, ...recordedAmong(search) }, lines.length);
    return { changes: [], value: () => lines };
  },
});

/** Shows one event, or proves it. */
export const readEvent = action({
  name: 'audit.event',
  ...readsAudit,
  input: z.object({ id: z.uuid(), question: z.enum(['events', 'proof']).default('events') }),
  async run(parts, { id, question }, by) {
    const { team } = by.who;
    const found = await onceIndexed(parts, () => eventOf(parts, id, team));
    await recordReading(parts, by, question, { event: id }, found ? 1 : 0);
    if (!found) throw new CommandRefused('not_found', 'There is no such event that you may see.');
    const event = shown(found, await namesOfEvents(parts, [found], team));
    return { changes: [], value: () => ({ found, event }) };
  },
});

/** An event with what it caused. */
export interface ShownNode extends ShownEvent {
  /** Of the first of a tree: why it happened. */
  readonly cause?: { readonly kind: Cause['kind']; readonly id?: string; readonly sentence?: string };
  readonly effects: readonly ShownNode[];
}

/** Shows a request as a tree of causes and effects. `id`: of the request, or of one of its events. */
export const followRequest = action({
  name: 'audit.follow',
  ...readsAudit,
  input: z.object({ id: z.uuid() }),
  async run(parts, { id }, by) {
    const { team } = by.who;
    const tree = await onceIndexed(parts, () => walk(parts, id, team));
    const { correlation = id, events = [], roots = [], truncated = false } = tree ?? {};
    await recordReading(parts, by, 'correlation', { correlation }, events.length);
    if (!tree)
      throw new CommandRefused(
        'not_found',
        'There is no event and no request with this id that you may see.',
      );
    const elsewhere = roots.flatMap(({ cause }) => (cause?.kind === 'event' ? [cause.event] : []));
    const names = await namesOfEvents(parts, [...events, ...elsewhere], team);
    const show = (found: FoundEvent) => shown(found, names);
    const nodeOf = ({ found, cause, effects }: WalkNode): ShownNode => ({
      ...show(found),
      ...(cause && {
        cause: {
          kind: cause.kind,
          ...('id' in cause ? { id: cause.id } : {}),
          ...(cause.kind === 'event' ? { sentence: show(cause.event).sentence } : {}),
        },
      }),
      effects: effects.map(nodeOf),
    });
    const value = { correlation, events: events.length, truncated, roots: roots.map(nodeOf) };
    return { changes: [], value: () => value };
  },
});

/** Shows what a key was used for, also after its revocation. */
export const readKeyUse = action({
  name: 'audit.key-use',
  ...readsAudit,
  input: z.object({ key: z.string(), days: z.int().positive() }),
  async run(
    parts: ActionParts & { readonly keyUsage: { readonly flush: () => Promise<void> } },
    { key: id, days },
    by,
  ) {
    const { team } = by.who;
    const found = await parts.documents.collection(apiKeys.collection).get(id);
    if (!found || (team !== undefined && found.team !== team))
      throw new CommandRefused('not_found', 'There is no such key that you may see.');
    await parts.keyUsage.flush();
    const usage = await usageOf(parts.side, id, { days, now: by.context.at });
    await recordReading(parts, by, 'key-usage', { key: id, days: String(days) }, 0);
    const key = await withLabel(parts.personal, found);
    return { changes: [], value: () => ({ key, usage }) };
  },
});

import { z } from 'zod';
import { usageOf } from '../audit/key-usage.ts';
import { knownNames } from '../audit/known-names.ts';
import { onceIndexed } from '../audit/once-indexed.ts';
import { shownLines } from '../audit/operation-lines.ts';
import { conditionParameters, readConditions } from '../audit/search-filter.ts';
import { eventOf, searchEvents, type FoundEvent } from '../audit/search.ts';
import { shown, type ShownEvent } from '../audit/shown-event.ts';
import { walk, type Cause, type WalkNode } from '../audit/walk.ts';
import { recordAccess } from '../commands/audit.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { withLabel } from '../commands/keys-label.ts';
import type { AuditQuestion } from '../events/audit.ts';
import { defined } from '../ground/defined.ts';
import { apiKeys } from '../projections/keys.ts';
import { action, type ActionParts, type Performing } from './action.ts';

export const readsAudit = { right: 'read the audit log', scope: 'audit:read' } as const;

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
  }),
  async run(parts, { conditions, ...page }, by) {
    const { team } = by.who;
    const read = readConditions(conditions, by.context.at);
    const { found, next } = await searchEvents(parts, { conditions: read, team, ...page });
    const names = await knownNames(parts, found, team);
    await recordReading(parts, by, 'events', conditions, found.length);
    const events = page.withParts
      ? found.map((each) => shown(each, names))
      : await shownLines(parts, found, names);
    return { changes: [], value: () => ({ events, next }) };
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
    const event = shown(found, await knownNames(parts, [found], team));
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
    const names = await knownNames(parts, [...events, ...elsewhere], team);
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

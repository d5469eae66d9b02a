import { z } from 'zod';
import { bulkOf, commandBulk } from '../../commands/directory/bulk.ts';
import type { BulkDecision } from '../../events/directory/bulk.ts';
import { svcId } from '../../events/directory/resource.ts';
import { uuidOf } from '../../events/ids.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { BulkReport } from '../../imports/bulk-state.ts';
import { action, type Performance, type Performing } from '../action.ts';
import {
  changeInput,
  changeOf,
  decision,
  jobsOf,
  MoreFit,
  mostRecords,
  type BulkActionParts,
} from './bulk.ts';
import { fittingRecords } from './fitting-records.ts';
import { reviewed } from './records.ts';

/** Which records are meant, and what becomes of them. `total`: how many fit the filter, as whoever asks knows it. */
const manyInput = changeInput.extend({
  ids: z.array(svcId).min(1).max(mostRecords).optional(),
  filter: z.string().max(4_000).optional(),
  total: z.int().min(0).optional(),
});

const manyDecided = manyInput.extend({ decision });

/**
 * Decides about many records at once: those that are named, or all that fit a filter. For callers that ask nobody before.
 */
export const decideMany = (decision: BulkDecision) =>
  action({
    name: `directory.bulk-${decision}`,
    ...reviewed,
    once: true,
    input: manyInput,
    run: (parts: BulkActionParts, input, by) => decidedMany(parts, { ...input, decision }, by),
  });

/** The same, for callers that say which decision. Of a filter they say how many records they expect. */
export const beginMany = action({
  name: 'directory.bulk',
  ...reviewed,
  once: true,
  input: manyDecided,
  run: (parts: BulkActionParts, input, by) => {
    if (input.filter !== undefined && input.total === undefined)
      throw new CommandRefused('invalid', 'total: say how many records fit the filter, as you know it.');
    return decidedMany(parts, input, by);
  },
});

async function decidedMany(
  parts: BulkActionParts,
  { ids, filter, total, decision, ...rest }: z.output<typeof manyDecided>,
  { who, context, another, watched, inTime }: Performing,
): Promise<Performance<{ readonly bulk: string; readonly report: BulkReport | undefined }>> {
  const [jobs, { store, documents }] = [jobsOf(parts), parts];
  const of = { team: who.team ?? '', id: uuidOf('bulk', context.commandId) };
  const change = changeOf(decision, rest, context.at);
  if ((ids === undefined) === (filter === undefined))
    throw new CommandRefused('invalid', 'Name the records, or a filter that they fit: one of the two.');
  const fitting = { team: of.team, filter: filter ?? '', now: context.at };
  const begunBefore = async () => {
    if (!(await bulkOf(store, of.id))) return undefined;
    const begin = { kind: 'begin', team: of.team, number: 0, change } as const;
    const begun = await commandBulk(store, of.id, begin, context);
    const report = await jobs.report(of);
    return { changes: begun, value: () => ({ bulk: of.id, report }) };
  };
  const before = await begunBefore();
  if (before) return before;
  const all = ids ? [...new Set(ids)] : await fittingRecords(documents, fitting, mostRecords);
  if (total !== undefined && all.length > total) throw new MoreFit(total, all.length);
  if (!(await jobs.records.claim(of)))
    throw new CommandRefused('conflict', 'The same request is being carried out. Send it again in a moment.');
  const meanwhile = await begunBefore();
  if (meanwhile) return meanwhile;
  await jobs.records.putIds(of, all);
  const progress = { onProgress: (_: number): void => undefined };
  const { begun, ended } = await jobs.begin({
    ...{ ...of, change, actor: context.actor, number: all.length },
    context: another,
    onProgress: (done) => progress.onProgress(done),
  });
  const work = watched({
    name: 'Deciding',
    total: () => Promise.resolve(all.length),
    work({ onProgress }) {
      progress.onProgress = onProgress;
      return ended;
    },
  });
  const report = await inTime(work);
  return { changes: begun, value: () => ({ bulk: of.id, report }) };
}

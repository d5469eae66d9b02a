import { z } from 'zod';
import { bulkOf, noBulk } from '../../commands/directory/bulk.ts';
import { category } from '../../events/directory/category.ts';
import { bulkDecisions, type BulkChange, type BulkDecision } from '../../events/directory/bulk.ts';
import { isoDate } from '../../events/directory/opening-hours.ts';
import { svcId } from '../../events/directory/resource.ts';
import { uuidOf } from '../../events/ids.ts';
import { counted } from '../../ground/counted.ts';
import { defined } from '../../ground/defined.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { BulkJobs } from '../../imports/bulk-jobs.ts';
import type { BulkDraft, BulkReport } from '../../imports/bulk-state.ts';
import type { JobState } from '../../imports/team-jobs.ts';
import type { UndoneRecords } from '../../imports/undo-records.ts';
import { bulkActions, type BulkDocument } from '../../projections/directory/bulk-actions.ts';
import { action, type ActionParts } from '../action.ts';
import type { Listing } from '../listing.ts';
import { countFitting, fittingRecords } from './fitting-records.ts';
import { undoInTime } from './past-imports.ts';
import { reviewed, words } from './records.ts';

/** What a bulk action is begun with: the jobs of a server, or nothing at a command line, which waits for it. */
export interface BulkActionParts extends ActionParts {
  readonly bulk?: BulkJobs;
}

/** So many records are decided about at once at most. */
export const mostRecords = 200_000;

/** The bulk actions of a team, the newest first. */
export const bulkList: Listing<BulkDocument, BulkDocument> = {
  name: 'directory-bulk-actions',
  ...reviewed,
  readModel: bulkActions,
  orderBy: ['began_at', 'bulk'],
  descending: true,
  id: z.uuid(),
  none: noBulk,
  open: (_, docs) => Promise.resolve(docs),
};

/** A bulk action, with how far it or its undoing is, and what they came to. */
export interface BulkInDetail extends BulkDocument {
  readonly progress?: Pick<JobState, 'done' | 'total'> | undefined;
  readonly report?: BulkReport | undefined;
  readonly undone?: UndoneRecords | undefined;
}

export const bulkInDetail: Listing<BulkDocument, BulkInDetail> = {
  ...bulkList,
  open: (parts: BulkActionParts, docs) =>
    Promise.all(
      docs.map(async (doc) => {
        const [jobs, of] = [jobsOf(parts), { team: doc.team, id: doc.bulk }];
        const found = [jobs.underWay(of), jobs.report(of), jobs.undoReport(of)] as const;
        const [work, report, undone] = await Promise.all(found);
        return { ...doc, progress: work?.state, report, undone };
      }),
    ),
};

export const decision = z.enum(bulkDecisions);

/**
 * Asks about a decision: keeps the records that it is about, so that a page can show how many they are before anything is
 * done. `filter`: the query of a table, all of which is meant; `total`: how many records it showed; `zone`: in which its days begin.
 */
export const draftBulk = action({
  name: 'directory.draft-bulk',
  ...reviewed,
  once: true,
  input: z
    .object({
      decision,
      ids: z.array(svcId).max(mostRecords).optional(),
      filter: z.string().max(4_000).optional(),
      total: z.int().min(0).optional(),
      zone: z.string().optional(),
    })
    .refine(({ ids, filter }) => filter !== undefined || (ids !== undefined && ids.length > 0), {
      path: ['ids'],
      message: 'tick at least one record',
    }),
  async run(parts: BulkActionParts, { decision, ids = [], filter, total, zone }, { who, context }) {
    const { records } = jobsOf(parts);
    const of = { team: who.team ?? '', id: uuidOf('bulk', context.commandId) };
    const distinct = [...new Set(ids)];
    const number =
      filter === undefined
        ? distinct.length
        : await countFitting(parts.documents, { team: of.team, filter, zone, now: context.at });
    if (filter === undefined) await records.putIds(of, distinct);
    await records.putDraft({ ...of, decision, total: number, ...defined({ filter, zone }) });
    const grown = filter !== undefined && total !== undefined && number > total;
    return { changes: [], value: () => ({ id: of.id, grown }) };
  },
});

/** Somebody has been shown a smaller number of records than fit now. The question is asked again. */
export class MoreFit extends CommandRefused {
  constructor(before: number, now: number) {
    super(
      'conflict',
      `You were shown ${counted(before, 'record')}. Meanwhile ${counted(now, 'record fits', 'records fit')}. Nothing was done: look at them again first.`,
    );
  }
}

export const changeInput = z.object({
  reason: words.optional(),
  category: category.optional(),
  day: isoDate.optional(),
});

/** Does what was asked about. It outlives whoever asked for it, and repeated, it goes on where it was cut off. */
export const beginBulk = action({
  name: 'directory.begin-bulk',
  ...reviewed,
  input: changeInput.extend({ id: z.uuid() }),
  wrongField: { invalid: 'reason' },
  async run(parts: BulkActionParts, { id, ...rest }, { who, context, another, inTime }) {
    const jobs = jobsOf(parts);
    const of = { team: who.team ?? '', id };
    if (await bulkOf(parts.store, id)) return { changes: [], value: () => undefined };
    const draft = await jobs.records.draft(of);
    if (!draft) throw noBulk();
    const change = changeOf(draft.decision, rest, context.at);
    const number = draft.filter === undefined ? draft.total : await fillDraft(parts, jobs, draft, context.at);
    const report = await inTime(jobs.run({ ...of, actor: context.actor, change, number, context: another }));
    return { changes: [], value: () => report };
  },
});

/** Keeps the records that fit now. @throws CommandRefused conflict, when they are more than were shown */
async function fillDraft(
  { documents }: ActionParts,
  { records }: BulkJobs,
  draft: BulkDraft,
  now: Date,
): Promise<number> {
  const ids = await fittingRecords(
    documents,
    { team: draft.team, filter: draft.filter ?? '', zone: draft.zone, now },
    mostRecords,
  );
  if (ids.length > draft.total) {
    await records.putDraft({ ...draft, total: ids.length });
    throw new MoreFit(draft.total, ids.length);
  }
  await records.putIds(draft, ids);
  return ids.length;
}

/** Stops a bulk action that runs. What is done stays, and can be undone. */
export const cancelBulk = action({
  name: 'directory.cancel-bulk',
  ...reviewed,
  input: z.object({ id: z.uuid() }),
  async run(parts: BulkActionParts, { id }, { who, context }) {
    const state = await bulkOf(parts.store, id);
    if (!state || (who.team !== undefined && state.team !== who.team)) throw noBulk();
    if (state.phase === 'begun')
      await jobsOf(parts).records.cancel({ team: state.team, id }, context.actor.id);
    return { changes: [], value: () => id };
  },
});

/** Takes back what a bulk action did, where nobody has decided or changed anything since. */
export const undoBulk = action({
  name: 'directory.undo-bulk',
  ...reviewed,
  input: z.object({ id: z.uuid() }),
  async run(parts: BulkActionParts, { id }, by) {
    const state = await bulkOf(parts.store, id);
    const { team } = by.who;
    if (!state || (team !== undefined && state.team !== team)) throw noBulk();
    const undone = { team: state.team, id, total: state.number };
    const report = await undoInTime(jobsOf(parts), undone, by);
    return { changes: [], value: () => ({ bulk: id, report }) };
  },
});

/** The jobs of this process, or those of a command line, which rests for nobody. */
export const jobsOf = ({ bulk: jobs, store, documents, side, leases, personal }: BulkActionParts): BulkJobs =>
  jobs ??
  new BulkJobs({
    ...{ store, documents, side, leases, personal },
    onFault: () => undefined,
    rest: () => undefined,
  });

/** @throws CommandRefused invalid, where the decision lacks what it needs */
export function changeOf(
  decision: BulkDecision,
  { reason, category, day }: z.output<typeof changeInput>,
  at: Date,
): BulkChange {
  if (decision === 'reject' && reason === undefined)
    throw new CommandRefused('invalid', 'Say why they are rejected.');
  if (decision === 'kind') {
    if (category === undefined) throw new CommandRefused('invalid', 'Choose the new category.');
    return { decision, category };
  }
  if (decision === 'verified') {
    if (day === undefined) throw new CommandRefused('invalid', 'Say on which day they were verified.');
    // Somewhere on earth it is tomorrow already.
    if (Date.parse(day) > at.getTime() + 24 * 3_600_000)
      throw new CommandRefused('invalid', 'This day has not come yet.');
    return { decision, day };
  }
  return { decision, ...defined({ reason }) };
}

import { z } from 'zod';
import {
  eraseReport,
  noReport,
  openReports,
  resolveReport,
  type MistakeOutcomeOf,
  type ReportTexts,
} from '../../../commands/directory/upkeep/mistake.ts';
import { mistakeOutcome } from '../../../events/directory/upkeep/mistake.ts';
import { mistakes, type MistakeDocument } from '../../../projections/directory/upkeep/mistakes.ts';
import { action, type ActionParts, type Performing } from '../../action.ts';
import { oneOf, type Listing } from '../../listing.ts';
import { byTeam, reviewed } from '../records.ts';

/** A report of a mistake in a public record, with what it says. */
export type Report = Omit<MistakeDocument, 'said' | 'rank'> & ReportTexts;

/** The reports about records of a team: open ones first, the oldest first. */
export const reportList: Listing<MistakeDocument, Report> = {
  name: 'mistake-reports',
  ...reviewed,
  readModel: mistakes,
  orderBy: ['rank', 'reported_at', 'report'],
  id: z.uuid(),
  none: noReport,
  async open({ personal }, docs) {
    const texts = await openReports(personal, docs);
    return docs.map(({ said: _, rank: _rank, ...doc }, place) => ({ ...doc, ...texts[place] }));
  },
};

/** Says what came of a report. */
export const resolve = action({
  name: 'directory.resolve-report',
  ...reviewed,
  input: z.object({ id: z.uuid(), outcome: mistakeOutcome }),
  run: async (parts, { id, outcome }, by) =>
    settled(parts, id, by, await resolveReport(parts, id, { outcome, ...byTeam(by.who) }, by.context)),
});

/** Erases what a report says and how to reach whoever sent it, for ever. */
export const erase = action({
  name: 'directory.erase-report',
  ...reviewed,
  input: z.object({ id: z.uuid() }),
  run: async (parts, { id }, by) =>
    settled(parts, id, by, await eraseReport(parts, id, byTeam(by.who), by.context)),
});

const settled = (parts: ActionParts, id: string, { who }: Performing, changes: MistakeOutcomeOf) => ({
  changes,
  value: () => oneOf(reportList, parts, who.team, id),
});

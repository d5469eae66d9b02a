import { z } from 'zod';
import { loadAgencyAsking, noteNotReached } from '../../../commands/directory/upkeep/agency-asking.ts';
import { commandResource } from '../../../commands/directory/resource.ts';
import { svcId } from '../../../events/directory/resource.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import { resources } from '../../../projections/directory/resources.ts';
import { action, done, type ActionParts } from '../../action.ts';
import { byTeam, commanded } from '../records.ts';
import type { CallReason } from './agency-reach.ts';
import {
  dueBefore,
  dueRecords,
  usualDays,
  withoutCalled,
  type AskingParts,
  type DuePlace,
  type ReachedRecord,
} from './asking-plan.ts';

const dayMs = 86_400_000;
/** A record about which nobody was reached is on the list again after so many days. */
export const calledAgainDays = 7;
/** Records of a page of the list, if nothing else is chosen, and the most that are looked at for one. */
const rowsOfPage = 25;
const mostLookedAt = 2_000;
const atOnce = 200;

export interface CallRow {
  readonly record: ReachedRecord['record'];
  readonly reason: CallReason;
}

export interface CallPage {
  readonly rows: readonly CallRow[];
  /** Where the list goes on. Undefined: it ends here. */
  readonly next: DuePlace | undefined;
}

/**
 * Records that are due and that no mail can ask about, or whose contacts did not answer, those that were confirmed first first.
 * While a team does not ask by mail, all that are due.
 */
export async function callList(
  parts: Pick<AskingParts, 'store' | 'documents' | 'personal' | 'config'>,
  team: string,
  after: DuePlace | undefined,
  now: Date,
  limit = rowsOfPage,
): Promise<CallPage> {
  const chosen = await loadAgencyAsking(parts.store, team);
  const mails = chosen?.on === true && parts.config.smtpUrl !== undefined;
  const before = dueBefore(chosen?.after_days ?? usualDays(parts.config), now);
  const today = now.toISOString().slice(0, 10);
  const rows: CallRow[] = [];
  let place = after;
  let seen = 0;
  for await (const { records, end } of dueRecords(parts, { team, before, after, atOnce }, now)) {
    const toCall = records.filter(({ reach }) => reach.kind === 'call' || (!mails && reach.kind === 'ask'));
    const left = await withoutCalled(parts, toCall, today);
    const free = limit - rows.length;
    const shown = left.slice(0, free);
    rows.push(...shown.map(({ record, reach }) => ({ record, reason: reasonOf(reach) })));
    const last = shown.at(-1)?.record;
    if (left.length > free && last) return { rows, next: placeOf(last) };
    place = end;
    seen += records.length;
    if (!end || seen >= mostLookedAt) break;
  }
  return { rows, next: place };
}

const reasonOf = (reach: ReachedRecord['reach']): CallReason =>
  reach.kind === 'call' ? reach.reason : 'not-by-mail';

const placeOf = ({ confirmedOn, number }: ReachedRecord['record']): DuePlace => [confirmedOn, number];

/** Somebody called the agency, which said that the record is still right. */
export const confirmByPhone = action({
  name: 'directory.confirm-by-phone',
  right: 'review records',
  input: z.object({ svc_id: svcId }),
  once: true,
  async run(parts, { svc_id }, { who, context }) {
    const command = { kind: 'confirm', by: 'agency', ...byTeam(who) } as const;
    return commanded(await commandResource(parts, svc_id, command, context));
  },
});

/** Somebody called the agency and reached nobody. */
export const notReached = action({
  name: 'directory.not-reached',
  right: 'review records',
  input: z.object({ svc_id: svcId }),
  async run(parts: ActionParts, { svc_id }, { who, context }) {
    const doc = await parts.documents.collection(resources.collection).get(svc_id);
    if (!doc || (who.team !== undefined && doc.team !== who.team))
      throw new CommandRefused('not_found', 'There is no such record in your directory.');
    const again_on = new Date(context.at.getTime() + calledAgainDays * dayMs).toISOString().slice(0, 10);
    return done(await noteNotReached(parts, { svc_id, team: doc.team, again_on }, context));
  },
});

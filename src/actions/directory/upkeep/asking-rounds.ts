import { askAgencyContact } from '../../../commands/directory/upkeep/agency-contact.ts';
import { isTeamClosed } from '../../../commands/teams/team.ts';
import { uuidOf } from '../../../events/ids.ts';
import type { CommandContext } from '../../../events/metadata.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import { NotYetVisible, visible } from '../../../projections/engine/read-your-writes.ts';
import { paginateAll } from '../../../projections/engine/paginate.ts';
import { organizations } from '../../../projections/directory/organizations.ts';
import { recordLookup } from '../../../projections/directory/record-lookup.ts';
import { resources } from '../../../projections/directory/resources.ts';
import {
  agencyAskings,
  agencyCalls,
  type AgencyAskingDocument,
} from '../../../projections/directory/upkeep/agency-asking.ts';
import { agencyContacts } from '../../../projections/directory/upkeep/agency-contacts.ts';
import { carryOutSettled } from './agency-answers.ts';
import { dueRecordsOf } from './agency-reach.ts';
import { putAgencyMails, type MailContext } from './asking-mails.ts';
import {
  dueBefore,
  localDay,
  planAsking,
  usualDays,
  zoneOfTeam,
  type AskingCounts,
  type AskingParts,
  type PlannedAsk,
} from './asking-plan.ts';

const levelWithinMs = 60_000;
/** Mails are written on workdays from nine to five, where the team is. */
const hours = { from: 9, before: 17 } as const;
/** The most mails of a team in a round, and in an hour: a mail server takes them one after the other. */
const mostInRound = 200;
const mostInHour = 3_000;
const hourMs = 3_600_000;
/** So many days are made up for, such as a long weekend. Whoever was passed over for longer waits for their next day. */
const mostMadeUp = 4;

/** What was found on the last day on which the records of a team were looked through. */
export interface SearchedDay {
  /** The number of the day since 1970 in the zone of the team. Its contacts are asked. */
  readonly day: number;
  readonly at: string;
  readonly counts: AskingCounts;
}

/** Of each team, the last day whose contacts all were asked. */
export const searchedDays = ({ side }: Pick<AskingParts, 'side'>) =>
  side.table<SearchedDay>('agency-asking-days');

interface Plan {
  readonly day: number;
  readonly counts: AskingCounts;
  readonly left: PlannedAsk[];
}

/**
 * The rounds in which agencies are asked, of one process. Each team has its records looked through once a day; then its
 * contacts of the day are asked, some in each round. A process that begins anew looks through them anew, and nobody is asked twice:
 * the stream of a contact refuses it.
 */
export function agencyRounds(parts: AskingParts, context: MailContext): (now: Date) => Promise<void> {
  const plans = new Map<string, Plan>();
  return async (now) => {
    if (!(await isLevel(parts))) return;
    await carryOutSettled(parts, now);
    if (parts.config.smtpUrl === undefined) return;
    const asking = await paginateAll(parts.documents.collection(agencyAskings.collection), {
      where: { on: 1 },
      orderBy: ['team'],
    });
    for (const each of asking) await askForTeam(parts, plans, each, now);
    if (!(await isLevel(parts))) return;
    await putAgencyMails(parts, context, now);
  };
}

async function isLevel({ documents, store }: AskingParts): Promise<boolean> {
  const models = [agencyContacts, agencyAskings, agencyCalls, resources, recordLookup, organizations];
  try {
    await visible(
      documents,
      models.map(({ collection }) => collection.name),
      await store.head(),
      levelWithinMs,
    );
    return true;
  } catch (error) {
    if (error instanceof NotYetVisible) return false;
    throw error;
  }
}

async function askForTeam(
  parts: AskingParts,
  plans: Map<string, Plan>,
  { team, after_days = usualDays(parts.config) }: AgencyAskingDocument,
  now: Date,
): Promise<void> {
  const { day, hour, isWorkday } = localDay(await zoneOfTeam(parts, team), now);
  if (!isWorkday || hour < hours.from || hour >= hours.before) return;
  const table = searchedDays(parts);
  const last = (await table.get(team))?.day ?? day - 1;
  if (last >= day || (await isTeamClosed(parts.store, team))) return;
  let plan = plans.get(team);
  if (plan?.day !== day) {
    // Days on which nobody was asked, such as a weekend, are made up for.
    const days = Array.from({ length: Math.min(day - last, mostMadeUp) }, (_, back) => day - back);
    const { asks, counts } = await planAsking(
      parts,
      { team, before: dueBefore(after_days, now), days, today: day },
      now,
    );
    plan = { day, counts, left: [...asks] };
    plans.set(team, plan);
  }
  const left = mostInHour - (await mailedSince(parts, team, now.getTime() - hourMs));
  for (const each of plan.left.splice(0, Math.max(0, Math.min(left, mostInRound))))
    await askContact(parts, team, each, now);
  if (plan.left.length > 0) return;
  await table.put(team, { day, at: now.toISOString(), counts: plan.counts });
  plans.delete(team);
}

const mailedSince = ({ documents }: AskingParts, team: string, since: number): Promise<number> =>
  documents.collection(agencyContacts.collection).count({
    where: { team },
    also: [{ field: 'mailed_at', from: new Date(since).toISOString() }],
    atMost: mostInHour,
  });

/**
 * What was planned some time ago may be so no more: a record is asked about if it is public and still tells the address, which may
 * have been erased; the rest is refused by the stream of the contact.
 */
async function askContact(
  parts: AskingParts,
  team: string,
  { contact, address, svcIds, language }: PlannedAsk,
  now: Date,
): Promise<void> {
  const docs = await parts.documents.collection(resources.collection).getMany(svcIds);
  const listed = [...docs.values()].filter((doc) => doc.listed === 1);
  const records = await dueRecordsOf(
    parts,
    listed.map((doc) => ({ ...doc, confirmedOn: '' })),
  );
  const telling = new Set(
    records.flatMap(({ svcId, addresses }) =>
      addresses.some((each) => each.contact === contact) ? svcId : [],
    ),
  );
  const svc_ids = svcIds.filter((svcId) => telling.has(svcId));
  if (svc_ids.length === 0) return;
  const mailed_at = now.toISOString();
  // Of two processes that ask on one day, one does.
  const ask = uuidOf('agency-ask', contact, mailed_at.slice(0, 10));
  try {
    await askAgencyContact(
      parts,
      { contact, address, team, ask, svc_ids, language, mailed_at },
      byAgencyMails(ask, now),
    );
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
  }
}

const byAgencyMails = (commandId: string, at: Date): CommandContext => ({
  actor: { kind: 'system', id: 'agency-mails' },
  commandId,
  at,
});

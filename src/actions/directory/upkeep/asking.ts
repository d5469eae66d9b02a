import { z } from 'zod';
import { chooseAgencyAsking, loadAgencyAsking } from '../../../commands/directory/upkeep/agency-asking.ts';
import { askingDays } from '../../../events/directory/upkeep/agency-asking.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import type { MasterKey } from '../../../ground/master-key.ts';
import { SealedValue } from '../../../ground/seal.ts';
import {
  agencyContacts,
  type AgencyContactDocument,
} from '../../../projections/directory/upkeep/agency-contacts.ts';
import { action, done, type ActionParts } from '../../action.ts';
import { answerDays } from './agency-reach.ts';
import { agencyMail, type MailContext } from './asking-mails.ts';
import {
  dueBefore,
  localDay,
  planAsking,
  usualDays,
  zoneOfTeam,
  type AskingConfig,
  type AskingCounts,
  type AskingParts,
} from './asking-plan.ts';
import { searchedDays, type SearchedDay } from './asking-rounds.ts';

type Parts = ActionParts & { readonly config: AskingConfig };

const dayMs = 86_400_000;
/** Records that a preview looks at: as many as take a second or two. */
const previewed = 20_000;
const hourSeconds = 3_600;

/** That somebody has seen the first mail, and how many contacts there are. */
const seenPreviews = (masterKey: MasterKey) =>
  new SealedValue<{ readonly team: string; readonly after: number }>(
    masterKey,
    'agency-preview',
    hourSeconds,
  );

export const afterDays = z
  .int({ error: `must be a whole number of days, from ${askingDays.least} to ${askingDays.most}` })
  .min(askingDays.least)
  .max(askingDays.most);

const noMailServer = (): CommandRefused =>
  new CommandRefused('conflict', 'This service has no mail server, so agencies cannot be asked by mail.');

/** What would be asked, if the team asked from now on. */
export interface AskingPreview {
  readonly after_days: number;
  readonly counts: AskingCounts;
  /** There are more records that are due than were looked at. */
  readonly isPart: boolean;
  /** The first mail, with a link that does not work. Absent: there is nobody to ask. */
  readonly mail?: {
    readonly subject: string;
    readonly text: string;
    readonly organization: string | undefined;
  };
  /** To be given back with the choice to ask. It is good for an hour. */
  readonly seen: string;
}

/** Shows the first mail and counts the contacts. Nobody is asked by it. @throws CommandRefused conflict */
export async function previewAsking(
  parts: AskingParts,
  { team, after_days }: { readonly team: string; readonly after_days?: number | undefined },
  context: MailContext,
  now: Date,
): Promise<AskingPreview> {
  if (parts.config.smtpUrl === undefined) throw noMailServer();
  const days = after_days ?? usualDays(parts.config);
  const { day } = localDay(await zoneOfTeam(parts, team), now);
  const { asks, counts, isPart } = await planAsking(
    parts,
    { team, before: dueBefore(days, now), days: 'all', today: day, mostRecords: previewed },
    now,
  );
  const [first] = asks;
  const seen = seenPreviews(parts.masterKey).seal({ team, after: days }, now);
  if (!first) return { after_days: days, counts, isPart, seen };
  const about = {
    contact: 'preview',
    team,
    svc_ids: first.svcIds,
    language: first.language,
    to: '',
    at: now,
  };
  const { subject, text } = await agencyMail(parts, about, context);
  return {
    after_days: days,
    counts,
    isPart,
    seen,
    mail: { subject, text, organization: first.organization },
  };
}

/** A team asks its agencies from now on. Whoever chooses that has seen the preview. @throws CommandRefused conflict */
export const beginAsking = action({
  name: 'directory.begin-asking',
  right: 'change the team',
  input: z.object({ after_days: afterDays.optional(), seen: z.string().min(1).max(2_000) }),
  async run(parts: Parts, { after_days, seen }, { who: { team = '' }, context }) {
    if (parts.config.smtpUrl === undefined) throw noMailServer();
    const preview = seenPreviews(parts.masterKey).open(seen, context.at);
    if (preview?.team !== team || preview.after !== (after_days ?? usualDays(parts.config)))
      throw new CommandRefused(
        'conflict',
        'Look at the preview first: it shows the first mail, and how many contacts are asked.',
      );
    return done(await chooseAgencyAsking(parts, { team, on: true, after_days }, context));
  },
});

/** A team asks its agencies no more. Links that were mailed still work. */
export const endAsking = action({
  name: 'directory.end-asking',
  right: 'change the team',
  input: z.object({}),
  async run(parts: ActionParts, _, { who: { team = '' }, context }) {
    const before = await loadAgencyAsking(parts.store, team);
    return done(
      await chooseAgencyAsking(parts, { team, on: false, after_days: before?.after_days }, context),
    );
  },
});

/** How far asking has come. */
export interface AskingState {
  readonly on: boolean;
  readonly after_days: number;
  readonly usual: boolean;
  /** In the last 30 days. */
  readonly month: { readonly mailed: number; readonly answered: number; readonly silent: number };
  readonly stopped: number;
  readonly unreachable: number;
  /** As of the last day on which the records were looked through. */
  readonly last?: Pick<SearchedDay, 'at' | 'counts'>;
}

export async function askingState(
  parts: Pick<AskingParts, 'store' | 'documents' | 'side' | 'config'>,
  team: string,
  now: Date,
): Promise<AskingState> {
  const chosen = await loadAgencyAsking(parts.store, team);
  const collection = parts.documents.collection(agencyContacts.collection);
  const since = (days: number): string => new Date(now.getTime() - days * dayMs).toISOString();
  const countFrom = (field: 'mailed_at' | 'answered_at') =>
    collection.count({ where: { team }, also: [{ field, from: since(30) }] });
  const ofStatus = (status: AgencyContactDocument['status']) => collection.count({ where: { team, status } });
  const [mailed, answered, silent, stopped, unreachable, last] = await Promise.all([
    countFrom('mailed_at'),
    countFrom('answered_at'),
    collection.count({
      where: { team },
      also: [{ field: 'silent_since', from: since(30), before: since(answerDays) }],
    }),
    ofStatus('stopped'),
    ofStatus('unreachable'),
    searchedDays(parts).get(team),
  ]);
  return {
    on: chosen?.on ?? false,
    after_days: chosen?.after_days ?? usualDays(parts.config),
    usual: chosen?.after_days === undefined,
    month: { mailed, answered, silent },
    stopped,
    unreachable,
    ...(last && { last: { at: last.at, counts: last.counts } }),
  };
}

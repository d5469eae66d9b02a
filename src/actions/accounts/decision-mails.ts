import { chosenMails } from '../../commands/accounts/chosen-mails.ts';
import { findPerson } from '../../commands/accounts/person.ts';
import { findTeam } from '../../commands/teams/team.ts';
import { defined } from '../../ground/defined.ts';
import { Outbox } from '../../mail/outbox.ts';
import { ownSubmissions, type OwnSubmissionDocument } from '../../projections/directory/own-submissions.ts';
import { NotYetVisible, visible } from '../../projections/engine/read-your-writes.ts';
import type { SideTable } from '../../stores/side/port.ts';
import { peopleNamed } from './people-named.ts';
import type { ActionParts } from '../action.ts';
import { linkedPages } from '../linked-pages.ts';

/** So long after a decision the mail is written: what is undone until then is in no mail. */
export const settlesMs = 10 * 60_000;
/** One person gets at most one such mail in this time. */
export const betweenMs = 60 * 60_000;
/** Decisions that are older are not mailed any more, and a mail waits so long for the mail server. */
const lifeMs = 86_400_000;
/** A decision that is younger may come before one that another node has taken. */
const readAfterMs = 5_000;
const levelWithinMs = 60_000;
const pageSize = 1_000;
/** Each team of a person stands in the mail, up to so many records in all. */
const mostCounted = 100_000;

type Parts = Pick<ActionParts, 'store' | 'documents' | 'personal' | 'side' | 'masterKey'>;

type Sentence<Names extends string> = (values: Readonly<Record<Names, string | number>>) => string;
type ByStatus<Text> = Readonly<Record<OwnSubmissionDocument['status'], Text>>;

/** What such a mail says, in one language. */
export interface DecisionMailTexts {
  readonly subject: Sentence<'count' | 'written'>;
  readonly hello: string;
  readonly record: Sentence<'name' | 'team'>;
  readonly records: Sentence<'team'>;
  readonly states: ByStatus<string>;
  readonly counts: ByStatus<Sentence<'count' | 'written'>>;
  readonly reason: Sentence<'note'>;
  readonly sign: string;
  readonly why: string;
}

/** The mails to one person. `since`: the first decision that no mail has told. `upTo`: the last one in the mail being sent. */
interface Progress {
  readonly since?: string;
  readonly upTo?: string;
  readonly mailed_at?: string;
}

/**
 * Tells members by mail what became of the records that they submitted: what is so when the mail is written. `base`: the
 * address of the dashboard. Run again after a crash, it puts no mail a second time, and leaves no decision out.
 */
export async function mailDecisions(
  parts: Parts,
  base: string,
  textsIn: (language: string) => DecisionMailTexts,
  at: Date,
): Promise<void> {
  try {
    await visible(parts.documents, [ownSubmissions.collection.name], await parts.store.head(), levelWithinMs);
  } catch (error) {
    if (error instanceof NotYetVisible) return;
    throw error;
  }
  const people = parts.side.table<Progress>('decision-mails');
  const readUpTo = new Date(at.getTime() - readAfterMs).toISOString();
  await noteDecisions(parts, people, readUpTo, at);
  for (const { id: user, value } of await people.list()) {
    const { since, mailed_at } = value;
    if (since === undefined || isWithin(settlesMs, since, at) || isWithin(betweenMs, mailed_at, at)) continue;
    const upTo = value.upTo ?? readUpTo;
    // Before the mail is put: one that is put again after a crash tells the same.
    if (value.upTo === undefined) await people.put(user, { ...value, upTo });
    const news = await decisionsOf(parts, user, since, upTo);
    if (news.length > 0) await putMail(parts, { user, since, news, at }, base, textsIn);
    const last = news.length > 0 ? at.toISOString() : mailed_at;
    const [next] = await decisionsOf(parts, user, upTo, undefined, 1);
    await people.put(
      user,
      defined({ since: next?.since, mailed_at: last }),
      next ? undefined : new Date(at.getTime() + betweenMs),
    );
  }
}

/** Notes for each person the first decision that no mail has told. */
async function noteDecisions(
  { documents, side }: Parts,
  people: SideTable<Progress>,
  readUpTo: string,
  at: Date,
): Promise<void> {
  const read = side.table<string>('decision-mails-read');
  const last = await read.get('all');
  const oldest = new Date(at.getTime() - lifeMs).toISOString();
  // What was decided before there was a mail server is told by no mail.
  const from = last === undefined ? readUpTo : last < oldest ? oldest : last;
  let after = [from, '~'];
  for (;;) {
    const docs: readonly OwnSubmissionDocument[] = await documents
      .collection(ownSubmissions.collection)
      .page({ orderBy: ['since', 'svc_id'], after, upTo: [readUpTo, '~'], limit: pageSize });
    for (const doc of docs) {
      const progress = await people.get(doc.user);
      if (progress?.since === undefined && isNews(doc, from))
        await people.put(doc.user, { ...progress, since: doc.since });
    }
    const end = docs.at(-1);
    if (!end || docs.length < pageSize) break;
    after = [end.since, end.svc_id];
  }
  await read.put('all', readUpTo);
}

/** Whether it is news: somebody else has decided, or took a decision back that was told before `since`. */
const isNews = ({ status, by_submitter, decided_at = '~' }: OwnSubmissionDocument, since: string): boolean =>
  by_submitter === undefined && (status !== 'submitted' || decided_at < since);

/** What became of the records of a person since a decision. Without `upTo`: after it. */
async function decisionsOf(
  { documents }: Parts,
  user: string,
  since: string,
  upTo: string | undefined,
  most = mostCounted,
): Promise<readonly OwnSubmissionDocument[]> {
  const found: OwnSubmissionDocument[] = [];
  let after: readonly string[] = [since, upTo === undefined ? '~' : ''];
  for (;;) {
    const docs: readonly OwnSubmissionDocument[] = await documents
      .collection(ownSubmissions.collection)
      .page({
        where: { user },
        orderBy: ['since', 'svc_id'],
        after,
        ...(upTo === undefined ? {} : { upTo: [upTo, '~'] }),
        limit: pageSize,
      });
    found.push(...docs.filter((doc) => isNews(doc, since)));
    const end = docs.at(-1);
    if (!end || docs.length < pageSize || found.length >= most) return found.slice(0, most);
    after = [end.since, end.svc_id];
  }
}

const isWithin = (ms: number, since: string | undefined, at: Date): boolean =>
  since !== undefined && at.getTime() - Date.parse(since) < ms;

/** Puts the mail to a person who has confirmed their address, and has not chosen to get none. */
async function putMail(
  parts: Parts,
  {
    user,
    since,
    news,
    at,
  }: { user: string; since: string; news: readonly OwnSubmissionDocument[]; at: Date },
  base: string,
  textsIn: (language: string) => DecisionMailTexts,
): Promise<void> {
  const person = await findPerson(parts, user);
  if (!person?.verified || person.lapsed) return;
  const { decisions, language = 'en' } = await chosenMails(parts, person);
  const to = (await peopleNamed(parts, [user])).get(user)?.email ?? undefined;
  if (!decisions || to === undefined) return;
  const byTeam = Map.groupBy(news, ({ team }) => team);
  const sections = [];
  for (const [team, docs] of byTeam) {
    const state = await findTeam(parts.store, team);
    // Who has left a team cannot open its pages, nor can anybody those of a closed one.
    if (state && state.closing === undefined && (person.role === 'administrator' || state.members.has(user)))
      sections.push({ team, name: state.name, docs });
  }
  const count = sections.reduce((sum, { docs }) => sum + docs.length, 0);
  if (count === 0) return;
  const texts = textsIn(language);
  const written = (number: number) => ({ count: number, written: number.toLocaleString(language) });
  const text = [
    texts.hello,
    ...sections.flatMap(({ team, name, docs }) => [
      sectionOf(texts, name, docs, written),
      texts.sign,
      `${base}${linkedPages.ofTeam}/${encodeURIComponent(team)}${linkedPages.ownSubmissions}`,
    ]),
    texts.why,
    base + linkedPages.mails,
    'Commonweal\n',
  ].join('\n\n');
  await new Outbox(parts).putOnce(
    { to, subject: texts.subject(written(count)), text, unsubscribe: { page: base + linkedPages.mails } },
    {
      key: `decisions-${user}-${since}`,
      // Of the first decision: a mail that is put again after a crash has the same place.
      at: new Date(since),
      until: new Date(Math.max(at.getTime(), Date.parse(since)) + lifeMs),
    },
  );
}

function sectionOf(
  texts: DecisionMailTexts,
  team: string,
  docs: readonly OwnSubmissionDocument[],
  written: (number: number) => { readonly count: number; readonly written: string },
): string {
  const [first] = docs;
  if (first && docs.length === 1)
    return [
      texts.record({ name: first.name, team }),
      texts.states[first.status],
      ...(first.note === undefined ? [] : [texts.reason({ note: first.note })]),
    ].join('\n');
  const byStatus = Map.groupBy(docs, ({ status }) => status);
  return [
    texts.records({ team }),
    ...[...byStatus].map(([status, some]) => `  ${texts.counts[status](written(some.length))}`),
  ].join('\n');
}

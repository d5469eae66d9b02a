import { loadClaim } from '../../../../commands/directory/upkeep/claim.ts';
import { findTeam } from '../../../../commands/teams/team.ts';
import { Outbox } from '../../../../mail/outbox.ts';
import type { Mail } from '../../../../mail/port.ts';
import { claimOf } from '../../../../personal/personal-data.ts';
import { fieldsIn } from '../../../../projections/directory/document-fields.ts';
import { resources } from '../../../../projections/directory/resources.ts';
import { claims, type ClaimDocument } from '../../../../projections/directory/upkeep/claims.ts';
import { languageCodes } from '../../../../tables/language-codes.ts';
import { spokenGroup } from '../../../../tables/read-texts.ts';
import type { ActionParts } from '../../../action.ts';
import { linkedPages } from '../../../linked-pages.ts';
import { claimLinks, keptDays, proofHours } from './claim-links.ts';

type Sentence<Names extends string> = (values: Readonly<Record<Names, string | number>>) => string;

/** What such mails say, in one language. */
interface ClaimMailTexts {
  readonly subject: Sentence<'name'>;
  readonly hello: string;
  readonly claimed: Sentence<'name' | 'team'>;
  readonly press: string;
  readonly hours: Sentence<'hours'>;
  readonly notYou: string;
  readonly approvedSubject: Sentence<'team'>;
  readonly approved: Sentence<'name' | 'team'>;
  readonly open: string;
  readonly days: Sentence<'days'>;
  readonly refusedSubject: Sentence<'team'>;
  readonly refused: Sentence<'name' | 'team'>;
  readonly refusedWhy: Sentence<'reason'>;
  readonly suggest: string;
}

type Parts = Pick<ActionParts, 'store' | 'documents' | 'personal' | 'side' | 'masterKey'>;

/** How long such a mail waits for the mail server, and how long it is remembered that it was put, in milliseconds. */
const lifeMs = 86_400_000;
/** Times of other processes may be behind by so much, in milliseconds. */
const slackMs = 5 * 60_000;
const pageSize = 200;

const keyOf = (claim: string, mail = ''): string => `claim-${claim}-${mail}`;

/** Removes the mails about a claim that wait. */
export const withdrawClaimMails = (parts: Pick<Parts, 'side' | 'masterKey'>, claim: string) =>
  new Outbox(parts).withdrawBeginning(keyOf(claim));

/**
 * Puts the newest mail of each claim that has one. The event comes first: a process that is killed before the mail is put, puts
 * it when it runs again, and a mail that was put is never put again. `base`: the address of the public pages.
 */
export async function putClaimMails(parts: Parts, base: string, now: Date): Promise<void> {
  const table = parts.side.table<{ readonly upTo: string }>('claim-mails');
  const upTo = (await table.get('all'))?.upTo ?? new Date(now.getTime() - lifeMs).toISOString();
  let after: readonly [string, string] = [new Date(Date.parse(upTo) - slackMs).toISOString(), ''];
  for (;;) {
    const docs: readonly ClaimDocument[] = await parts.documents
      .collection(claims.collection)
      .page({ orderBy: ['mail_at', 'claim'], after, limit: pageSize });
    for (const doc of docs) await putMail(parts, doc, base, now);
    const last = docs.at(-1);
    if (last?.mail_at === undefined) return;
    after = [last.mail_at, last.claim];
    await table.put('all', { upTo: last.mail_at });
    if (docs.length < pageSize) return;
  }
}

async function putMail(parts: Parts, doc: ClaimDocument, base: string, now: Date): Promise<void> {
  const { claim, mail, mail_at, address_sealed, data_key } = doc;
  const at = new Date(mail_at ?? 0);
  const until = new Date(at.getTime() + lifeMs);
  if (mail === undefined || address_sealed === undefined || until <= now) return;
  const to = await parts.personal.open<string>(claimOf(data_key), address_sealed);
  const written = to === undefined ? undefined : await claimMail(parts, { ...doc, to, at }, base);
  if (!written) return;
  await new Outbox(parts).putOnce(written, { key: keyOf(claim, mail), at, until });
  // What has ended meanwhile gets none.
  if ((await loadClaim(parts.store, claim))?.erased !== false) await withdrawClaimMails(parts, claim);
}

async function claimMail(
  { store, documents, masterKey }: Pick<Parts, 'store' | 'documents' | 'masterKey'>,
  doc: ClaimDocument & { readonly to: string; readonly at: Date },
  base: string,
): Promise<Mail | undefined> {
  const [team, record] = await Promise.all([
    findTeam(store, doc.team),
    documents.collection(resources.collection).get(doc.svc_id),
  ]);
  if (!team || team.closing !== undefined || !record) return undefined;
  const texts = spokenGroup(
    languageCodes.includes(doc.language) ? doc.language : 'en',
    'claimMail',
  ) as unknown as ClaimMailTexts;
  const fields = fieldsIn(record, 'developer');
  const about = { name: (fields.organization?.name ?? fields.name).replaceAll(/\s+/g, ' '), team: team.name };
  const linkOf = (kind: 'proof' | 'kept') => {
    const link = claimLinks(masterKey, kind).seal({ claim: doc.claim, link: doc.link ?? '' }, doc.at);
    return `${base}${linkedPages.claim}?${new URLSearchParams({ link, lang: doc.language }).toString()}`;
  };
  const [subject, ...paragraphs] =
    doc.status === 'begun'
      ? [
          texts.subject(about),
          texts.claimed(about),
          texts.press,
          linkOf('proof'),
          texts.hours({ hours: proofHours }),
          texts.notYou,
        ]
      : doc.status === 'approved'
        ? [
            texts.approvedSubject(about),
            texts.approved(about),
            texts.open,
            linkOf('kept'),
            texts.days({ days: keptDays }),
          ]
        : [
            texts.refusedSubject(about),
            texts.refused(about),
            ...(doc.reason === undefined ? [] : [texts.refusedWhy({ reason: doc.reason })]),
            texts.suggest,
          ];
  const text = `${[texts.hello, ...paragraphs, team.name].join('\n\n')}\n`;
  return { to: doc.to, fromName: team.name, subject, text };
}

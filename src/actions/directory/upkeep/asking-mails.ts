import { loadAgencyContact } from '../../../commands/directory/upkeep/agency-contact.ts';
import { requireTeam } from '../../../commands/teams/team.ts';
import { Outbox } from '../../../mail/outbox.ts';
import type { Mail } from '../../../mail/port.ts';
import { agencyContactOf } from '../../../personal/personal-data.ts';
import { fieldsIn } from '../../../projections/directory/document-fields.ts';
import { resources } from '../../../projections/directory/resources.ts';
import {
  agencyContacts,
  type AgencyContactDocument,
} from '../../../projections/directory/upkeep/agency-contacts.ts';
import { languageCodes } from '../../../tables/language-codes.ts';
import { spokenGroup } from '../../../tables/read-texts.ts';
import { linkedPages } from '../../linked-pages.ts';
import { agencyLinks, agencyStopLinks, linkDays } from './agency-links.ts';
import type { AskingParts } from './asking-plan.ts';

type Sentence<Names extends string> = (values: Readonly<Record<Names, string | number>>) => string;

/** What such a mail says, in one language. */
export interface AgencyMailTexts {
  readonly subject: Sentence<'team'>;
  readonly hello: string;
  readonly why: Sentence<'count' | 'team'>;
  readonly what: string;
  readonly time: Sentence<'days'>;
  readonly stop: string;
  readonly sign: string;
  /** That the page is in this language too. */
  readonly also: string;
}

const spoken = new Map<string, AgencyMailTexts>();

/** What the mail says in a language of ours. */
function textsIn(language: string): AgencyMailTexts {
  const texts = spoken.get(language) ?? (spokenGroup(language, 'agencyMail') as unknown as AgencyMailTexts);
  spoken.set(language, texts);
  return texts;
}

/** How long such a mail waits for the mail server, and for how long it is remembered that it was put, in milliseconds. */
const lifeMs = 3 * 86_400_000;
/** Times of other processes may be behind by so much, in milliseconds. */
const slackMs = 5 * 60_000;
const pageSize = 200;
/** So many names of records stand in the mail. */
const mostNames = 10;

const keyOf = (contact: string, ask = ''): string => `agency-ask-${contact}-${ask}`;

/** The contact to which a waiting mail is, by its key. Undefined: it is another mail. */
export const contactOfMail = (id: string): string | undefined =>
  /^\d+-agency-ask-([0-9a-f]{64})-/.exec(id)?.[1];

/** Removes the mails to a contact that wait. */
export const withdrawAgencyMails = (parts: Pick<AskingParts, 'side' | 'masterKey'>, contact: string) =>
  new Outbox(parts).withdrawBeginning(keyOf(contact));

/** How far the mails are put, by the time of the event that each follows from. */
interface Progress {
  readonly upTo: string;
}

/**
 * Puts the mail of each question that has none yet. Whoever asks appends the event first; a process that is killed before the
 * mail is put, puts it when it runs again, and a mail that was put is never put again.
 */
export async function putAgencyMails(parts: AskingParts, context: MailContext, now: Date): Promise<void> {
  const table = parts.side.table<Progress>('agency-mails');
  const upTo = (await table.get('all'))?.upTo ?? new Date(now.getTime() - lifeMs).toISOString();
  let after: readonly [string, string] = [new Date(Date.parse(upTo) - slackMs).toISOString(), ''];
  for (;;) {
    const docs: readonly AgencyContactDocument[] = await parts.documents
      .collection(agencyContacts.collection)
      .page({ orderBy: ['mailed_at', 'contact'], after, limit: pageSize });
    for (const doc of docs) await putMail(parts, doc, context, now);
    const last = docs.at(-1);
    if (!last) return;
    after = [last.mailed_at, last.contact];
    await table.put('all', { upTo: last.mailed_at });
    if (docs.length < pageSize) return;
  }
}

export interface MailContext {
  /** The address of the public pages. */
  readonly base: string;
}

async function putMail(
  parts: AskingParts,
  doc: AgencyContactDocument,
  context: MailContext,
  now: Date,
): Promise<void> {
  const { contact, ask, mailed_at, address_sealed, status } = doc;
  const at = new Date(mailed_at);
  const until = new Date(at.getTime() + lifeMs);
  if (status !== 'open' || address_sealed === undefined || until <= now) return;
  const to = await parts.personal.open<string>(agencyContactOf(contact), address_sealed);
  if (to === undefined) return;
  const mail = await agencyMail(parts, { ...doc, to, at }, context);
  await new Outbox(parts).putOnce(mail, { key: keyOf(contact, ask), at, until });
  // Whoever has ended the mails meanwhile gets none.
  if ((await loadAgencyContact(parts.store, contact))?.status !== 'open')
    await withdrawAgencyMails(parts, contact);
}

/** The mail to a contact. */
export async function agencyMail(
  { store, documents, masterKey }: Pick<AskingParts, 'store' | 'documents' | 'masterKey'>,
  about: Pick<AgencyContactDocument, 'contact' | 'team' | 'svc_ids' | 'language'> & {
    readonly to: string;
    readonly at: Date;
  },
  { base }: MailContext,
): Promise<Mail> {
  const { contact, svc_ids, language, to, at } = about;
  const docs = await documents.collection(resources.collection).getMany(svc_ids);
  const names = svc_ids.flatMap((svcId) => {
    const doc = docs.get(svcId);
    return doc ? [fieldsIn(doc, 'developer').name] : [];
  });
  const { name: team } = await requireTeam(store, about.team);
  const texts = textsIn(languageCodes.includes(language) ? language : 'en');
  const linkTo = (path: string, link: string, lang = language) =>
    `${base}${path}?${new URLSearchParams({ link, lang }).toString()}`;
  const link = agencyLinks(masterKey).seal({ contact }, at);
  const stop = agencyStopLinks(masterKey).seal({ contact }, at);
  const count = svc_ids.length;
  const listed = names.slice(0, mostNames).map((name) => `- ${name.replaceAll(/\s+/g, ' ')}`);
  const text = [
    texts.hello,
    texts.why({ count, team }),
    [...listed, ...(names.length > mostNames ? ['- …'] : [])].join('\n'),
    texts.what,
    linkTo(linkedPages.agency, link),
    texts.time({ days: linkDays }),
    texts.stop,
    linkTo(linkedPages.agencyStop, stop),
    texts.sign,
    team,
    languageCodes
      .filter((each) => each !== language)
      .map((each) => `${textsIn(each).also}\n${linkTo(linkedPages.agency, link, each)}`)
      .join('\n\n'),
  ];
  return {
    to,
    fromName: team,
    subject: texts.subject({ team }),
    text: `${text.join('\n\n')}\n`,
    unsubscribe: { atOnce: `${base}${linkedPages.agencyStopAtOnce}?link=${stop}` },
  };
}

import { requireForm, type ExistingForm } from '../commands/forms.ts';
import { openSubmissions } from '../commands/forms-submissions.ts';
import { formVersions } from '../commands/forms-versions.ts';
import { findPerson } from '../commands/accounts/person.ts';
import { isTeamClosed, requireTeam } from '../commands/teams/team.ts';
import { wordsOf } from '../events/forms/answer-words.ts';
import { mayReadAnswers } from '../events/forms/readers.ts';
import { Outbox } from '../mail/outbox.ts';
import { paginate } from '../projections/engine/paginate.ts';
import { forms, formSubmissions, submissionOrder, type SubmissionDocument } from '../projections/forms.ts';
import { formOfficeOf } from '../personal/personal-data.ts';
import { mailTime } from '../tables/shown-time.ts';
import { peopleNamed } from './accounts/people-named.ts';
import type { ActionParts } from './action.ts';
import { stopLinkOf } from './teams/office-links.ts';
import { linkedPages } from './linked-pages.ts';

/** After a mail about a form, answers are gathered for this long. The first one after a pause is told at once. */
export const gatheredMs = 15 * 60_000;
/** An answer that is younger may come before one that another node has taken. */
const settledMs = 5_000;
/** How long such a mail waits for the mail server. */
const lifeMs = 86_400_000;
/** So many answers stand in one mail, where they do; of more, it says how many there are. */
const mostShown = 20;
const mostCounted = 1_000;

type Parts = Pick<ActionParts, 'store' | 'documents' | 'personal' | 'side' | 'masterKey'>;

/** Up to which answer members were told, and when. */
interface MailedAnswers {
  readonly after: readonly [submittedAt: string, submission: string];
  readonly at: string;
}

const keyOf = (form: string): string => `form-answers-${form}-`;
/** How the keys of the mails about answers to an address outside of the team begin. */
export const answerMailsOf = (form: string, office: string): string => `${keyOf(form)}office-${office}-`;

/**
 * Tells those whom the admins of each form have chosen that answers have come. `base`: the address of the dashboard.
 * Run again after a crash, it puts no mail a second time.
 */
export async function mailAnswers(parts: Parts, base: string, at: Date): Promise<void> {
  const mailed = parts.side.table<MailedAnswers>('form-answers-told');
  const all = { where: { told: 1 as const }, orderBy: ['form'] as const };
  for await (const { form, team, slug, mails, office } of paginate(
    parts.documents.collection(forms.collection),
    all,
  )) {
    if (await isTeamClosed(parts.store, team)) continue;
    const last = await mailed.get(form);
    if (last && at.getTime() - Date.parse(last.at) < gatheredMs) continue;
    const isMailed = mails !== undefined && mails.members.length > 0;
    const since = (isMailed ? mails.since : office?.since) ?? at.toISOString();
    const after = last && last.after[0] >= since ? last.after : ([since, ''] as const);
    const docs: readonly SubmissionDocument[] = await parts.documents
      .collection(formSubmissions.collection)
      .page({
        where: { form },
        orderBy: submissionOrder,
        after,
        upTo: [new Date(at.getTime() - settledMs).toISOString(), 'g'],
        limit: mostCounted + 1,
      });
    const [first, newest] = [docs[0], docs.at(-1)];
    if (!first || !newest) continue;
    await putMails(parts, await requireForm(parts.store, { team, slug }), docs, base);
    await mailed.put(form, { after: [newest.submitted_at, newest.submission], at: at.toISOString() });
  }
}

/** Removes mails with answers to a form that wait, because an answer in them was erased. */
export const withdrawAnswerMails = (
  { side, masterKey }: Pick<Parts, 'side' | 'masterKey'>,
  form: string,
): Promise<void> => new Outbox({ side, masterKey }).withdrawBeginning(keyOf(form));

async function putMails(
  parts: Parts,
  form: ExistingForm,
  docs: readonly SubmissionDocument[],
  base: string,
): Promise<void> {
  const outbox = new Outbox(parts);
  const [first] = docs;
  if (!first) return;
  await putToOffice(parts, form, docs, base);
  const mail = await written(parts, form, docs, base);
  for (const { user, to } of await recipientsOf(parts, form))
    await outbox.putOnce(
      { to, ...mail },
      {
        key: `${keyOf(form.form)}${first.submission}-${user}`,
        // Of the first answer: a mail that is put again after a crash has the same place.
        at: new Date(first.submitted_at),
        until: new Date(Date.now() + lifeMs),
      },
    );
}

/** To the address outside of the team, if it is confirmed. Each mail has the link that ends them. */
async function putToOffice(
  parts: Parts,
  form: ExistingForm,
  docs: readonly SubmissionDocument[],
  base: string,
): Promise<void> {
  const { office, team, slug } = form;
  const [first] = docs;
  if (!office?.confirmed || !first) return;
  const to = await parts.personal.open<string>(formOfficeOf(office.office), office.address_sealed);
  if (to === undefined) return;
  const at = new Date(first.submitted_at);
  const link = stopLinkOf(parts.masterKey, { team, slug, office: office.office }, at);
  const { title, answers, verb } = summaryOf(form, docs);
  const { name } = await requireTeam(parts.store, team);
  const shown = office.content ? await contentOf(parts, form.form, docs) : '';
  await new Outbox(parts).putOnce(
    {
      to,
      subject: `${answers} to ${title}`,
      text: `Hello,

${answers.toLowerCase()} to the form “${title}” of ${name} ${verb} come.${office.content ? '' : ' The team reads them in Commonweal.'}
${shown}
You get this because ${name} has named this address, and you have confirmed it. To get no more of these mails:

${base}${linkedPages.stopOffice}?link=${link}

Commonweal
`,
      unsubscribe: { atOnce: `${base}${linkedPages.stopOfficeAtOnce}?link=${link}` },
    },
    {
      key: `${answerMailsOf(form.form, office.office)}${first.submission}`,
      at,
      until: new Date(Date.now() + lifeMs),
    },
  );
}

function summaryOf(
  { definition, slug }: ExistingForm,
  docs: readonly SubmissionDocument[],
): { readonly title: string; readonly answers: string; readonly verb: string } {
  const count =
    docs.length > mostCounted ? `more than ${mostCounted.toLocaleString('en')}` : String(docs.length);
  return {
    title: definition.title[definition.languages[0] ?? 'en'] ?? slug,
    answers: docs.length === 1 ? 'A new answer' : `${count} new answers`,
    verb: docs.length === 1 ? 'has' : 'have',
  };
}

/** The chosen members who still belong to the team, may read the answers, and have confirmed their address. */
async function recipientsOf(parts: Parts, { team, readers, mails }: ExistingForm) {
  const { members } = await requireTeam(parts.store, team);
  const readsThem = mails.members.filter((user) => mayReadAnswers(members.get(user), { readers }));
  const named = await peopleNamed(parts, readsThem);
  const found = await Promise.all(
    readsThem.map(async (user) => {
      const person = await findPerson(parts, user);
      const to = named.get(user)?.email ?? undefined;
      return person?.verified && !person.lapsed && to !== undefined ? [{ user, to }] : [];
    }),
  );
  return found.flat();
}

async function written(
  parts: Parts,
  state: ExistingForm,
  docs: readonly SubmissionDocument[],
  base: string,
): Promise<{ readonly subject: string; readonly text: string }> {
  const { form, slug, team, mails } = state;
  const { title, answers, verb } = summaryOf(state, docs);
  const page = `${base}${linkedPages.teamForm}/${slug}?${new URLSearchParams({ team }).toString()}`;
  const shown = mails.content ? await contentOf(parts, form, docs) : '';
  return {
    subject: `${answers} to ${title}`,
    text: `Hello,

${answers.toLowerCase()} to the form “${title}” ${verb} come. ${mails.content ? 'To see all of it' : 'To read'}, sign in:

${page}
${shown}
You get this because an admin of the team has chosen that you do. Answers of the next ${gatheredMs / 60_000} minutes come in one mail.

Commonweal
`,
  };
}

/** The answers in words, for admins who have chosen so. */
async function contentOf(
  { store, personal }: Parts,
  form: string,
  docs: readonly SubmissionDocument[],
): Promise<string> {
  const some = docs.slice(0, mostShown);
  const [opened, versions] = await Promise.all([openSubmissions(personal, some), formVersions(store, form)]);
  const parts = some.flatMap(({ form_version, submitted_at }, place) => {
    const [answers, definition] = [opened[place], versions.get(form_version)];
    if (!answers || !definition) return [];
    const words = wordsOf(definition, answers);
    const lines = Object.entries(answers).map(([key, answer]) => {
      const { label = key, options = {} } = words[key] ?? {};
      const text = [answer]
        .flat()
        .map((each) =>
          typeof each === 'boolean' ? (each ? 'yes' : 'no') : (options[String(each)] ?? String(each)),
        );
      return `${label}: ${text.join(', ')}`;
    });
    return [`${mailTime(submitted_at)}\n${lines.join('\n')}`];
  });
  const rest = docs.length - some.length;
  return `\n${[...parts, ...(rest > 0 ? [`and ${rest} more.`] : [])].join('\n\n')}\n`;
}

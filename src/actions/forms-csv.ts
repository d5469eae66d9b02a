import { inSteps } from '../ground/throttle.ts';
import type { Answer, Answers } from '../events/forms/answers.ts';
import { recordAccess } from '../commands/audit.ts';
import { hasSameWords } from '../events/forms/answer-words.ts';
import { formVersions, type FormVersions } from '../commands/forms-versions.ts';
import type { SubmissionProgress } from '../events/forms/submission.ts';
import { defined } from '../ground/defined.ts';
import { peopleNamed } from './accounts/people-named.ts';
import type { FormField } from '../events/forms/definition.ts';
import type { CommandContext } from '../events/metadata.ts';
import { csvLine, withoutFormula } from '../ground/csv.ts';
import { openSubmissions } from '../commands/forms-submissions.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { formSubmissions, submissionOrder, type SubmissionDocument } from '../projections/forms.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';

/**
 * Records a download of all answers to a form. Call it before the first of them is sent, and send none when it fails.
 *
 * @throws StoreError unavailable, full
 */
export async function recordDownload(
  { store, documents }: { readonly store: EventStore; readonly documents: Documents },
  { team, form }: { readonly team: string; readonly form: string },
  format: 'csv' | 'json',
  context: CommandContext,
  { from, state, atMost }: AnswersChosen & { readonly atMost?: number } = {},
): Promise<void> {
  const answers = await counted(documents, form, { from, state }, atMost);
  const data = { team, form, format, answers };
  await recordAccess(store, { type: 'AnswersDownloaded', data }, context);
}

/** Which answers to a form: since a time, and in a state. Absent: all. */
export interface AnswersChosen {
  readonly from?: string | undefined;
  readonly state?: SubmissionProgress | undefined;
}

async function counted(
  documents: Documents,
  form: string,
  { from, state }: AnswersChosen,
  atMost = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const collection = documents.collection(formSubmissions.collection);
  const where = defined({ form, state });
  if (from === undefined) return Math.min(await collection.count({ where }), atMost);
  let found = 0;
  let place: { readonly from: string } | { readonly after: readonly string[] } = { from };
  for (;;) {
    const query = { where, orderBy: submissionOrder, limit: countedAtOnce, ...place };
    const docs: readonly Pick<SubmissionDocument, (typeof submissionOrder)[number]>[] =
      await collection.select(query, submissionOrder);
    found += docs.length;
    const last = docs.at(-1);
    if (!last || docs.length < countedAtOnce || found >= atMost) return Math.min(found, atMost);
    place = { after: [last.submitted_at, last.submission] };
  }
}

const countedAtOnce = 5_000;

/** Submissions that are read at once. */
const pageSize = 200;

interface SubmissionReaders {
  readonly documents: Documents;
  readonly personal: PersonalData;
}

/** A submission with its answers, and the name of whoever has it in hand or was done with it. */
export type OpenedSubmission = SubmissionDocument & {
  readonly answers: Answers | undefined;
  readonly by: string | undefined;
};

/** The submissions of a form with their answers, the oldest first, read page by page. */
export async function* submitted(
  { documents, personal }: SubmissionReaders,
  form: string,
  { from, state }: AnswersChosen = {},
): AsyncGenerator<OpenedSubmission> {
  const collection = documents.collection(formSubmissions.collection);
  let place: Partial<Parameters<typeof collection.page>[0]> = from === undefined ? {} : { from };
  for (;;) {
    const docs: readonly SubmissionDocument[] = await collection.page({
      where: defined({ form, state }),
      orderBy: submissionOrder,
      limit: pageSize,
      ...place,
    });
    const answers = await openSubmissions(personal, docs);
    const users = docs.map(({ state_by }) => (state_by?.kind === 'user' ? state_by.id : undefined));
    const named = await peopleNamed(
      { documents, personal },
      users.filter((each) => each !== undefined),
    );
    for (const [n, doc] of docs.entries())
      yield { ...doc, answers: answers[n], by: named.get(users[n] ?? '')?.name };
    const last = docs.at(-1);
    if (!last || docs.length < pageSize) return;
    place = { after: [last.submitted_at, last.submission] };
  }
}

/**
 * All that was sent with a form, as a table, line by line. Answers to other words are in a column of their own, also when
 * the key of the field is the same.
 */
export async function* submissionsCsv(
  parts: SubmissionReaders & { readonly store: EventStore },
  form: string,
  chosen: AnswersChosen = {},
): AsyncGenerator<string> {
  const columns = columnsOf(await formVersions(parts.store, form));
  yield csvLine([...own, ...columns.map(({ name }) => name)]);
  for await (const each of inSteps(submitted(parts, form, chosen))) yield csvRow(each, columns);
}

const own = [
  'submission',
  'submitted_at',
  'form_version',
  'erased',
  'state',
  'state_at',
  'state_by',
] as const;

interface Column {
  readonly key: string;
  readonly name: string;
  /** The versions of the form that asked this in the same words. */
  readonly versions: ReadonlySet<number>;
}

/**
 * A column for each field in each of its wordings, the newest first. The newest wording is named by the key of the field,
 * an earlier one also by its first version and its words.
 */
export function columnsOf(versions: FormVersions): readonly Column[] {
  const columns: { field: FormField; words: string; versions: Set<number> }[] = [];
  for (const [version, { fields, languages }] of [...versions].toReversed())
    for (const field of fields) {
      const same = columns.find((each) => each.field.key === field.key && hasSameWords(each.field, field));
      const words = field.label[languages[0] ?? ''] ?? '';
      if (same) same.versions.add(version);
      else columns.push({ field, words, versions: new Set([version]) });
    }
  return columns.map(({ field: { key }, words, versions: of }, place) => {
    const isNewest = columns.findIndex((each) => each.field.key === key) === place;
    return { key, name: isNewest ? key : `${key} (version ${Math.min(...of)}: ${words})`, versions: of };
  });
}

const csvRow = ({ answers, ...doc }: OpenedSubmission, columns: readonly Column[]): string =>
  csvLine([
    doc.submission,
    doc.submitted_at,
    doc.form_version,
    doc.erased === true ? 'yes' : '',
    doc.state,
    doc.state_at,
    withoutFormula(doc.by),
    ...columns.map(({ key, versions }) =>
      cellOf(
        answers !== undefined && versions.has(doc.form_version) && Object.hasOwn(answers, key)
          ? answers[key]
          : undefined,
      ),
    ),
  ]);

function cellOf(answer: Answer | undefined): string | number | undefined {
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  if (typeof answer === 'number' || answer === undefined) return answer;
  const text = typeof answer === 'string' ? answer : answer.join('; ');
  return isNumber.test(text) ? text : withoutFormula(text);
}

/** Numbers and phone numbers, which may begin as formulas do. */
const isNumber = /^[+-]?[\d ().\-/]+(?:(?:x|ext\.?) ?\d+)?$/i;

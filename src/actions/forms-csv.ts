import { inSteps } from '../ground/throttle.ts';
import type { Answer, Answers } from '../events/forms/answers.ts';
import { recordAccess } from '../commands/audit.ts';
import { hasSameWords } from '../events/forms/answer-words.ts';
import { formVersions, type FormVersions } from '../commands/forms-versions.ts';
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
  { from, atMost }: { readonly from?: string | undefined; readonly atMost?: number } = {},
): Promise<void> {
  const answers = await sinceThen(documents, form, from, atMost);
  const data = { team, form, format, answers };
  await recordAccess(store, { type: 'AnswersDownloaded', data }, context);
}

/** How many submissions of a form there are since a time. */
async function sinceThen(
  documents: Documents,
  form: string,
  from: string | undefined,
  atMost = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const collection = documents.collection(formSubmissions.collection);
  const where = { form };
  if (from === undefined) return Math.min(await collection.count({ where }), atMost);
  let counted = 0;
  let place: { readonly from: string } | { readonly after: readonly string[] } = { from };
  for (;;) {
    const query = { where, orderBy: submissionOrder, limit: countedAtOnce, ...place };
    const docs: readonly Pick<SubmissionDocument, (typeof submissionOrder)[number]>[] =
      await collection.select(query, submissionOrder);
    counted += docs.length;
    const last = docs.at(-1);
    if (!last || docs.length < countedAtOnce || counted >= atMost) return Math.min(counted, atMost);
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

/** The submissions of a form with their answers, the oldest first, read page by page. `from`: since this time. */
export async function* submitted(
  { documents, personal }: SubmissionReaders,
  form: string,
  from?: string,
): AsyncGenerator<SubmissionDocument & { readonly answers: Answers | undefined }> {
  const collection = documents.collection(formSubmissions.collection);
  let place: Partial<Parameters<typeof collection.page>[0]> = from === undefined ? {} : { from };
  for (;;) {
    const docs: readonly SubmissionDocument[] = await collection.page({
      where: { form },
      orderBy: submissionOrder,
      limit: pageSize,
      ...place,
    });
    const answers = await openSubmissions(personal, docs);
    for (const [n, doc] of docs.entries()) yield { ...doc, answers: answers[n] };
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
  from?: string,
): AsyncGenerator<string> {
  const columns = columnsOf(await formVersions(parts.store, form));
  yield csvLine([...own, ...columns.map(({ name }) => name)]);
  for await (const each of inSteps(submitted(parts, form, from))) yield csvRow(each, each.answers, columns);
}

const own = ['submission', 'submitted_at', 'form_version', 'erased'] as const;

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

const csvRow = (doc: SubmissionDocument, answers: Answers | undefined, columns: readonly Column[]): string =>
  csvLine([
    doc.submission,
    doc.submitted_at,
    doc.form_version,
    doc.erased === true ? 'yes' : '',
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

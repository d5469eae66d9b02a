import type { Answer, Answers } from '../../commands/forms/answers.ts';
import { upcast } from '../../events/catalogue.ts';
import { streamName } from '../../events/define.ts';
import { formStream, type FormEvent } from '../../events/forms/form.ts';
import { csvLine } from '../../hsds/export/csv.ts';
import { openSubmissions } from '../../commands/forms/submission.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import {
  formSubmissions,
  submissionOrder,
  type SubmissionDocument,
} from '../../projections/forms/submissions.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

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

/** All that was sent with a form, as a table with a column for each field, line by line. */
export async function* submissionsCsv(
  parts: SubmissionReaders & { readonly store: EventStore },
  form: string,
  from?: string,
): AsyncGenerator<string> {
  const keys = await everyKey(parts.store, form);
  yield csvHeader(keys);
  for await (const each of submitted(parts, form, from)) yield csvRow(each, each.answers, keys);
}

const own = ['submission', 'submitted_at', 'form_version', 'erased'] as const;

/** The keys of all fields that the form has had: those of its newest version first. */
async function everyKey(store: EventStore, id: string): Promise<string[]> {
  const history = await store.readStream(streamName(formStream, id));
  const versions = history
    .map((event) => upcast(event) as FormEvent)
    .flatMap((event) => ('definition' in event.data ? [event.data.definition] : []));
  return [...new Set(versions.toReversed().flatMap(({ fields }) => fields.map(({ key }) => key)))];
}

const csvHeader = (keys: readonly string[]): string => csvLine([...own, ...keys]);

const csvRow = (doc: SubmissionDocument, answers: Answers | undefined, keys: readonly string[]): string =>
  csvLine([
    doc.submission,
    doc.submitted_at,
    doc.form_version,
    doc.erased === true ? 'yes' : '',
    ...keys.map((key) =>
      cellOf(answers !== undefined && Object.hasOwn(answers, key) ? answers[key] : undefined),
    ),
  ]);

function cellOf(answer: Answer | undefined): string | number | undefined {
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  if (typeof answer === 'number' || answer === undefined) return answer;
  return withoutFormula(typeof answer === 'string' ? answer : answer.join('; '));
}

/**
 * Spreadsheets run a text that begins like a formula (OWASP, CSV Injection). An apostrophe makes it text again. Numbers
 * and phone numbers are left as they are.
 */
const withoutFormula = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d ().\-/]+(?:(?:x|ext\.?) ?\d+)?$/i.test(text) ? `'${text}` : text;

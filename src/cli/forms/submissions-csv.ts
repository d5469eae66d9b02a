import type { Answer, Answers } from '../../commands/forms/answers.ts';
import { upcast } from '../../events/catalogue.ts';
import { streamName } from '../../events/define.ts';
import { formStream, type FormEvent } from '../../events/forms/form.ts';
import { csvLine } from '../../hsds/export/csv.ts';
import type { SubmissionDocument } from '../../projections/forms/submissions.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

const own = ['submission', 'submitted_at', 'form_version', 'erased'] as const;

/** The keys of all fields that the form has had: those of its newest version first. */
export async function everyKey(store: EventStore, id: string): Promise<string[]> {
  const history = await store.readStream(streamName(formStream, id));
  const versions = history
    .map((event) => upcast(event) as FormEvent)
    .flatMap((event) => ('definition' in event.data ? [event.data.definition] : []));
  return [...new Set(versions.toReversed().flatMap(({ fields }) => fields.map(({ key }) => key)))];
}

export const csvHeader = (keys: readonly string[]): string => csvLine([...own, ...keys]);

export const csvRow = (
  doc: SubmissionDocument,
  answers: Answers | undefined,
  keys: readonly string[],
): string =>
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

import { eraseSubmission } from '../commands/forms-submissions.ts';
import { paginate } from '../projections/engine/paginate.ts';
import { forms, formSubmissions, submissionOrder, type SubmissionDocument } from '../projections/forms.ts';
import type { ActionParts } from './action.ts';
import { withdrawAnswerMails } from './forms-mails.ts';

const dayMs = 86_400_000;
/** Erased at the same time: each waits until no process uses the key. */
const atOnce = 25;
/** In one round, so that others who wait for the log are not held up. The next round goes on. */
const mostInARound = 1_000;

type Parts = Pick<ActionParts, 'store' | 'documents' | 'personal' | 'side' | 'masterKey'>;

/** Erases answers that are older than their form keeps them: destroys their data keys. Returns how many. */
export async function eraseDueAnswers(parts: Parts, at: Date): Promise<number> {
  const submissions = parts.documents.collection(formSubmissions.collection);
  const all = { where: { erases: 1 as const }, orderBy: ['form'] as const };
  let erased = 0;
  for await (const { form, kept_days } of paginate(parts.documents.collection(forms.collection), all)) {
    if (kept_days === undefined) continue;
    const before = new Date(at.getTime() - kept_days * dayMs).toISOString();
    let after: readonly string[] | undefined;
    for (;;) {
      const docs: readonly SubmissionDocument[] = await submissions.page({
        where: { form, kept: 1 },
        orderBy: submissionOrder,
        upTo: [before, 'g'],
        limit: atOnce,
        ...(after && { after }),
      });
      await Promise.all(docs.map(({ submission }) => erase(parts, submission, at)));
      erased += docs.length;
      const last = docs.at(-1);
      if (last) await withdrawAnswerMails(parts, form);
      if (!last || docs.length < atOnce || erased >= mostInARound) break;
      after = [last.submitted_at, last.submission];
    }
    if (erased >= mostInARound) return erased;
  }
  return erased;
}

const erase = (parts: Parts, submission: string, at: Date) =>
  eraseSubmission(
    parts,
    submission,
    {},
    { actor: { kind: 'system', id: 'form-retention' }, commandId: crypto.randomUUID(), at },
  );

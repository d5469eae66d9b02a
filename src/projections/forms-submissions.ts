import { streamId } from '../events/define.ts';
import { formSubmissionStream, type FormSubmissionEvent } from '../events/forms-submission.ts';
import { projection } from './engine/define.ts';

/** A submission of a form, for the members of its team. */
export interface SubmissionDocument {
  readonly submission: string;
  readonly team: string;
  readonly form: string;
  /** The version of the form that was filled in. */
  readonly form_version: number;
  readonly submitted_at: string;
  /** Sealed under the data key of the submission. Absent when it is erased. */
  readonly answers_sealed?: string;
  readonly erased?: true;
}

/** The order of lists: the oldest first. */
export const submissionOrder = ['submitted_at', 'submission'] as const;

export const formSubmissions = projection<SubmissionDocument, FormSubmissionEvent>({
  version: 1,
  events: ['FormSubmitted', 'FormSubmissionErased'],
  collection: {
    name: 'form-submissions',
    fields: ['submission', 'team', 'form', 'submitted_at'],
    indexes: [['form', ...submissionOrder]],
  },
  idOf: (event) => streamId(event, formSubmissionStream),
  fold(doc, event) {
    if (event.type === 'FormSubmitted') return event.data;
    if (!doc) return undefined;
    const { answers_sealed: _, ...rest } = doc;
    return { ...rest, erased: true };
  },
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eraseSubmission,
  openSubmissions,
  submission,
  submissionIdOf,
  submitForm,
} from '../../src/commands/forms-submissions.ts';
import { formSubmissionStream, type FormSubmissionEvent } from '../../src/events/forms/submission.ts';
import { streamName } from '../../src/events/define.ts';
import { formIdOf } from '../../src/commands/forms.ts';
import { aCommand } from '../support/context.ts';
import { given } from '../support/decider.ts';
import { dataFolder, type Stores } from '../support/stores.ts';

const form = formIdOf('harbour', 'volunteers');
const data = {
  submission: '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01',
  team: 'harbour',
  form,
  form_version: 1,
  submitted_at: '2026-01-01T00:00:00.000Z',
  answers_sealed: 'c2VhbGVk',
};
const submitted: FormSubmissionEvent = { type: 'FormSubmitted', data };
const erased: FormSubmissionEvent = { type: 'FormSubmissionErased', data: {} };

describe('a submission', () => {
  it('is made once', () => {
    given(submission).when({ kind: 'submit', data }).then(submitted);
    given(submission, submitted).when({ kind: 'submit', data }).thenRefused('conflict');
  });

  it('is erased once, by its own team or the operator', () => {
    given(submission).when({ kind: 'erase' }).thenRefused('not_found');
    given(submission, submitted).when({ kind: 'erase' }).then(erased);
    given(submission, submitted).when({ kind: 'erase', asTeam: 'harbour' }).then(erased);
    given(submission, submitted).when({ kind: 'erase', asTeam: 'library' }).thenRefused('not_found');
    given(submission, submitted, erased).when({ kind: 'erase' }).thenNothing();
  });

  it('is new, in work or done, and is not taken over from somebody who took it meanwhile', () => {
    const chosen = (state: 'new' | 'in_work' | 'done'): FormSubmissionEvent => ({
      type: 'FormSubmissionStateChosen',
      data: { state },
    });
    const choose = { kind: 'choose state', state: 'in_work' } as const;
    given(submission).when(choose).thenRefused('not_found');
    given(submission, submitted).when(choose).then(chosen('in_work'));
    given(submission, submitted)
      .when({ ...choose, asTeam: 'library' })
      .thenRefused('not_found');
    given(submission, submitted, chosen('in_work')).when(choose).thenNothing();
    given(submission, submitted, chosen('in_work'))
      .when({ ...choose, seen: 'new' })
      .thenRefused('conflict');
    given(submission, submitted, chosen('done'))
      .when({ ...choose, seen: 'done', state: 'new' })
      .then(chosen('new'));
    given(submission, submitted, erased).when(choose).thenRefused('conflict');
  });
});

describe('the answers of a submission', () => {
  const folder = dataFolder();
  let stores: Stores;
  beforeAll(() => {
    stores = folder.open();
  });
  afterAll(() => folder.dispose());

  const of = { team: 'harbour', form, version: 3 };
  const answers = { name: 'Zora Quill', household: 4 };
  const logOf = (id: string) => stores.store.readStream(streamName(formSubmissionStream, id));

  it('are sealed in the event, and opened for readers', async () => {
    const context = aCommand();
    await submitForm(stores, of, answers, context);
    const id = submissionIdOf(context);
    const [event, ...more] = await logOf(id);
    expect(more).toEqual([]);
    expect(event?.data).toMatchObject({ submission: id, team: 'harbour', form, form_version: 3 });
    expect(JSON.stringify([event?.data, event?.metadata])).not.toMatch(/Zora|Quill/);
    const { answers_sealed } = event?.data as { answers_sealed: string };
    expect(
      await openSubmissions(stores.personal, [{ submission: id }, { submission: id, answers_sealed }]),
    ).toEqual([undefined, answers]);
  });

  it('are one submission when they are sent twice, at once or later', async () => {
    const context = aCommand();
    await Promise.all([1, 2, 3].map(() => submitForm(stores, of, answers, context)));
    await submitForm(stores, of, { name: 'Another' }, context);
    const log = await logOf(submissionIdOf(context));
    expect(log).toHaveLength(1);
    const { answers_sealed } = log[0]?.data as { answers_sealed: string };
    expect(
      await openSubmissions(stores.personal, [{ submission: submissionIdOf(context), answers_sealed }]),
    ).toEqual([answers]);
  });

  it('are gone when they are erased, and sending them again brings nothing back', async () => {
    const context = aCommand();
    await submitForm(stores, of, answers, context);
    const id = submissionIdOf(context);
    await eraseSubmission(stores, id, { asTeam: 'harbour' }, aCommand());
    await submitForm(stores, of, answers, context);
    const [event] = await logOf(id);
    const { answers_sealed } = event?.data as { answers_sealed: string };
    expect(await openSubmissions(stores.personal, [{ submission: id, answers_sealed }])).toEqual([undefined]);
  });

  it('fit the event at their largest', async () => {
    const context = aCommand();
    const largest = { story: 'x'.repeat(32 * 1024 - '{"story":""}'.length) };
    const { events } = await submitForm(stores, of, largest, context);
    expect(events).toHaveLength(1);
  });
});

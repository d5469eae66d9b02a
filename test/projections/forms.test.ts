import { describe, expect, it } from 'vitest';
import { formIdOf } from '../../src/commands/forms.ts';
import type { FormEvent } from '../../src/events/forms/form.ts';
import type { FormSubmissionEvent } from '../../src/events/forms/submission.ts';
import { formDailyCounts, forms, formSubmissions } from '../../src/projections/forms.ts';
import { anyForm } from '../support/any-form.ts';
import { at, given } from '../support/fold.ts';

const form = formIdOf('harbour', 'volunteers');
const stream = `form-${form}`;
const published: FormEvent = {
  type: 'FormPublished',
  data: { form, team: 'harbour', slug: 'volunteers', version: 1, definition: anyForm() },
};

describe('the read model of forms', () => {
  it('shows a form in its newest version, and whether it is open', () => {
    const revised: FormEvent = {
      type: 'FormRevised',
      data: { version: 2, definition: anyForm({ daily_cap: 9 }) },
    };
    const docs = given(
      forms,
      [stream, published],
      [stream, revised],
      [stream, { type: 'FormClosed', data: {} }],
    );
    expect(docs.get(form)).toEqual({
      form,
      team: 'harbour',
      slug: 'volunteers',
      status: 'closed',
      version: 2,
      definition: anyForm({ daily_cap: 9 }),
      readers: 'member',
      published_at: at(0),
      changed_at: at(2),
    });
    const reopened = given(
      forms,
      [stream, published],
      [stream, { type: 'FormClosed', data: {} }],
      [stream, { type: 'FormReopened', data: {} }],
    );
    expect(reopened.get(form)).toMatchObject({ status: 'open', version: 1 });
    const chosen: FormEvent = { type: 'FormReadersChosen', data: { readers: 'reviewer' } };
    const read = given(
      forms,
      [stream, { ...published, data: { ...published.data, readers: 'admin' } }],
      [stream, chosen],
    );
    expect(read.get(form)).toMatchObject({ readers: 'reviewer', changed_at: at(0) });
  });
});

const submitted = (n: number, rest: { team?: string; form?: string; submitted_at?: string } = {}) => {
  const submission = `0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a${String(n).padStart(2, '0')}`;
  const event: FormSubmissionEvent = {
    type: 'FormSubmitted',
    data: {
      submission,
      team: 'harbour',
      form,
      form_version: 1,
      submitted_at: '2026-01-01T23:59:59.999Z',
      answers_sealed: 'c2VhbGVk',
      ...rest,
    },
  };
  return { id: submission, step: [`submission-${submission}`, event] as const };
};

describe('the read model of submissions', () => {
  it('keeps nothing of what an erased submission said', () => {
    const { id, step } = submitted(1);
    expect(given(formSubmissions, [...step]).get(id)).toMatchObject({ answers_sealed: 'c2VhbGVk' });
    const doc = given(formSubmissions, [...step], [step[0], { type: 'FormSubmissionErased', data: {} }]).get(
      id,
    );
    expect(doc).toMatchObject({ submission: id, team: 'harbour', erased: true });
    expect(doc).not.toHaveProperty('answers_sealed');
    expect(doc).not.toHaveProperty('kept');
  });

  it('says how far the team is with one, since when and by whom', () => {
    const { id, step } = submitted(1);
    const by = { kind: 'user', id: 'ana' } as const;
    const chosen = { type: 'FormSubmissionStateChosen', data: { state: 'done' } } as const;
    expect(given(formSubmissions, [...step]).get(id)).toMatchObject({ state: 'new', kept: 1 });
    expect(given(formSubmissions, [...step], [step[0], chosen, by]).get(id)).toMatchObject({
      state: 'done',
      state_at: at(1),
      state_by: by,
    });
  });
});

describe('the daily counts', () => {
  it('count submissions by team, form and day', () => {
    const other = formIdOf('harbour', 'other');
    const steps = [
      submitted(1),
      submitted(2),
      submitted(3, { form: other }),
      submitted(4, { submitted_at: '2026-01-02T00:00:00.000Z' }),
      submitted(5, { team: 'library' }),
    ].map(({ step: [of, event] }) => [of, event] as const);
    const docs = given(formDailyCounts, ...steps);
    expect(docs.get('harbour/2026-01-01')).toMatchObject({ total: 3, forms: { [form]: 2, [other]: 1 } });
    expect(docs.get('harbour/2026-01-02')).toMatchObject({ total: 1 });
    expect(docs.get('library/2026-01-01')).toMatchObject({ total: 1 });
  });
});

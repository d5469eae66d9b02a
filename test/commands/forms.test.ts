import { describe, expect, it } from 'vitest';
import { form, formIdOf, type FormCommand } from '../../src/commands/forms.ts';
import { formDefinition, type FormDefinition } from '../../src/events/forms/definition.ts';
import type { FormEvent } from '../../src/events/forms/form.ts';
import { given } from '../support/decider.ts';
import { anyForm } from '../support/any-form.ts';

const definition = anyForm();
const changed = anyForm({ daily_cap: 20 });
const published: FormEvent = {
  type: 'FormPublished',
  data: {
    form: formIdOf('harbour', 'volunteers'),
    team: 'harbour',
    slug: 'volunteers',
    version: 1,
    definition,
    readers: 'admin',
  },
};
const publish: FormCommand = { kind: 'publish', team: 'harbour', slug: 'volunteers', definition };
const closed: FormEvent = { type: 'FormClosed', data: {} };
const reopened: FormEvent = { type: 'FormReopened', data: {} };
const revised: FormEvent = { type: 'FormRevised', data: { version: 2, definition: changed } };

describe('a form', () => {
  it('is published once: its slug is taken, also while it is closed', () => {
    given(form).when(publish).then(published);
    given(form, published).when(publish).thenRefused('conflict');
    given(form, published, closed).when(publish).thenRefused('conflict');
  });

  it('that was never published can be asked nothing', () => {
    const others: FormCommand[] = [{ kind: 'revise', definition }, { kind: 'close' }, { kind: 'reopen' }];
    for (const command of others) given(form).when(command).thenRefused('not_found');
  });

  it('has a new version with each change, open or closed, and none when nothing changes', () => {
    given(form, published).when({ kind: 'revise', definition: changed }).then(revised);
    given(form, published, closed).when({ kind: 'revise', definition: changed }).then(revised);
    given(form, published, revised).when({ kind: 'revise', definition: changed }).thenNothing();
    given(form, published, revised)
      .when({ kind: 'revise', definition })
      .then({ type: 'FormRevised', data: { version: 3, definition } });
  });

  it('is closed and opened again, and a repeat is no change', () => {
    given(form, published).when({ kind: 'close' }).then(closed);
    given(form, published, closed).when({ kind: 'close' }).thenNothing();
    given(form, published, closed).when({ kind: 'reopen' }).then(reopened);
    given(form, published).when({ kind: 'reopen' }).thenNothing();
    expect(given(form, published, closed, revised).state).toMatchObject({ status: 'closed', version: 2 });
    expect(given(form, published, closed, reopened).state).toMatchObject({ status: 'open', version: 1 });
  });
});

describe('who reads the answers', () => {
  it('are the admins of a new form, and every member of a former one, until others are chosen', () => {
    expect(given(form, published).state).toMatchObject({ readers: 'admin' });
    const { readers: _, ...data } = published.data;
    const former: FormEvent = { type: 'FormPublished', data };
    expect(given(form, former, revised).state).toMatchObject({ readers: 'member' });
    const chosen: FormEvent = { type: 'FormReadersChosen', data: { readers: 'reviewer' } };
    given(form, former).when({ kind: 'choose readers', readers: 'reviewer' }).then(chosen);
    given(form, published, chosen).when({ kind: 'choose readers', readers: 'reviewer' }).thenNothing();
    expect(given(form, published, chosen, revised).state).toMatchObject({ readers: 'reviewer' });
  });
});

describe('mails and erasing', () => {
  const mails = { members: ['4f0c5a3e-6f0b-4d0c-9b54-0f9d1b6a7c01'], content: false, receipts: false };

  it('are chosen, and a repeat is no change', () => {
    const chosen: FormEvent = { type: 'FormMailsChosen', data: mails };
    given(form, published).when({ kind: 'choose mails', mails }).then(chosen);
    given(form, published, chosen).when({ kind: 'choose mails', mails }).thenNothing();
    const days: FormEvent = { type: 'FormRetentionChosen', data: { days: 30 } };
    given(form, published).when({ kind: 'choose retention', days: 30 }).then(days);
    given(form, published, days).when({ kind: 'choose retention', days: 30 }).thenNothing();
    given(form, published, days)
      .when({ kind: 'choose retention', days: undefined })
      .then({ type: 'FormRetentionChosen', data: {} });
  });

  it('have no receipts where no address is asked for', () => {
    const fields = definition.fields.filter(({ kind }) => kind !== 'email');
    const silent: FormEvent = {
      ...published,
      data: { ...published.data, definition: { ...definition, fields } },
    };
    given(form, silent)
      .when({ kind: 'choose mails', mails: { ...mails, receipts: true } })
      .thenRefused('invalid');
  });
});

describe('a key that was removed', () => {
  const [first, ...others] = definition.fields as [FormDefinition['fields'][number]];
  const revise = (fields: FormDefinition['fields']): FormCommand => ({
    kind: 'revise',
    definition: { ...definition, fields },
  });
  const revisedTo = (version: number, fields: FormDefinition['fields']): FormEvent => ({
    type: 'FormRevised',
    data: { version, definition: { ...definition, fields } },
  });
  const withDays = (...days: readonly string[]) =>
    definition.fields.map((field) =>
      field.key === 'day'
        ? { ...field, options: days.map((key) => ({ key, label: { en: key, es: key } })) }
        : field,
    );

  it('is not the key of another question, nor of the same one again', () => {
    const removed = given(form, published, revisedTo(2, others));
    removed
      .when(revise([{ ...first, label: { en: 'Other', es: 'Otro' } }, ...others]))
      .thenRefused('invalid');
    removed.when(revise(definition.fields)).thenRefused('invalid');
    const renamed = [{ ...first, key: 'name_2' }, ...others];
    removed.when(revise(renamed)).then(revisedTo(3, renamed));
  });

  it('is not the key of another choice of that question', () => {
    const removed = given(form, published, revisedTo(2, withDays('sat')));
    removed.when(revise(withDays('sat', 'sun'))).thenRefused('invalid');
    removed.when(revise(withDays('sat', 'sun_2'))).then(revisedTo(3, withDays('sat', 'sun_2')));
  });

  it('does not hinder a form that has used one again before this was refused', () => {
    const again = given(form, published, revisedTo(2, others), revisedTo(3, definition.fields));
    again.when(revise(withDays('sat'))).then(revisedTo(4, withDays('sat')));
  });
});

describe('the definition of a form', () => {
  const [name, ...fields] = definition.fields as [FormDefinition['fields'][number]];
  const problemOf = (wrong: object) => {
    const issue = formDefinition.safeParse({ ...definition, ...wrong }).error?.issues[0];
    return issue && `${issue.path.join('.')}: ${issue.message}`;
  };

  it('is taken as it is when it is right', () => {
    expect(formDefinition.parse(definition)).toEqual(definition);
  });

  it.each<[string, object, RegExp]>([
    ['no field', { fields: [] }, /^fields: /],
    ['two fields with one key', { fields: [name, name] }, /two fields have the same key/],
    ['a key that names a prototype', { fields: [{ ...name, key: '__proto__' }] }, /^fields\.0\.key/],
    [
      'a key that hides a member of objects',
      { fields: [{ ...name, key: 'constructor' }] },
      /^fields\.0\.key/,
    ],
    ['a key with a hyphen, which the page itself uses', { fields: [{ ...name, key: 'form-token' }] }, /key/],
    ['an unknown kind', { fields: [{ ...name, kind: 'file' }] }, /must be one of text, long_text/],
    ['a choice without options', { fields: [{ ...name, kind: 'choice' }] }, /a choice has options/],
    [
      'options of a text',
      { fields: [{ ...name, options: [{ key: 'a', label: { en: 'A' } }] }] },
      /a choice has/,
    ],
    ['bounds of a text', { fields: [{ ...name, minimum: 1 }] }, /only a number/],
    [
      'bounds the wrong way',
      { fields: [{ ...name, kind: 'number', minimum: 2, maximum: 1 }] },
      /not be above/,
    ],
    [
      'a text in a language it has not',
      { title: { en: 'A', fr: 'B' } },
      /^title: fr is not among the languages/,
    ],
    ['no text in the first language', { title: { es: 'Hola' } }, /^title: has no text in en/],
    ['no language', { languages: [] }, /^languages/],
    ['a language twice', { languages: ['en', 'en'] }, /named twice/],
    ['a site with a path', { allowed_origins: ['https://example.org/x'] }, /without a path/],
    ['a site without encryption', { allowed_origins: ['http://example.org'] }, /without a path/],
    ['every site', { allowed_origins: ['*'] }, /without a path/],
    ['no cap', { daily_cap: 0 }, /^daily_cap/],
    ['an unknown part', { redirect: 'https://example.org' }, /redirect/],
    [
      'more than 64 KiB',
      {
        fields: Array.from({ length: 60 }, (_, n) => ({
          ...name,
          key: `f${n}`,
          help: { en: 'x'.repeat(500), es: 'x'.repeat(500) },
          options: undefined,
          label: { en: 'x'.repeat(200) },
        })),
      },
      /64 KiB/,
    ],
  ])('is refused with %s', (_, wrong, sentence) => {
    expect(problemOf(wrong)).toMatch(sentence);
  });

  it('allows a site on the same machine, for trying out', () => {
    expect(problemOf({ allowed_origins: ['http://localhost:8080', 'https://example.org'] })).toBeUndefined();
    expect(fields).toHaveLength(8);
  });
});

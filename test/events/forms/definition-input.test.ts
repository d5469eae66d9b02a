import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDefinition } from '../../../src/events/forms/definition-input.ts';
import { anyForm } from '../../support/any-form.ts';

const textField = { key: 'a', kind: 'text', label: 'A' };

describe('a form as it is written in JSON', () => {
  it('may leave out what is most common, and write one text where it has one language', () => {
    expect(
      readDefinition({
        languages: ['es'],
        title: 'Contacto',
        fields: [
          { key: 'name', kind: 'text', label: 'Nombre', required: true },
          {
            key: 'day',
            kind: 'choice',
            label: { es: 'Día' },
            help: 'Uno',
            options: [{ key: 'sat', label: 'Sábado' }],
          },
        ],
      }),
    ).toEqual({
      languages: ['es'],
      title: { es: 'Contacto' },
      allowed_origins: [],
      fields: [
        { key: 'name', kind: 'text', label: { es: 'Nombre' }, required: true },
        {
          key: 'day',
          kind: 'choice',
          label: { es: 'Día' },
          help: { es: 'Uno' },
          required: false,
          options: [{ key: 'sat', label: { es: 'Sábado' } }],
        },
      ],
    });
    expect(
      readDefinition({ title: 'Hello', fields: [{ key: 'a', kind: 'text', label: 'A' }] }).languages,
    ).toEqual(['en']);
  });

  it('may be the example of the documentation', () => {
    const page = readFileSync(new URL('../../../docs/forms.md', import.meta.url), 'utf8');
    const [, example = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
    expect(readDefinition(JSON.parse(example)).fields.map(({ key }) => key)).toEqual([
      'name',
      'phone',
      'days',
    ]);
  });

  it('may be what show prints', () => {
    expect(readDefinition(JSON.parse(JSON.stringify(anyForm())))).toEqual(anyForm());
  });

  it.each<[unknown, string]>([
    [null, 'the form: must be an object.'],
    ['{}', 'the form: must be an object.'],
    [[], 'the form: must be an object.'],
    [{ title: 'A' }, 'fields: is missing.'],
    [{ fields: [textField] }, 'title: is missing.'],
    [{ title: 'A', fields: [] }, 'fields: must have at least 1.'],
    [{ title: 'A', fields: [null] }, 'fields.0: must be an object.'],
    [{ title: 'A', fields: [{ key: 'a', kind: 'text' }] }, 'fields.0.label: is missing.'],
    [{ title: 'A', fields: [{ kind: 'text', label: 'A' }] }, 'fields.0.key: is missing.'],
    [{ title: 'A', fields: [{ ...textField, needed: true }] }, 'fields.0: has no member needed.'],
    [{ title: 'A', fields: [{ ...textField, options: 5 }] }, 'fields.0.options: must be a list.'],
    [
      { title: 'A', fields: [{ ...textField, kind: 'choice', options: [{ key: 'b' }] }] },
      'fields.0.options.0.label: is missing.',
    ],
    [{ title: 'A', languages: 'en', fields: [] }, 'languages: must be a list.'],
    [{ title: 5, fields: [textField] }, 'title: must be a text, or an object with a text for each language.'],
    [{ title: 'A', daily_cap: 0, fields: [textField] }, 'daily_cap: must be at least 1.'],
  ])('is refused in words: %j', (written, words) => {
    expect(() => readDefinition(written)).toThrow(words);
  });
});

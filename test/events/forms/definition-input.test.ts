import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDefinition } from '../../../src/events/forms/definition-input.ts';
import { anyForm } from '../../support/any-form.ts';

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

  it.each<[unknown, RegExp]>([
    [null, /^the form: /],
    ['{}', /^the form: /],
    [[], /^the form: /],
    [{ title: 'A' }, /^fields: /],
    [{ title: 'A', fields: [null] }, /^fields\.0: /],
    [{ title: 'A', fields: [{ key: 'a', kind: 'text', label: 'A', options: 5 }] }, /^fields\.0\.options: /],
    [{ title: 'A', languages: 'en', fields: [] }, /^languages: /],
    [{ title: 5, fields: [{ key: 'a', kind: 'text', label: 'A' }] }, /^title: /],
  ])('is refused in words: %j', (written, words) => {
    expect(() => readDefinition(written)).toThrow(words);
  });
});

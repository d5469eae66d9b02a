import { describe, expect, it } from 'vitest';
import { checkedTexts } from '../../src/tables/read-texts.ts';
import { spokenTexts } from '../../src/tables/spoken-texts.ts';

const valueNames = { find: { count: ['count'], near: ['what', 'place'] } } as const;
const english = JSON.stringify({
  title: 'Find help',
  find: { count: { one: '{count} result', other: '{count} results' }, near: '{what} near {place}' },
});
const read = (...lines: string[]) =>
  checkedTexts(
    [
      { language: 'en', file: 'languages/en/texts.json', text: english },
      { language: 'es', file: 'languages/es/texts.json', text: lines.join('\n') },
    ],
    valueNames,
  );
const title = '{ "title": "Encuentre ayuda", "find": {';
const count = '"count": { "one": "{count} resultado", "other": "{count} resultados" },';
const near = '"near": "{what} cerca de {place}" } }';

describe('the texts of a language', () => {
  it('are filled with values, and the plural form follows the count', () => {
    const [, spanish = {}] = read(title, count, near);
    const { find } = spokenTexts(spanish, 'es') as { find: Record<string, (values: object) => string> };
    expect(find['count']?.({ count: 1 })).toBe('1 resultado');
    expect(find['count']?.({ count: 2 })).toBe('2 resultados');
    expect(find['near']?.({ what: 'Comida', place: '{what}' })).toBe('Comida cerca de {what}');
  });

  it('may write a value small within a sentence', () => {
    const { spoken } = spokenTexts({ spoken: 'Se habla {language:lowercase}' }, 'es') as {
      spoken: (values: object) => string;
    };
    expect(spoken({ language: 'Inglés' })).toBe('Se habla inglés');
  });

  it.each([
    ['texts.json:1: find.near is missing', [title, count.replace(/,$/, ''), '} }']],
    [
      'texts.json:3: find.far is no text that there is in languages/en/texts.json',
      [title, count, `"far": "x", ${near}`],
    ],
    [
      'texts.json:3: find.near must name the values {what}, {place}; found {where}',
      [title, count, '"near": "{where}" } }'],
    ],
    [
      'texts.json:2: find.count must be a text, or a text for each of one, many, other',
      [title, count.replace('other', 'few'), near],
    ],
    [
      'texts.json:1: title names a value in braces, which nothing fills in',
      [title.replace('ayuda', '{x}'), count, near],
    ],
    ['texts.json:1: title must be a text', [title.replace('Encuentre ayuda', ''), count, near]],
    ['texts.json:3: find.count stands in line 2 too', [title, count, count, near]],
    ['texts.json:3: is no JSON', [title, count, near.replace(':', '')]],
  ])('are refused with file and line: %s', (message, lines) => {
    expect(() => read(...lines)).toThrow(`src/tables/languages/es/${message}`);
  });
});

import { expect, test } from 'vitest';
import { beginsFormula, csvLine, withoutFormula } from '../../src/ground/csv.ts';

test('a text begins a formula when it begins with a sign of one, in every form that Unicode has of it', () => {
  const signs: string[] = [];
  for (let code = 1; code < 0x110000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const sign = String.fromCodePoint(code);
    if (/^[=+\-@]/.test(sign.normalize('NFKC'))) signs.push(sign);
  }
  expect(signs).toContain('＝');
  expect(signs.length).toBeGreaterThan(15);
  for (const sign of [...signs, '\u2212', '\t', '\r', '\n']) {
    expect(beginsFormula(`${sign}1+1`), sign).toBe(true);
    expect(beginsFormula(`a${sign}1`), sign).toBe(false);
  }
});

test.each([' =1+1', '\u00a0＝1+1', '\ufeff=1+1', '\u200b\u2066@SUM(1)'])(
  'a text begins a formula also after white space and signs that nobody sees: %j',
  (text) => {
    expect(beginsFormula(text)).toBe(true);
  },
);

test.each(['', 'Pantry', '1+1', '5 = five', 'ana@example.org', '«=»', '日本 ＝'])(
  'a text that only holds such a sign begins none: %j',
  (text) => {
    expect(beginsFormula(text)).toBe(false);
  },
);

test('a cell that begins a formula becomes a text, and every other one stays', () => {
  expect(['=1+1', '@cmd', 'Pantry', '', 7, undefined].map(withoutFormula)).toEqual([
    "'=1+1",
    "'@cmd",
    'Pantry',
    '',
    7,
    undefined,
  ]);
});

test('a line quotes what is not plain, and ends in LF', () => {
  expect(csvLine(['plain', 'a,b', 'said "so"', 'two\nlines', ' edge', 7, true, null, undefined])).toBe(
    'plain,"a,b","said ""so""","two\nlines"," edge",7,true,,\n',
  );
});

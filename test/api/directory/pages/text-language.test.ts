import { expect, it } from 'vitest';
import { languageOfText } from '../../../../src/api/directory/pages/text-language.ts';

it.each([
  ['Provides food and clothing to people in need, with help for families who are homeless.', 'en'],
  ['Ofrece alimentos y ropa para las personas que lo necesitan, con ayuda para familias.', 'es'],
  ['Nou bay moun ki grangou manje, epi nou ede yo jwenn rad pou timoun yo ak tout fanmi an.', 'ht'],
  ['Food pantry', undefined],
  ['Comida y ropa. Food and clothing for the people. Para las familias de la zona.', undefined],
])('the language of a text is known by its frequent words: %s', (text, language) => {
  expect(languageOfText(text)).toBe(language);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairMojibake } from '../../src/hsds/mojibake.ts';

const latin1 = (text: string): string =>
  new TextDecoder('windows-1252').decode(new TextEncoder().encode(text));

describe('misread UTF-8 is repaired', () => {
  it.each([
    ['as Windows-1252', 'Iâ€™m at the cafÃ© â€“ niÃ±os', 'I’m at the café – niños', 4],
    ['twice as Windows-1252', 'womenÃ¢â‚¬â„¢s', 'women’s', 1],
    ['as code page 437', 'ni├▒osΓÇÖ', 'niños’', 2],
    ['as code page 850', 'womenÔÇÖs', 'women’s', 1],
    [
      'as code page 437, the rest fitted into Windows-1252',
      'womenGÇÖs GÇ£welcomeGÇ¥',
      'women’s “welcome”',
      3,
    ],
    ['letters of the same', 'fa+ºade, C+íncer', 'façade, Cáncer', 2],
    ['letters that the word tells', 'Espa+¦ol, se+¦ora, ni+¦os', 'Español, señora, niños', 3],
    ['in endings', 'informaci+¦n y atenci+¦n, coraz+¦n', 'información y atención, corazón', 3],
    ['in frequent words', 'salud p+¦blica, seg+¦n n+¦mero', 'salud pública, según número', 3],
    ['e with its accent, and i', 'caf+¬, cl+¡nica', 'café, clínica', 2],
    [
      'quotation marks of Windows in UTF-8',
      'the -ôknow your rights-ö class',
      'the “know your rights” class',
      2,
    ],
    [
      'invisible characters become plain',
      'oneGÇæonGÇæone BaptiGÇïst\u00c2\u00a0text',
      'one-on-one Baptist text',
      4,
    ],
    ['half a no-break space', 'textÂ more', 'text more', 1],
    ['in capitals', 'ESPAÃ‘A', 'ESPAÑA', 1],
  ])('%s', (_, garbled, text, repairs) => {
    expect(repairMojibake(garbled)).toEqual({ text, repairs });
  });

  it('whatever Spanish and English words it stood in', () => {
    const words = fc.constantFrom(
      'niños',
      'Información',
      'ÑANDÚ',
      'women’s',
      '“hola”',
      'a – b',
      'café…',
      '¿Qué?',
      'plain',
    );
    fc.assert(
      fc.property(fc.array(words), (some) => {
        const text = some.join(' ');
        expect(repairMojibake(latin1(text)).text).toBe(text);
        expect(repairMojibake(text)).toEqual({ text, repairs: 0 });
      }),
    );
  });
});

describe('what may be meant stays', () => {
  it.each([
    'Kreyòl, Español, naïve, façade, São Paulo',
    'SÃO PAULO',
    '“IRMÃ”',
    'L’ÂGE D’OR',
    'físico-óptico',
    '2+ó',
    'Çà et là',
    '日本語, العربية, 🍲',
    'plain text',
    '',
  ])('%s', (text) => {
    expect(repairMojibake(text)).toEqual({ text, repairs: 0 });
  });

  it('a sequence for several letters stays when no word tells which is meant', () => {
    expect(repairMojibake('K+¦ln')).toEqual({ text: 'K+¦ln', repairs: 0 });
  });
});

it('a text of 10 MB takes no longer than its length', () => {
  const { repairs } = repairMojibake('womenâ€™s -ô '.repeat(800_000));
  expect(repairs).toBe(800_000);
});

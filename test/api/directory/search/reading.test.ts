import { describe, expect, it } from 'vitest';
import { conceptsIn } from '../../../../src/api/directory/search/words/concepts.ts';
import { crisisIn, isCrisis } from '../../../../src/api/directory/search/words/crisis.ts';
import { readText } from '../../../../src/api/directory/search/words/reading.ts';

describe('the words of a query', () => {
  it.each([
    ['thrift store open saturday', 'thrift store', 'sat'],
    ['dentista abierto el sábado', 'dentista el', 'sat'],
    ['klinik ki louvri samdi', 'klinik', 'sat'],
    ['food open now', 'food', 'now'],
    ['comida abierto hoy', 'comida', 'today'],
    ['manje ki louvri kounye a', 'manje', 'now'],
    // How urgent it is, not when it is open.
    ['where can i get food today', 'where can i get food', undefined],
    // A name.
    ['open table', 'open table', undefined],
    ['open', 'open', undefined],
    ['saturday', 'saturday', undefined],
  ])('say when: %s', (text, rest, time) => {
    expect(readText(text)).toMatchObject({ text: rest, time });
  });

  it.each([
    ['food near me', 'food', true],
    ['dentista cerca de mi', 'dentista', true],
    ['clinic close to me', 'clinic', true],
    ['manje toupre m', 'manje', true],
    ['food', 'food', false],
    ['near me', 'near me', true],
  ])('say that it shall be close: %s', (text, rest, here) => {
    expect(readText(text)).toMatchObject({ text: rest, here });
  });

  it.each([
    ['food pantry in north miami beach', 'north miami beach', 'food pantry'],
    ['guardería en homestead', 'homestead', 'guarderia'],
    ['manje nan homestead', 'homestead', 'manje'],
    ['counseling near opa locka', 'opa locka', 'counseling'],
    ['food pantry hialeah', 'hialeah', 'food pantry'],
    ['doctor 33136', '33136', 'doctor'],
  ])('may name a place: %s', (text, name, rest) => {
    expect(readText(text).places).toContainEqual(expect.objectContaining({ name, text: rest }));
  });

  it('name no place where they say "near me", nor by a need', () => {
    expect(readText('food near me').places).toEqual([]);
    expect(readText('rent food').places).toEqual([]);
  });
});

describe('a sentence', () => {
  const words = (text: string) => conceptsIn(text).concepts.map(({ word }) => word);

  it('asks for the needs that it names, and the other words are preferred', () => {
    expect(words('how do i apply for food stamps')).toEqual(['food', 'stamps']);
    expect(words('can someone help me pay my electric bill this month')).toEqual(['electric', 'bill']);
    expect(conceptsIn('where can i get free food for my kids this week').preferred.length).toBeGreaterThan(0);
    expect(words('mwen bezwen manje')).toEqual(['manje']);
  });

  it('means each word where somebody lists words', () => {
    expect(words('autism summer camp')).toEqual(['autism', 'summer', 'camp']);
    expect(words('big brothers big sisters')).toEqual(['big', 'brothers', 'big', 'sisters']);
  });

  it('is not about a need that a short name only resembles', () => {
    expect(conceptsIn('Sant La').concepts[0]?.others).toEqual([]);
  });
});

describe('whoever may be in danger', () => {
  it.each([
    ['mwen vle touye tèt mwen', 'suicide'],
    ["i don't want to live anymore", 'suicide'],
    ['ya no quiero vivir', 'suicide'],
    ['my boyfriend hit me', 'domestic-violence'],
    ['mi esposo me pega y tengo miedo', 'domestic-violence'],
    ['mari m ap bat mwen', 'domestic-violence'],
    ['my child swallowed bleach', 'poison'],
  ])('is understood: %s', (text, need) => {
    expect(crisisIn(text).needs).toContain(need);
    expect(conceptsIn(text).concepts[0]?.words.length).toBeGreaterThan(0);
  });

  it('is not whoever looks for something else', () => {
    for (const text of ['food', 'hit the road charity', 'live music', 'touch typing', 'mwen vle manje'])
      expect([text, isCrisis(text)]).toEqual([text, false]);
  });
});

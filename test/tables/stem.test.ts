import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem } from '../../src/tables/stem.ts';

/** Words of one line must have one stem. */
const together = `
  pantry pantries pantrys
  food foods
  house houses housing housed
  clinic clinics clinica clinicas
  class classes clase clases
  mujer mujeres
  comida comidas
  nino ninos nina ninas
  nurse nurses nursing
  clothes clothe clothing
  church churches
  dish dishes
  box boxes
  bus buses
  family families familia familias
  city cities
  agency agencies agencia agencias
  emergency emergencies emergencia emergencias
  movie movies
  baby babies
  day days
  survey surveys
  attorney attorneys
  potato potatoes
  shoe shoes
  headache headaches
  tax taxes
  woman women womens
  man men mens
  child children childrens
  person people persona personas
  tooth teeth
  rent rents renting rented renta rentas
  shop shops shopping shopped
  train trains training trained
  counsel counseling counselling
  counselor counselors
  parent parents parenting
  live lives living
  move moving moved
  eat eating
  sew sewing
  marry married
  need needs needed needing
  abuse abused abuses abusing
  disability disabilities disabled disable
  eligible eligibility
  homeless homelessness
  blind blindness
  elder elders elderly
  adult adults adulto adulta adultos adultas
  anciano anciana ancianos ancianas
  doctor doctors doctora doctores
  hospital hospitals hospitales
  joven jovenes
  leccion lecciones
  clinico clinicos
  vivienda viviendas
  servicio servicios
  service services
  abogado abogada abogados abogadas
  papel papeles
  feliz felices
  specialize specialized
  plaza plazas
  luz luces
  mes meses
  noche noches
  leche leches
  pais paises
  programa programas program programs
  veteran veterans veterano veteranos
  refugio refugios
  diaper diapers
  meal meals
  bill bills
  skill skills
  glass glasses
  gas gases
  age ages
  pie pies
  care cares caring cared
  crisis crises
  egg eggs
  add adds adding added
`;

/** Words of one line must have different stems. */
const apart = `
  care car
  class clasp
  busy business
  new news
  place plaza
  aid aids
  unit united
  plan plane
  even evening
  house hose horse
  food foot
  case casa
  person personnel
  meal medal
  mental mentor
  shelter shelf
  rent rental rend
  legal leg
  universe university
  pan pantry
  pie pies3
  hospital hospice
  child childhood
  need needle
  bed bead
  king kin
  bus bush
  gas gasp
  sew sewer
  free freeze
  metal mental
  abuse abusive
  speed sped
`;

const lines = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));

describe('the stem of a word', () => {
  it.each(lines(together))('is the same for %s and what belongs to it', (...words) => {
    expect(new Set(words.map(stem)).size, words.map((word) => `${word}: ${stem(word)}`).join(', ')).toBe(1);
  });

  it.each(lines(apart))('is not the same for %s and others', (...words) => {
    expect(new Set(words.map(stem)).size, words.map((word) => `${word}: ${stem(word)}`).join(', ')).toBe(
      words.length,
    );
  });

  it('is never shorter than three letters, nor longer than the word', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'aeiousngdlyzbtch'.split('')),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(letters, (word) => {
        const found = stem(word);
        expect(found.length).toBeGreaterThanOrEqual(Math.min(3, word.length));
        expect(found).toBe(stem(word));
      }),
    );
  });

  it('leaves numbers, short words and other scripts as they are', () => {
    for (const word of ['33157', '12s', 'gas', 'as', '988', 'b12s', 'приюты', '食物'])
      expect(stem(word)).toBe(word);
  });
});

import { describe, expect, it } from 'vitest';
import { guessMapping } from '../../../src/hsds/sheet/guess-mapping.ts';
import { changed, mapping } from '../../../src/hsds/sheet/mapping.ts';

const targetsOf = (header: readonly string[], ...rows: readonly (readonly string[])[]) =>
  Object.values(guessMapping(header, rows).columns);

describe('the columns of a sheet are guessed', () => {
  it('by their names, as a city writes them', () => {
    expect(
      guessMapping(
        [
          'Agency',
          'Program Name',
          'Main Phone',
          'Toll-Free',
          'Street Address',
          'City',
          'ST',
          'Zip',
          'Web site',
          'Hours of Operation',
          'Who is eligible?',
          'Fees',
          'Last Updated',
        ],
        [
          [
            'Camillus House',
            'Day Shelter',
            '305-555-0100',
            '800-555-0100',
            '1603 NW 7th Ave',
            'Miami',
            'FL',
            '33136',
            'www.example.org',
            'Mon-Fri 9-5',
            'Adults',
            'None',
            '1/2/2024',
          ],
        ],
      ).columns,
    ).toEqual({
      Agency: 'organization',
      'Program Name': 'name',
      'Main Phone': 'phone',
      'Toll-Free': 'phone',
      'Street Address': 'address',
      City: 'city',
      ST: 'region',
      Zip: 'postal_code',
      'Web site': 'url',
      'Hours of Operation': 'hours',
      'Who is eligible?': 'eligibility',
      Fees: 'cost',
      'Last Updated': 'last_modified',
    });
  });

  it('by Spanish names, with and without accents', () => {
    expect(
      targetsOf(
        [
          'Nombre',
          'ORGANIZACION',
          'Teléfono',
          'Dirección',
          'Horario de atención',
          'Correo electrónico',
          'Requisitos',
          'Idiomas',
          'Costo',
          'Código postal',
          'Lunes',
        ],
        [
          'Despensa',
          'Cáritas',
          '(305) 555-0100',
          '12 Calle Ocho',
          'Lun-Vie 9am a 5pm',
          'a@example.org',
          'Identificación',
          'Español',
          'Gratis',
          '33135',
          '9-5',
        ],
      ),
    ).toEqual([
      'name',
      'organization',
      'phone',
      'address',
      'hours',
      'email',
      'eligibility',
      'languages',
      'cost',
      'postal_code',
      'hours_mo',
    ]);
  });

  it('by what they hold, where their names say nothing', () => {
    expect(
      targetsOf(
        ['Column A', 'Column B', 'Column C', 'Column D', 'Column E', 'Column F', 'Column G'],
        [
          'Food Bank',
          '305-555-0100',
          'food@example.org',
          'https://example.org',
          '12 Oak St',
          '25.77, -80.19',
          'Mon-Fri 9am-5pm',
        ],
        [
          'Legal Aid',
          '305-555-0101',
          'legal@example.org',
          'example.org/legal',
          '14 Oak St',
          '25.78, -80.2',
          'Tue 1pm-3pm',
        ],
      ),
    ).toEqual(['name', 'phone', 'email', 'url', 'address', 'coordinates', 'hours']);
  });

  it('by what they hold, where that contradicts their names', () => {
    expect(
      targetsOf(
        ['Name', 'Contact', 'Location', 'Site', 'Languages'],
        ['Food Bank', '305-555-0100', '12 Oak St, Miami, FL 33101', 'https://example.org', 'Spanish, Creole'],
      ),
    ).toEqual(['name', 'contact_phone', 'address', 'url', 'languages']);
  });

  it('where columns are languages and needs that are ticked', () => {
    expect(
      targetsOf(
        ['Pantry', 'Phone', 'Spanish', 'Haitian Creole', 'Food', 'Legal aid', 'Visited'],
        ['Food Bank', '305-555-0100', 'x', '', 'Yes', 'No', 'x'],
        ['Legal Aid', '305-555-0101', '', 'x', 'No', 'Yes', 'x'],
      ),
    ).toEqual(['name', 'phone', 'languages', 'languages', 'category', 'category', null]);
  });

  it('with an id only where every row has its own', () => {
    const header = ['ID', 'Name'];
    expect(targetsOf(header, ['1', 'Food Bank'], ['2', 'Legal Aid'])).toEqual(['id', 'name']);
    expect(targetsOf(header, ['1', 'Food Bank'], ['1', 'Legal Aid'])).toEqual([null, 'name']);
  });

  it('with the organization as the name, where nothing else is one', () => {
    expect(targetsOf(['Organization', 'Phone'], ['Food Bank', '305-555-0100'])).toEqual([
      'organization',
      'phone',
    ]);
    expect(targetsOf(['Service', 'Name'], ['Pantry', 'Food Bank'])).toEqual(['name', 'organization']);
    expect(targetsOf(['Agency', 'Name'], ['Food Bank', 'Pantry'])).toEqual(['organization', 'name']);
  });

  it('and can be changed, kept as JSON, and read again', () => {
    const header = ['Name', 'Remarks'];
    const guessed = guessMapping(header, [['Food Bank', 'Ring twice']], 'List');
    const corrected = changed(guessed, header, { Remarks: 'how_to_apply', Gone: 'email' });
    expect(mapping.parse(JSON.parse(JSON.stringify(corrected)))).toEqual({
      sheet: 'List',
      columns: { Name: 'name', Remarks: 'how_to_apply' },
    });
    expect(mapping.safeParse({ columns: { Name: 'no such place' } }).success).toBe(false);
  });

  it('in a thousand columns within a second', () => {
    const header = Array.from({ length: 1_000 }, (_, at) => `What people of the region say of ${at}`);
    const began = performance.now();
    guessMapping(header, [header.map(() => 'a text that is no phone 305 and no date')]);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

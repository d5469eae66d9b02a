import { describe, expect, it } from 'vitest';
import { changedBy, fieldsOf, type SealedChange } from '../../../src/commands/directory/field-changes.ts';
import { resourceFields, type ResourceFields } from '../../../src/events/directory/resource.ts';

const pantry: ResourceFields = { name: 'Pantry', category: 'food' };
const full: ResourceFields = {
  ...pantry,
  locations: [
    { name: 'Hotline', virtual: true },
    {
      name: 'Hall',
      street: '1 Quay',
      city: 'Miami',
      region: 'FL',
      postal_code: '33101',
      latitude: 25.77,
      longitude: -80.19,
    },
    { city: 'Tampa' },
  ],
  phones: [
    { number: '305-555-0199', type: 'fax' },
    { number: '305-555-0100', extension: '7', note: 'Ask for Ana' },
    { number: '305-555-0101' },
  ],
};
const [hotline = {}, hall = {}, tampa = {}] = full.locations ?? [];

/** The fields after a change, which could be stored. */
function after(change: SealedChange, fields = full): ResourceFields {
  const changed = changedBy(fields, change);
  expect(resourceFields.parse(changed)).toEqual(changed);
  return changed;
}

describe('the flat members of a new resource', () => {
  it('become its location and its phone', () => {
    const given = { ...pantry, address: '1 Quay', city: 'Miami', region: 'FL', phone: '305' };
    expect(fieldsOf(given)).toEqual({
      ...pantry,
      locations: [{ street: '1 Quay', city: 'Miami', region: 'FL' }],
      phones: [{ number: '305' }],
    });
    expect(fieldsOf({ ...pantry, phone: '305' })).toEqual({ ...pantry, phones: [{ number: '305' }] });
    expect(fieldsOf(pantry)).toEqual(pantry);
  });

  it('are refused beside the list that they would be written into', () => {
    const mixed = [
      { city: 'Miami', locations: [] },
      { phone: '305', locations: [{ city: 'Miami' }] },
      { phone: '305', phones: [{ number: '306' }] },
      { address: null, locations: null },
    ];
    for (const change of mixed) {
      const refused = () => changedBy(full, change);
      expect(refused).toThrow(expect.objectContaining({ code: 'mixed_fields', status: 400 }));
    }
    expect(() => fieldsOf({ ...pantry, city: 'Miami', locations: [{ city: 'Tampa' }] })).toThrow(
      'city and locations were both given. Send locations alone, or city without it.',
    );
    expect(after({ city: 'Tampa', phones: [{ number: '306' }] }).phones).toEqual([{ number: '306' }]);
  });
});

describe('a flat member in a change', () => {
  const moved = (place: object) => [hotline, place, tampa];

  it('changes the main location, whose coordinates no longer hold when it has moved', () => {
    expect(after({ region: 'Florida' }).locations).toEqual(moved({ ...hall, region: 'Florida' }));
    const { latitude: _north, longitude: _east, ...place } = hall;
    expect(after({ city: 'Homestead' }).locations).toEqual(moved({ ...place, city: 'Homestead' }));
    const { postal_code: _, ...unsplit } = place;
    expect(after({ address: '2 Road, 33102' }).locations).toEqual(
      moved({ ...unsplit, street: '2 Road, 33102' }),
    );
  });

  it('that is sent back as it was read changes nothing: the postal code stays apart', () => {
    const read = { phone: '305-555-0100 x7', address: '1 Quay, 33101', city: ' Miami ', region: 'FL' };
    expect(changedBy(full, read)).toEqual(full);
    expect(changedBy(pantry, { phone: null, address: null, city: null, region: null })).toEqual(pantry);
  });

  it('changes the phone that is shown, and leaves the others', () => {
    const [fax, ana, desk] = full.phones ?? [];
    expect(after({ phone: '306' }).phones).toEqual([fax, { number: '306', note: 'Ask for Ana' }, desk]);
    expect(after({ phone: null }).phones).toEqual([fax, desk]);
    expect(after({ phone: '306' }, { ...pantry, phones: fax ? [fax] : [] }).phones).toEqual([
      { number: '306' },
      fax,
    ]);
    const here: ResourceFields = { ...full, locations: [{ city: 'Miami', phones: ana ? [ana] : [] }] };
    expect(after({ phone: '306' }, here)).toEqual({
      ...here,
      locations: [{ city: 'Miami', phones: [{ number: '306', note: 'Ask for Ana' }] }],
    });
    expect(after({ phone: null }, here).locations).toEqual([{ city: 'Miami' }]);
  });

  it('that is null removes its part, and with the last part the location', () => {
    const small: ResourceFields = { ...pantry, locations: [{ street: '1 Quay', city: 'Miami' }] };
    expect(after({ city: null }, small).locations).toEqual([{ street: '1 Quay' }]);
    expect(after({ city: null, address: null }, small)).toEqual(pantry);
    expect(after({ phone: null }, { ...pantry, phones: [{ number: '305' }] })).toEqual(pantry);
  });

  it('makes a main location before those that are virtual', () => {
    const online: ResourceFields = { ...pantry, locations: [hotline] };
    expect(after({ city: 'Miami' }, online).locations).toEqual([{ city: 'Miami' }, hotline]);
  });
});

describe('a change', () => {
  it('replaces lists and objects whole, and removes them with null', () => {
    expect(after({ locations: [tampa] }).locations).toEqual([tampa]);
    expect(after({ locations: null, phones: null })).toEqual(pantry);
    expect(after({ ages: { minimum: 18 } }).ages).toEqual({ minimum: 18 });
  });

  it('takes from the further categories the one that becomes the first', () => {
    const fields: ResourceFields = { ...pantry, categories: ['goods', 'money'] };
    expect(after({ category: 'goods' }, fields)).toEqual({
      ...pantry,
      category: 'goods',
      categories: ['money'],
    });
    expect(after({ category: 'goods' }, { ...pantry, categories: ['goods'] })).toEqual({
      ...pantry,
      category: 'goods',
    });
  });

  it('keeps the stored name when the shown one is sent back', () => {
    const place: ResourceFields = {
      name: 'MIAMI',
      category: 'food',
      organization: { name: 'Salvation Army' },
      locations: [{ city: 'Miami' }],
    };
    expect(after({ name: 'Miami (Salvation Army)' }, place)).toEqual(place);
    expect(after({ name: 'MIAMI (Salvation Army)' }, place)).toEqual(place);
    expect(after({ name: 'Soup' }, place)).toEqual({ ...place, name: 'Soup' });
  });

  it('keeps stored names in capitals when they are sent back in title case', () => {
    const place: ResourceFields = {
      ...pantry,
      organization: { name: 'CHURCH WORLD SERVICE' },
      locations: [{ name: 'HOPE CENTER', city: 'Miami' }],
    };
    const shown = {
      organization: { name: 'Church World Service' },
      locations: [{ name: 'Hope Center', city: 'Miami' }],
    };
    expect(after(shown, place)).toEqual(place);
    expect(after({ organization: { name: 'Church' } }, place).organization).toEqual({ name: 'Church' });
  });

  it('leaves the hours with the main location when they are sent back', () => {
    const place: ResourceFields = { ...pantry, locations: [{ hours: 'Mornings' }] };
    expect(after({ hours: 'Mornings' }, place)).toEqual(place);
    expect(after({ hours: 'Evenings' }, place)).toEqual({ ...place, hours: 'Evenings' });
    expect(after({ hours: null }, { ...place, hours: 'Evenings' })).toEqual(place);
  });
});

import { describe, expect, it } from 'vitest';
import { upcast } from '../../../src/events/catalogue.ts';
import { resourceFields } from '../../../src/events/directory/resource.ts';
import { flatMemberNames, flatMembers } from '../../../src/events/directory/flat-members.ts';

/** Events as they stand in the logs of release 0.1. */
const submitted = `{"svc_id":"r_5040000000000007","id":7,"team":"harbour","source":{"system":"miami","id":"1"},
  "fields":{"name":"Harbour Pantry","category":"food","description":"Line\\nline","url":"https://example.org/",
  "city":"Miami","region":"FL","phone":"305-555-0100 x7","email":"help@example.org","address":"1 Quay, 33101",
  "hours":"Mo–Fr 9–17","languages":["English","Kreyòl"],"eligibility":"Everybody"}}`;
const revised = '{"fields":{"name":"Bay Pantry","category":"goods","phone":"305-555-0199"}}';
const bare = '{"fields":{"name":"Bay Pantry","category":"goods"}}';

const read = (type: string, json: string) =>
  upcast({ type, data: JSON.parse(json), metadata: { commonweal_schema: 1 } }).data as { fields: never };

describe('a resource event of version 1', () => {
  it('has its place as the main location and its number as a phone, and keeps everything else', () => {
    expect(read('ResourceSubmitted', submitted)).toEqual({
      svc_id: 'r_5040000000000007',
      id: 7,
      team: 'harbour',
      source: { system: 'miami', id: '1' },
      fields: {
        name: 'Harbour Pantry',
        category: 'food',
        description: 'Line\nline',
        url: 'https://example.org/',
        locations: [{ street: '1 Quay, 33101', city: 'Miami', region: 'FL' }],
        phones: [{ number: '305-555-0100 x7' }],
        email: 'help@example.org',
        hours: 'Mo–Fr 9–17',
        languages: ['English', 'Kreyòl'],
        eligibility: 'Everybody',
      },
    });
  });

  it('has no location and no phone where it had none', () => {
    expect(read('ResourceRevised', revised)).toEqual({
      fields: { name: 'Bay Pantry', category: 'goods', phones: [{ number: '305-555-0199' }] },
    });
    expect(read('ResourceRevised', bare)).toEqual({ fields: { name: 'Bay Pantry', category: 'goods' } });
  });

  it('becomes fields that could be written today, in the same form, so that an import sees no difference', () => {
    for (const json of [submitted, revised, bare]) {
      const { fields } = read('ResourceRevised', json);
      expect(JSON.stringify(resourceFields.parse(fields)['locations'])).toBe(
        JSON.stringify((fields as Record<string, unknown>)['locations']),
      );
    }
  });

  it('is shown with the flat members that it had', () => {
    const { fields: old } = JSON.parse(submitted) as { fields: Record<string, unknown> };
    const { fields } = read('ResourceSubmitted', submitted);
    for (const member of flatMemberNames) expect(flatMembers[member].of(fields)).toBe(old[member]);
  });
});

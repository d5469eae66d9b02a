import { describe, expect, it } from 'vitest';
import { sourceDate } from '../../src/events/directory/source.ts';
import { serviceOf } from '../../src/hsds/export/service.ts';
import { instantOf, sourceDateOf } from '../../src/hsds/fields/source-date.ts';
import { complaintsIn, folderOf, readItems, recordsIn, type Files } from './support.ts';

const read = async (files: Files) => {
  const items = await readItems(await folderOf(files));
  return {
    dates: recordsIn(items).map(({ fields }) => fields.last_modified),
    complaints: complaintsIn(items),
  };
};

describe('the date on which a source last changed a service', () => {
  it.each([
    ['2023-03-15T10:30:45.123Z', '2023-03-15T10:30:45.123Z'],
    ['2023-03-15T10:30:45.000Z', '2023-03-15T10:30:45Z'],
    ['2023-03-15 10:30:45', '2023-03-15T10:30:45Z'],
    ['2023-03-15 10:30', '2023-03-15T10:30:00Z'],
    ['2023-03-15 10:30:45.123456 UTC', '2023-03-15T10:30:45.123Z'],
    ['2023-03-15T22:30:00-05:00', '2023-03-16T03:30:00Z'],
    ['2023-03-15T22:30:00-0500', '2023-03-16T03:30:00Z'],
    ['2023-03-15 22:30:00+02', '2023-03-15T20:30:00Z'],
    ['2018-05-14T00:00:00Z', '2018-05-14'],
    ['2018-05-14 00:00:00+02:00', '2018-05-14'],
    ['2018-05-14', '2018-05-14'],
    ['2018-05', '2018-05'],
    ['2018', '2018'],
    ['5/14/2018', '2018-05-14'],
    ['14.5.2018', '2018-05-14'],
    ['05/05/2018 10:15 AM', '2018-05-05'],
    ['5/6/2018', '2018'],
    ['May 14, 2018', '2018-05-14'],
    ['14th May 2018', '2018-05-14'],
    ['Sept. 2018', '2018-09'],
    ['2018-02-30', undefined],
    ['2018-13', undefined],
    ['13/13/2018', undefined],
    ['0/0/2018', undefined],
    ['2018-05-14T25:00:00Z', undefined],
    ['last spring', undefined],
    ['', undefined],
  ])('%s is %s', (written, date) => {
    expect(sourceDateOf(written)).toBe(date);
    if (date !== undefined) {
      expect(sourceDate.parse(date)).toBe(date);
      expect(new Date(instantOf(date)).getTime()).toBe(new Date(date).getTime());
    }
  });

  it('is that of the service, else the latest of the table metadata; a text that is no date is said', async () => {
    const { dates, complaints } = await read({
      'services.csv':
        'id,name,last_modified\n1,A,2018-05-14\n2,B,\n3,C,yesterday\n4,D,\n5,E,2019-01-01T08:00:00Z\n',
      'metadata.csv':
        'id,resource_id,resource_type,last_action_date\na,2,service,2017-01-01\nb,2,service,2018-03-04\nc,4,location,2018-01-01\nd,5,service,2024-01-01\n',
    });
    expect(dates).toEqual(['2018-05-14', '2018-03-04', undefined, undefined, '2019-01-01T08:00:00Z']);
    expect(complaints).toEqual([
      'warning services.csv:4 service 3: the last_modified "yesterday" is not a date; left out',
    ]);
  });

  it('is a year or a month in which the service was assured, where no later day is told', async () => {
    const { dates, complaints } = await read({
      'services.csv':
        'id,name,assured_date,last_modified\n1,A,2017,\n2,B,2019-03,2018-05-14\n3,C,2017,2018-05-14\n4,D,5/6/2018,\n5,E,long ago,\n6,F,2018-05-14,\n',
    });
    expect(dates).toEqual(['2017', '2019-03', '2018-05-14', '2018', undefined, undefined]);
    expect(complaints).toEqual([
      'warning services.csv:6 service 5: the assured_date "long ago" is not a date; left out',
    ]);
  });

  it('is exported as an instant, and absent where no source gave one: the time of a change here is none', () => {
    const exported = (last_modified?: string) =>
      serviceOf({
        svc_id: 'r_0000000000000001',
        listed: true,
        fields: { name: 'A', category: 'food', ...(last_modified === undefined ? {} : { last_modified }) },
      });
    expect(exported('2018').last_modified).toBe('2018-01-01T00:00:00Z');
    expect(exported('2018-05').last_modified).toBe('2018-05-01T00:00:00Z');
    expect(exported('2018-05-14').last_modified).toBe('2018-05-14T00:00:00Z');
    expect(exported('2018-05-14T09:30:00Z').last_modified).toBe('2018-05-14T09:30:00Z');
    expect(exported()).not.toHaveProperty('last_modified');
  });
});

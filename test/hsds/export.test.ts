import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { resourceFieldRows } from '../../src/events/directory/resource-fields.ts';
import { svcIdOf } from '../../src/events/ids.ts';
import { svcIdOfService } from '../../src/hsds/export/ids.ts';
import { briefly, serviceOf, type ExportedRecord } from '../../src/hsds/export/service.ts';
import { anyRecord } from './any-record.ts';
import { problemsBy } from './published-schemas.ts';

const exported = (fields: ExportedRecord['fields'], more: Partial<ExportedRecord> = {}) =>
  serviceOf({
    svc_id: svcIdOf(0xabcdef012345),
    fields,
    listed: true,
    ...more,
  });

const problemsOfService = problemsBy('service.json');
const problemsOfBrief = problemsBy('service_list.json');

describe('a record as HSDS', () => {
  it('is valid by the published schemas, whatever the record', () => {
    fc.assert(
      fc.property(anyRecord, fc.boolean(), fc.nat(2 ** 40), (fields, listed, number) => {
        const inside = { status: 'approved', team: 'harbour', source_id: '144' };
        const service = exported(fields, { svc_id: svcIdOf(number + 1), listed, inside });
        expect(problemsOfService(service)).toEqual([]);
        expect(problemsOfBrief(briefly(service))).toEqual([]);
        expect(JSON.parse(JSON.stringify(service))).toEqual(service);
      }),
      { numRuns: 150 },
    );
  });

  it('would be refused otherwise', () => {
    const { id, ...rest } = exported({ name: 'Hall', category: 'food' });
    expect(problemsOfService(rest)).not.toEqual([]);
    expect(problemsOfService({ ...rest, id: 'r_1' })).not.toEqual([]);
    expect(problemsOfService({ ...rest, id, status: 'open' })).not.toEqual([]);
    expect(problemsOfService({ ...rest, id, phones: [{ id, number: '7', extension: '7' }] })).not.toEqual([]);
  });

  it('has an arbitrary value for every field of the table', () => {
    const seen = new Set(fc.sample(anyRecord, 200).flatMap((fields) => Object.keys(fields)));
    expect(resourceFieldRows.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
  });

  it('gives each thing an id of its own', () => {
    fc.assert(
      fc.property(anyRecord, (fields) => {
        const ids: string[] = [];
        JSON.stringify(exported(fields), (name, value: unknown) => {
          if (name === 'taxonomy_term') return undefined;
          if (typeof value === 'object' && value !== null && 'id' in value) ids.push(String(value.id));
          return value;
        });
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});

test('the UUID of a service tells its svc_id, and no other text does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 52 - 1 }), (number) => {
      const { id = '' } = exported({ name: 'Hall', category: 'food' }, { svc_id: svcIdOf(number) });
      expect(svcIdOfService(id)).toBe(svcIdOf(number));
      expect(svcIdOfService(id.toUpperCase())).toBe(svcIdOf(number));
    }),
  );
  const { id = '', attributes = [] } = exported({ name: 'Hall', category: 'food' });
  const changed = (at: number) => id.slice(0, at) + (id[at] === '1' ? '2' : '1') + id.slice(at + 1);
  for (let at = 0; at < id.length; at++) expect(svcIdOfService(changed(at))).toBeUndefined();
  for (const text of ['', `${id}0`, ` ${id}`, String(attributes[0]?.id), crypto.randomUUID()]) {
    expect(svcIdOfService(text)).toBeUndefined();
  }
});

import { expect, it } from 'vitest';
import { svcIdOf } from '../../../src/events/ids.ts';
import type { ImportEvent } from '../../../src/events/directory/import.ts';
import type { ResourceEvent } from '../../../src/events/directory/resource.ts';
import { sourceStreamId, type SourceEvent } from '../../../src/events/directory/source.ts';
import { sources } from '../../../src/projections/directory/sources.ts';
import { given } from '../../support/fold.ts';

const of = { team: 'harbour', source: 'human_services_data' } as const;
const id = sourceStreamId(of.team, of.source);
const stream = `source-${id}`;
const named: SourceEvent = { type: 'SourceNamed', data: { ...of, name: 'Miami' } };
const renamed: SourceEvent = { type: 'SourceRenamed', data: { ...of, name: '211 Miami' } };
const submitted = (number: number, system?: string) =>
  ({
    type: 'ResourceSubmitted',
    data: {
      svc_id: svcIdOf(number),
      id: number,
      team: of.team,
      ...(system === undefined ? {} : { source: { system, id: String(number) } }),
      fields: { name: 'Corner Pantry', category: 'food' },
    },
  }) satisfies Extract<ResourceEvent, { type: 'ResourceSubmitted' }>;
const record = (number: number) => `resource-${svcIdOf(number)}`;

it('a source is listed under its newest name', () => {
  expect([...given(sources, [stream, named], [stream, renamed])]).toEqual([
    [id, { ...of, name: '211 Miami' }],
  ]);
});

it('a source from before there were names is listed under its id, which its records have', () => {
  const docs = given(sources, [record(1), submitted(1, of.source)], [record(2), submitted(2, of.source)]);
  expect([...docs]).toEqual([[id, { ...of, name: of.source, newest_record_on: '2026-01-01' }]]);
});

it('a name stays when further records come', () => {
  const docs = given(sources, [stream, named], [record(1), submitted(1, of.source)]);
  expect(docs.get(id)).toEqual({ ...of, name: 'Miami', newest_record_on: '2026-01-01' });
});

it('records that came from no source are none', () => {
  expect(given(sources, [record(1), submitted(1)]).size).toBe(0);
});

it('a source has the day of its newest import, also where that made no record', () => {
  const begun: Extract<ImportEvent, { type: 'ImportBegun' }> = { type: 'ImportBegun', data: of };
  const docs = given(sources, [stream, named], ['import-1', begun]);
  expect(docs.get(id)).toEqual({ ...of, name: 'Miami', last_import_on: '2026-01-01' });
});

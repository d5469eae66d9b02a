import { describe, expect, it } from 'vitest';
import {
  confirmationAfter,
  confirmedIn,
  firstDayOf,
  type ConfirmationState,
} from '../../../../src/events/directory/upkeep/confirmation.ts';

import type { SourceConfirmed } from '../../../../src/events/directory/upkeep/aging-parts.ts';

type Confirming = Parameters<typeof confirmationAfter>[1];
type At = readonly [day: string, event: Confirming];

const after = (...events: readonly At[]) =>
  confirmedIn(
    events.reduce<ConfirmationState>(
      (state, [day, event]) => confirmationAfter(state, event, `${day}T12:00:00.000Z`),
      {},
    ),
  );

const imported = (fields: { last_verified?: string; last_modified?: string }): At => [
  '2026-01-01',
  { type: 'ResourceSubmitted', data: { fields, source: { system: 'county', id: '1' } } },
];
const revised = (day: string, fields: { last_verified?: string }, from_source?: true): At => [
  day,
  { type: 'ResourceRevised', data: { fields, from_source } },
];
const changedBySource = (
  day: string,
  unconfirmed: ('hours' | 'phones' | 'places')[],
  fields: { last_modified?: string } = {},
): At => [day, { type: 'ResourceRevised', data: { fields, from_source: true, unconfirmed } }];
const confirmed = (day: string, by: 'team' | 'agency', parts?: ('hours' | 'phones' | 'places')[]): At => [
  day,
  { type: 'ResourceConfirmed', data: { by, parts } },
];

/** The source says the same of the record, and that of its parts. */
const partsSaid = (day: string, source_confirmed: SourceConfirmed, fields = {}): At => [
  day,
  { type: 'ResourceReadFromSource', data: { fields, source_confirmed } },
];

describe('parts that the source has confirmed by themselves', () => {
  const whole = { on: '2026-02-01', by: 'team' } as const;
  const byTeam = confirmed('2026-02-01', 'team');

  it('stand by the date of the source where that is later than the whole', () => {
    const hours = partsSaid('2026-03-09', { hours: '2026-03-01', phones: '2026-01-20' });
    expect(after(imported({}), byTeam, hours)).toEqual({
      ...whole,
      hours: { on: '2026-03-01', by: 'source' },
    });
    expect(after(imported({}), hours)).toEqual({
      hours: { on: '2026-03-01', by: 'source' },
      phones: { on: '2026-01-20', by: 'source' },
    });
  });

  it('are what the source said last, and stay while it says nothing of them', () => {
    const hours = partsSaid('2026-03-09', { hours: '2026-03-01' });
    const places = partsSaid('2026-03-12', { places: '2026-03-11' });
    const of = (...events: readonly At[]) => after(imported({}), byTeam, hours, ...events);
    expect(of(places)).toEqual({ ...whole, places: { on: '2026-03-11', by: 'source' } });
    expect(of(partsSaid('2026-03-12', {}))).toEqual(whole);
    expect(of(revised('2026-03-12', {}, true))).toHaveProperty('hours');
    expect(of(['2026-03-12', { type: 'ResourceReadFromSource', data: { fields: {} } }])).toHaveProperty(
      'hours',
    );
  });

  it('give way to whoever says it later, and to the whole', () => {
    const hours = partsSaid('2026-03-09', { hours: '2026-03-01' });
    const of = (...events: readonly At[]) => after(imported({}), byTeam, hours, ...events);
    expect(of(confirmed('2026-03-02', 'agency', ['hours']))).toMatchObject({
      hours: { on: '2026-03-02', by: 'agency' },
    });
    expect(of(confirmed('2026-03-01', 'team', ['hours']))).toMatchObject({ hours: { by: 'team' } });
    expect(of(confirmed('2026-02-20', 'team', ['hours']))).toMatchObject({ hours: { by: 'source' } });
    expect(of(confirmed('2026-03-02', 'team'))).toEqual({ on: '2026-03-02', by: 'team' });
  });

  it('that it has changed are its word where it confirmed them later than anybody the whole', () => {
    const changed = (on: string): At => [
      '2026-03-09',
      {
        type: 'ResourceRevised',
        data: { fields: {}, from_source: true, unconfirmed: ['hours'], source_confirmed: { hours: on } },
      },
    ];
    expect(after(imported({}), byTeam, changed('2026-03-01'))).toEqual({
      ...whole,
      hours: { on: '2026-03-01', by: 'source' },
    });
    expect(after(imported({}), byTeam, changed('2026-01-30'))).toEqual({
      ...whole,
      hours: { by: 'source', on: '2026-01-30', changed: '2026-03-09' },
    });
  });
});

describe('when a record was confirmed', () => {
  it('is never the day of its import', () => {
    expect(after(imported({}))).toBeUndefined();
    expect(after(imported({}), ['2026-01-01', { type: 'ResourceApproved' }])).toBeUndefined();
  });

  it('is the later of the dates of its source', () => {
    expect(after(imported({ last_modified: '2018' }))).toEqual({ on: '2018', by: 'source' });
    expect(after(imported({ last_modified: '2018-05', last_verified: '2018-03-01' }))).toEqual({
      on: '2018-05',
      by: 'source',
    });
    expect(after(imported({ last_modified: '2018', last_verified: '2018-03-01' }))).toEqual({
      on: '2018-03-01',
      by: 'source',
    });
  });

  it('is the day on which a reviewer approved what was written here', () => {
    const written: At = ['2026-01-01', { type: 'ResourceSubmitted', data: { fields: {} } }];
    expect(after(written)).toBeUndefined();
    expect(after(written, ['2026-01-03', { type: 'ResourceApproved' }])).toEqual({
      on: '2026-01-03',
      by: 'team',
    });
  });

  it('is the day that the team sets, until the source says another', () => {
    const set = revised('2026-02-02', { last_verified: '2026-02-01' });
    expect(after(imported({ last_verified: '2018-01-01' }), set)).toEqual({ on: '2026-02-01', by: 'team' });
    const unchanged = revised('2026-02-03', { last_verified: '2026-02-01' });
    expect(after(imported({}), set, unchanged)).toEqual({ on: '2026-02-01', by: 'team' });
    const read = revised('2026-03-01', { last_verified: '2026-02-20' }, true);
    expect(after(imported({}), set, read)).toEqual({ on: '2026-02-20', by: 'source' });
  });

  it('is what the team or the agency said last, also when the source says something older afterwards', () => {
    const read = revised('2026-06-01', { last_verified: '2026-05-20' }, true);
    expect(after(imported({}), confirmed('2026-05-30', 'agency'), read)).toEqual({
      on: '2026-05-30',
      by: 'agency',
    });
    expect(after(imported({}), confirmed('2026-05-30', 'agency'), confirmed('2026-05-30', 'team'))).toEqual({
      on: '2026-05-30',
      by: 'team',
    });
  });

  it('is told of a part while that was confirmed later than the whole', () => {
    const hours = confirmed('2026-05-30', 'team', ['hours', 'phones']);
    const of = { on: '2026-05-30', by: 'team' };
    expect(after(imported({ last_modified: '2018' }), hours)).toEqual({
      on: '2018',
      by: 'source',
      hours: of,
      phones: of,
    });
    expect(after(imported({}), hours)).toEqual({ hours: of, phones: of });
    expect(after(imported({}), hours, confirmed('2026-06-01', 'agency', ['phones']))).toEqual({
      hours: of,
      phones: { on: '2026-06-01', by: 'agency' },
    });
    expect(after(imported({}), hours, confirmed('2026-06-02', 'agency'))).toEqual({
      on: '2026-06-02',
      by: 'agency',
    });
  });

  it.each([
    ['2018', '2018-01-01'],
    ['2018-05', '2018-05-01'],
    ['2018-05-14', '2018-05-14'],
    ['2018-05-14T09:30:00Z', '2018-05-14'],
  ])('of %s counts from %s', (date, day) => {
    expect(firstDayOf(date)).toBe(day);
  });

  it('ends for a part that its source has changed, until somebody confirms it or its source says all of it later', () => {
    const whole = { on: '2026-02-01', by: 'agency' };
    const changed = [
      imported({}),
      confirmed('2026-02-01', 'agency'),
      changedBySource('2026-03-01', ['phones']),
    ];
    expect(after(...changed)).toEqual({ ...whole, phones: { by: 'source', changed: '2026-03-01' } });
    expect(after(...changed, confirmed('2026-03-01', 'team', ['hours']))).toEqual({
      ...whole,
      hours: { on: '2026-03-01', by: 'team' },
      phones: { by: 'source', changed: '2026-03-01' },
    });
    expect(after(...changed, confirmed('2026-03-01', 'team', ['phones']))).toEqual({
      ...whole,
      phones: { on: '2026-03-01', by: 'team' },
    });
    expect(after(...changed, confirmed('2026-04-01', 'team'))).toEqual({ on: '2026-04-01', by: 'team' });
    expect(after(...changed, revised('2026-04-01', { last_verified: '2026-04-01' }))).toEqual({
      on: '2026-04-01',
      by: 'team',
    });
    expect(after(...changed, changedBySource('2026-04-01', [], { last_modified: '2026-03-20' }))).toEqual({
      on: '2026-03-20',
      by: 'source',
    });
  });

  it('ends for a part that was confirmed by itself', () => {
    expect(
      after(
        imported({ last_modified: '2018' }),
        confirmed('2026-02-01', 'team', ['phones', 'hours']),
        changedBySource('2026-03-01', ['phones'], { last_modified: '2018' }),
      ),
    ).toEqual({ on: '2018', by: 'source', hours: { on: '2026-02-01', by: 'team' } });
  });

  it('is the day on which the team changed a part, for that part alone', () => {
    const changed: At = [
      '2026-03-01',
      { type: 'ResourceRevised', data: { fields: { last_verified: '2018-01-01' }, confirmed: ['phones'] } },
    ];
    const whole = { on: '2018-01-01', by: 'source' };
    const phones = { on: '2026-03-01', by: 'team' };
    expect(after(imported({ last_verified: '2018-01-01' }), changed)).toEqual({ ...whole, phones });
    expect(
      after(
        imported({ last_verified: '2018-01-01' }),
        confirmed('2026-01-02', 'agency'),
        changedBySource('2026-02-01', ['phones', 'hours'], {}),
        ['2026-03-01', { type: 'ResourceRevised', data: { fields: {}, confirmed: ['phones'] } }],
      ),
      'what its source had changed of it no longer counts',
    ).toEqual({
      on: '2026-01-02',
      by: 'agency',
      hours: { by: 'source', changed: '2026-02-01' },
      phones,
    });
  });

  it('is what it was, after the day that the team set is undone', () => {
    const bySource = { on: '2018-05-01', by: 'source' };
    const marked = revised('2026-03-01', { last_verified: '2026-03-01' });
    const undone = revised('2026-03-02', { last_verified: '2018-05-01' });
    expect(after(imported({ last_verified: '2018-05-01' }), marked)).toEqual({
      on: '2026-03-01',
      by: 'team',
    });
    expect(after(imported({ last_verified: '2018-05-01' }), marked, undone)).toEqual(bySource);
    expect(after(imported({}), marked, revised('2026-03-02', {}))).toBeUndefined();

    const changed = [
      imported({}),
      confirmed('2026-01-02', 'agency'),
      changedBySource('2026-02-01', ['phones']),
    ];
    expect(after(...changed, marked)).toEqual({ on: '2026-03-01', by: 'team' });
    expect(after(...changed, marked, revised('2026-03-02', {}))).toEqual(after(...changed));
  });

  it('is the day of the source where an import merges it into what people have changed', () => {
    const read: At = [
      '2026-03-01',
      { type: 'ResourceReadFromSource', data: { fields: { last_verified: '2026-02-20' } } },
    ];
    const merged = revised('2026-03-01', { last_verified: '2026-02-20' });
    expect(after(imported({ last_verified: '2018-01-01' }), read, merged)).toEqual({
      on: '2026-02-20',
      by: 'source',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definitionOf, streams, upcast } from '../../src/events/catalogue.ts';
import { event, streamId, streamName } from '../../src/events/define.ts';

const types = streams.flatMap(({ events }) => Object.keys(events));

describe('the catalogue', () => {
  it('has every event type once, over all streams', () => {
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
  });

  it('names every event in the past tense', () => {
    const irregular =
      /(Chosen|Sent|Resent|Left|Withdrawn|Joined|Set|Taken|Begun|Undone|Proven|ReadFromSource|ChangesRead)$/;
    expect(types.filter((type) => !/^([A-Z][a-z]+)+ed$/.test(type) && !irregular.test(type))).toEqual([]);
  });

  it('says in a sentence what each event means', () => {
    for (const { events } of streams) {
      for (const [type, { means }] of Object.entries(events)) expect(means, type).toMatch(/^[A-Z].{10,}\.$/);
    }
  });

  it('names its streams so that no name begins another', () => {
    const names = streams.map(({ name }) => `${name}-`);
    for (const name of names) expect(names.filter((other) => other.startsWith(name))).toEqual([name]);
  });

  it('refuses an unknown field in every event: what nobody declared nobody stores', () => {
    for (const type of types) {
      const issues = definitionOf(type)?.data.safeParse({ surprise: 1 }).error?.issues ?? [];
      expect(
        issues.map(({ code }) => code),
        type,
      ).toContain('unrecognized_keys');
    }
  });

  it('has a way from every version that is read to the next', () => {
    for (const { events } of streams) {
      for (const [type, { version, upcast: steps }] of Object.entries(events)) {
        const from = Object.keys(steps ?? {}).map(Number);
        const oldest = from[0] ?? version;
        expect(from, type).toEqual(Array.from({ length: version - oldest }, (_, n) => oldest + n));
      }
    }
  });
});

describe('an old event', () => {
  const parcelSent = event('A parcel is on its way.', z.strictObject({ grams: z.int(), to: z.string() }), 3, {
    1: (data) => ({ kilograms: (data as { weight: number }).weight }),
    2: (data) => ({ grams: (data as { kilograms: number }).kilograms * 1_000, to: 'unknown' }),
  });
  const letterSent = event('A letter is on its way.', z.strictObject({}), 3, { 1: (data) => data });
  const written = (type: string, version: unknown, data: unknown) => ({
    type,
    data,
    metadata: { commonweal_schema: version },
  });

  it('is brought up to date step by step, from whichever version it was written at', () => {
    expect(upcast(written('ParcelSent', 1, { weight: 2 }), parcelSent)).toEqual({
      type: 'ParcelSent',
      data: { grams: 2_000, to: 'unknown' },
    });
    expect(upcast(written('ParcelSent', 2, { kilograms: 3 }), parcelSent)).toEqual({
      type: 'ParcelSent',
      data: { grams: 3_000, to: 'unknown' },
    });
    const data = { grams: 1, to: 'you' };
    expect(upcast(written('ParcelSent', 3, data), parcelSent).data).toBe(data);
  });

  it('is refused where a step is missing', () => {
    expect(() => upcast(written('LetterSent', 1, {}), letterSent)).toThrow(
      'LetterSent has no way from schema 2 to 3.',
    );
  });

  it('is refused by name when it is older than release 1.0.0', () => {
    for (const definition of [letterSent, event('A letter is on its way.', z.strictObject({}), 2)])
      expect(() => upcast(written('LetterSent', 0, {}), definition)).toThrow(
        'LetterSent (schema 0) was written by a development version from before 1.0.0, which this release does not read. Serve this log with the version that wrote it.',
      );
  });

  it('is refused when a newer version wrote it, or one unknown, or nobody says which', () => {
    for (const version of [4, undefined, '1', null]) {
      expect(() => upcast(written('ParcelSent', version, {}), parcelSent)).toThrow(
        /is unknown to this version of Commonweal/,
      );
    }
    expect(() => upcast(written('ParcelEaten', 1, {}))).toThrow(
      'ParcelEaten (schema 1) is unknown to this version',
    );
  });
});

describe('an event of ours', () => {
  it('stands in a stream from whose name its id is read, hyphens and all', () => {
    const kind = { name: 'webhook-delivery' };
    const id = '0b9f3c53-2d6c-5c0e-8f7b-4f5f4f2b7a11';
    expect(streamName(kind, id)).toBe(`webhook-delivery-${id}`);
    expect(streamId({ stream: streamName(kind, id) }, kind)).toBe(id);
  });
});

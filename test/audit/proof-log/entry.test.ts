import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  contentOf,
  entryBundle,
  entryOf,
  leafHash,
  leafHashOf,
  maximumEntryBytes,
} from '../../../src/audit/proof-log/entry.ts';

const event = {
  id: '0b5b1a3e-6a39-5a6f-9f6a-0f2b6f1f2a11',
  stream: 'team-harbor',
  revision: 3,
  position: 912n,
  type: 'MemberJoined',
  data: { user: 'u1', role: 'reviewer' },
  metadata: { commonweal_schema: 1, at: '2026-01-02T03:04:05.000Z' },
};

/** An event whose canonical JSON has exactly this many bytes. */
function eventOf(bytes: number): typeof event {
  const overhead = contentOf({ ...event, data: { text: '' } }).length;
  return { ...event, data: { text: 'x'.repeat(bytes - overhead) } as never };
}

describe('the entry of an event', () => {
  it('is the canonical JSON of its content, without its position in the store', () => {
    expect(entryOf(event).toString()).toBe(
      '{"data":{"role":"reviewer","user":"u1"},"id":"0b5b1a3e-6a39-5a6f-9f6a-0f2b6f1f2a11","metadata":{"at":"2026-01-02T03:04:05.000Z","commonweal_schema":1},"revision":3,"stream":"team-harbor","type":"MemberJoined"}',
    );
    const elsewhere = { ...event, position: 7n };
    expect(entryOf(elsewhere)).toEqual(entryOf(event));
  });

  it('is the content itself up to the size that a bundle can hold, and its marked hash beyond', () => {
    const largest = eventOf(maximumEntryBytes);
    expect(entryOf(largest)).toEqual(contentOf(largest));
    const larger = eventOf(maximumEntryBytes + 1);
    const sha256 = createHash('sha256').update(contentOf(larger)).digest('hex');
    expect(entryOf(larger).toString()).toBe(
      `{"bytes":65536,"commonweal_entry":"sha256","sha256":"${sha256}"}`,
    );
  });

  it('has the leaf hash of RFC 6962', () => {
    const entry = entryOf(event);
    expect(leafHash(entry)).toEqual(createHash('sha256').update(Buffer.of(0)).update(entry).digest());
    expect(leafHash(Buffer.alloc(0)).toString('hex')).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
  });

  it('has the same leaf hash whether its bytes are made or not, at any size and in any script', () => {
    const texts = ['', 'é', 'Ñandú – “Küche”', 'مطبخ', '🏠', '\\ud83c', '\u0000'];
    for (const text of texts) {
      const said = { ...event, data: { text } };
      expect(leafHashOf(said)).toEqual(leafHash(entryOf(said)));
    }
    for (const bytes of [21_844, 21_845, 21_846, maximumEntryBytes, maximumEntryBytes + 1])
      expect(leafHashOf(eventOf(bytes))).toEqual(leafHash(entryOf(eventOf(bytes))));
  });

  it('stands in a bundle after its length', () => {
    const long = Buffer.alloc(maximumEntryBytes, 1);
    expect(entryBundle([Buffer.from('ab'), Buffer.alloc(0), long])).toEqual(
      Buffer.concat([Buffer.from([0, 2]), Buffer.from('ab'), Buffer.from([0, 0, 0xff, 0xff]), long]),
    );
    expect(entryBundle([])).toHaveLength(0);
  });
});

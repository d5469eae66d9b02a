import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CanonicalBytes } from '../../../src/audit/proof-log/canonical-bytes.ts';
import { canonicalJson } from '../../../src/audit/proof-log/canonical-json.ts';
import { leafHashOf, maximumEntryBytes } from '../../../src/audit/proof-log/entry.ts';
import { TextLeaves } from '../../../src/audit/proof-log/text-leaves.ts';
import type { EventText } from '../../../src/stores/event-store/port.ts';

const text: EventText = {
  id: '0b5b1a3e-6a39-5a6f-9f6a-0f2b6f1f2a11',
  stream: 'team-harbor',
  revision: 3,
  position: 912n,
  type: 'MemberJoined',
  data: '{"user":"u1","role":"reviewer"}',
  metadata: '{"commonweal_schema":1,"at":"2026-01-02T03:04:05.000Z"}',
};
const parsed = ({ data, metadata, ...event }: EventText) => ({
  ...event,
  data: JSON.parse(data) as unknown,
  metadata: JSON.parse(metadata) as Record<string, unknown>,
});
const textLeaves = new TextLeaves();
const leaves = {
  of(event: EventText): Buffer {
    const leaf = Buffer.alloc(34);
    textLeaves.put(event, leaf, 1);
    expect([leaf[0], leaf[33]]).toEqual([0, 0]);
    return leaf.subarray(1, 33);
  },
};

/** The canonical form of a text as bytes are put in order. Undefined when they cannot be. */
const bytes = new CanonicalBytes(300_000);
function inOrder(json: string): string | undefined {
  bytes.clear();
  return bytes.json(json) ? bytes.written.toString() : undefined;
}

/** Texts as stores hold them, and as somebody with an editor leaves them. */
const aValue = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const aText = fc
  .tuple(aValue, fc.constantFrom(undefined, 1, '\t'))
  .map(([value, space]) => JSON.stringify(value, null, space));
const oddTexts = [
  '{"b":1,"a":2}',
  '{"b":{"d":1,"c":[{"z":1,"y":[]},{"a":{}}]},"a":[1,{"2":1,"10":2}]}',
  '{"a":1,"a":2}',
  '{"aa":1,"a":2,"ab":3,"":4}',
  '{"__proto__":1,"B":2,"b":3,"1":4}',
  '{"é":1,"e":2}',
  '{"\\u0061":1,"a":2}',
  '"\\u0041"',
  '"\\/"',
  '"\\n\\"\\\\"',
  '"\\u000b"',
  '"\\ud83d\\ude00"',
  '"\\ud83d"',
  '"😀é"',
  '-0',
  '0',
  '-1',
  '01',
  '1.0',
  '1.5',
  '1e5',
  '1e+21',
  '1E21',
  '0.000001',
  '1e-7',
  '9007199254740993',
  '999999999999999',
  '-',
  '1-2',
  'nul',
  'true',
  'truer',
  '[]',
  '[ ]',
  '[1,]',
  '{"a":1,}',
  '{"a"}',
  '{a:1}',
  '"a',
  '"a\\',
  '"a\nb"',
  '"a\u007fb"',
  '',
  ' 1',
  '1 ',
  '[1]]',
  '{"a":1}}',
];

describe('JSON texts whose bytes are put in order', () => {
  it('have the canonical form of what they say, or none in this way', () => {
    const holds = (json: string) => {
      const written = inOrder(json);
      // A text that is no JSON throws here.
      if (written !== undefined) expect(written).toBe(canonicalJson(JSON.parse(json)));
    };
    for (const json of oddTexts) holds(json);
    fc.assert(fc.property(aText, holds), { numRuns: 500 });
    const anEdit = fc.tuple(
      aText,
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', '{', '}', '[', '0', ' ', '\n', 'é'),
    );
    const edited = anEdit.map(([json, at, by]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + by + json.slice(place + 1);
    });
    fc.assert(fc.property(edited, holds), { numRuns: 1_000 });
  });

  it('need no other way when JSON.stringify wrote them and names are ASCII', () => {
    const name = fc.stringMatching(/^\w{0,6}$/);
    const { plain } = fc.letrec<{ plain: unknown }>((tie) => ({
      plain: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'grapheme-ascii' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('plain'), { maxLength: 4 }),
        fc.dictionary(name, tie('plain'), { maxKeys: 8 }),
      ),
    }));
    fc.assert(
      fc.property(plain, (value) => {
        expect(inOrder(JSON.stringify(value))).toBe(canonicalJson(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are written one behind another', () => {
    bytes.clear();
    expect(
      bytes.verbatim('x:') && bytes.json('{"b":1,"a":2}') && bytes.verbatim('é') && bytes.json('[3]'),
    ).toBe(true);
    expect(bytes.written.toString()).toBe('x:{"a":2,"b":1}é[3]');
  });

  it('have none in this way when there is no room for them', () => {
    const small = new CanonicalBytes(30);
    expect(small.json('"1234567"')).toBe(true);
    expect(small.json('"1234567"')).toBe(false);
    expect(small.verbatim('12345678')).toBe(false);
    small.clear();
    expect(small.json('"123456789"')).toBe(false);
  });
});

describe('the leaf of an event in texts', () => {
  it('is that of the event, whatever its texts look like', () => {
    const anObject = fc.tuple(
      fc.dictionary(fc.string({ unit: 'binary' }), aValue),
      fc.constantFrom(undefined, 2),
    );
    const aJson = anObject.map(([value, space]) => JSON.stringify(value, null, space));
    const aName = fc.oneof(fc.uuid(), fc.string());
    fc.assert(
      fc.property(aJson, aJson, aName, aName, fc.nat(), (data, metadata, stream, type, revision) => {
        const event = { ...text, data, metadata, stream, type, revision };
        let expected: Buffer | undefined;
        try {
          expected = leafHashOf(parsed(event));
        } catch {
          expect(() => leaves.of(event)).toThrow('no canonical JSON');
          return;
        }
        expect(leaves.of(event)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it.each([maximumEntryBytes - 1, maximumEntryBytes, maximumEntryBytes + 1, 300_000])(
    'is that of the event, also when its entry has about %i bytes',
    (size) => {
      for (const unit of ['x', 'é', '🏠']) {
        const bare = { ...text, data: '{"text":""}' };
        const overhead = Buffer.byteLength(canonicalJson({ ...parsed(bare), position: undefined }));
        const data = JSON.stringify({ text: unit.repeat((size - overhead) / Buffer.byteLength(unit)) });
        const event = { ...text, data };
        expect(leaves.of(event)).toEqual(leafHashOf(parsed(event)));
      }
    },
  );

  it('is none for texts that are no JSON, and for one with a lone surrogate', () => {
    for (const data of ['', '{', '{"a":1', '{"a":1},"b":2', '{"a":1}}', '{"a":"\u0001"}', '1 2', 'undefined'])
      expect(() => leaves.of({ ...text, data }), data).toThrow(SyntaxError);
    expect(() => leaves.of({ ...text, data: '{"a":"\\ud800"}' })).toThrow('no canonical JSON');
  });

  it('is not that of an event whose bytes were divided otherwise among its columns', () => {
    const inner = '"id":"i","metadata":{"m":1},"revision":7,"stream":"s","type":"t"';
    const event = { ...text, data: `{"a":{"b":1,${inner}}}`, metadata: '{"k":{"x":1},"z":2}' };
    const signed = leaves.of(event);
    expect(signed).toEqual(leafHashOf(parsed(event)));
    // The entry is the same bytes, cut at another `"metadata":`, or at another end.
    const rest = `,"revision":7,"stream":"s","type":"t"}},"id":"${text.id}","metadata":${event.metadata}`;
    const divided = [
      { ...event, data: '{"a":{"b":1', id: 'i', metadata: `{"m":1}${rest}` },
      {
        ...event,
        data: '{"a":{"b":1',
        id: `i","metadata":{"m":1}${rest.slice(0, -event.metadata.length - 13)}`,
      },
      { ...event, metadata: '{"k":{"x":1}', type: 'MemberJoined' },
      { ...event, type: 'MemberJoined","zz":"1' },
      { ...event, stream: 'team-harbor","type":"MemberJoined', type: 'x' },
    ];
    for (const each of divided) {
      let leaf: Buffer | undefined;
      try {
        leaf = leaves.of(each);
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
      }
      expect(leaf?.equals(signed) ?? false).toBe(false);
    }
  });
});

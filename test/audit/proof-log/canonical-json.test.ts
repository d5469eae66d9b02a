import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/audit/proof-log/canonical-json.ts';

/** RFC 8785 written down again, sign by sign. */
function simply(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  if (Array.isArray(value)) return '[' + value.map(simply).join(',') + ']';
  if (typeof value === 'object' && value !== null) {
    const utf16 = (name: string) => Buffer.from(name, 'utf16le').swap16();
    const members = Object.entries(value)
      .sort(([one], [other]) => Buffer.compare(utf16(one), utf16(other)))
      .map(([name, member]) => quoted(name) + ':' + simply(member));
    return '{' + members.join(',') + '}';
  }
  return String(value);
}

function quoted(text: string): string {
  const short: Readonly<Record<number, string>> = {
    8: 'b',
    9: 't',
    10: 'n',
    12: 'f',
    13: 'r',
    34: '"',
    92: '\\',
  };
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).map((unit) => {
    if (short[unit] !== undefined) return '\\' + short[unit];
    return unit < 32 ? '\\u' + unit.toString(16).padStart(4, '0') : String.fromCharCode(unit);
  });
  return '"' + units.join('') + '"';
}

const name = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '__proto__',
    'toJSON',
    'constructor',
    '10',
    '9',
    '-1',
    '01',
    '',
    'é',
    '\u{1f600}',
    '\ufb33',
  ),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('json'), { maxLength: 5 }),
    fc
      .array(fc.tuple(name, tie('json')), { maxLength: 8 })
      // As JSON.parse makes them: `__proto__` is a property like others.
      .map(
        (members) =>
          JSON.parse(
            `{${members.map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`).join(',')}}`,
          ) as unknown,
      ),
  ),
}));

describe('canonical JSON', () => {
  it('is what a simple implementation of RFC 8785 writes, for any value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(value)).toBe(simply(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not depend on the order in which names were written', () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.integer()), fc.infiniteStream(fc.nat()), (object, numbers) => {
        const shuffled = Object.entries(object)
          .map((entry) => ({ entry, rank: numbers.next().value as number }))
          .sort((one, other) => one.rank - other.rank);
        const other: unknown = Object.fromEntries(shuffled.map(({ entry }) => entry));
        expect(canonicalJson(other)).toBe(canonicalJson(object));
      }),
    );
  });

  it('writes the example of RFC 8785, section 3.2.2', () => {
    const input = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(input))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts names as in RFC 8785, section 3.2.3', () => {
    const input = String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh",
      "1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`;
    const values = [...canonicalJson(JSON.parse(input)).matchAll(/:"([^"]*)"/g)].map(([, value]) => value);
    expect(values).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number %s of RFC 8785, appendix B, as %s', (bits, written) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(written);
  });

  it.each([
    ['a number that is not finite', { a: [Number.NaN] }],
    ['infinity beside a name that looks like a number', { 1: Infinity }],
    ['a lone surrogate in a text', { a: ['x\ud800'] }],
    ['a lone surrogate in a name', { '\udc00': 1 }],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(/has no canonical JSON/);
  });

  it('takes a text that only looks like an escaped surrogate', () => {
    expect(canonicalJson('\\ud800')).toBe(String.raw`"\\ud800"`);
  });
});

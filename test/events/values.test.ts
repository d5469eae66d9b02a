import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { domain } from '../../src/events/keys.ts';
import { category } from '../../src/events/directory/category.ts';
import { line, slug, text } from '../../src/events/define.ts';
import { uuidOf } from '../../src/events/ids.ts';
import { actor, metadata } from '../../src/events/metadata.ts';
import { resourceFields, svcId } from '../../src/events/directory/resource.ts';

const label = 'x'.repeat(63);

/** What each kind of value takes (and as what it is kept, where that differs), and what it refuses. */
const values: readonly {
  readonly kind: string;
  readonly schema: z.ZodType<string>;
  readonly takes: readonly (string | readonly [given: string, kept: string])[];
  readonly refuses: readonly unknown[];
}[] = [
  {
    kind: 'text',
    schema: text(5),
    takes: ['', ' ', 'a', 'abcde', '\n', 'Ünïçø', '🏠🏠🏠🏠🏠', '厨房'],
    refuses: [
      'abcdef',
      '🏠🏠🏠🏠🏠🏠',
      'a\0',
      '\0',
      '\ud800',
      'a\udc00',
      '\udfff\ud83c',
      1,
      null,
      undefined,
      ['a'],
      {},
    ],
  },
  {
    kind: 'a line',
    schema: line(5),
    takes: ['a', 'abcde', [' a ', 'a'], ['\ta\n', 'a'], ['\u00a0a', 'a'], 'a b'],
    refuses: ['', ' ', '\n\t', '\u00a0', '\u2003', 'abcdef', 'a\0', '\ud800', 1, null, undefined],
  },
  {
    kind: 'a slug',
    schema: slug,
    takes: ['a', '0', 'a-b', 'a--b', 'team-1', 'a'.repeat(48)],
    refuses: [
      '',
      '-',
      '-a',
      'a-',
      'A',
      'a_b',
      'a b',
      'a.b',
      'ä',
      'a\n',
      'a'.repeat(49),
      '../a',
      'a/b',
      1,
      null,
    ],
  },
  {
    kind: 'a domain',
    schema: domain,
    takes: [
      'example.org',
      'localhost',
      '*.example.org',
      'a.b.c.example',
      'xn--bcher-kva.example',
      '127.0.0.1',
      ['EXAMPLE.Org', 'example.org'],
      ['*.Example.ORG', '*.example.org'],
      `${label}.org`,
    ],
    refuses: [
      '',
      '*',
      '*.',
      '.org',
      'example.org.',
      'example..org',
      '-a.org',
      'a-.org',
      'a_b.org',
      '*.*.org',
      'a.*.org',
      'https://example.org',
      'example.org:443',
      'example.org/path',
      'user@example.org',
      'exämple.org',
      ' example.org',
      'example.org\n',
      `x${label}.org`,
      `${'a.'.repeat(127)}org`,
      'a\0.org',
      1,
      null,
    ],
  },
  {
    kind: 'a svc_id',
    schema: svcId,
    takes: ['r_0000000000000001', 'r_0123456789abcdef'],
    refuses: [
      '',
      'r_',
      'r_0123456789abcde',
      'r_0123456789abcdef0',
      'r_0123456789ABCDEF',
      's_0123456789abcdef',
      'r_0123456789abcdeg',
      ' r_0123456789abcdef',
      'r_0123456789abcdef\n',
      1,
      null,
    ],
  },
  {
    kind: 'a category',
    schema: category,
    takes: ['food', 'mental', 'other'],
    refuses: ['', 'Food', ' food', 'people', 'constructor', 1, null],
  },
];

describe.each(values)('$kind', ({ schema, takes, refuses }) => {
  it.each(takes.map((each) => (typeof each === 'string' ? ([each, each] as const) : each)))(
    'takes %j and keeps it as %j',
    (given, kept) => {
      expect(schema.safeParse(given)).toEqual({ success: true, data: kept });
    },
  );

  it.each(refuses.map((each) => [each] as const))('refuses %j', (given) => {
    expect(schema.safeParse(given).success).toBe(false);
  });
});

describe('the fields of a resource', () => {
  const minimal = { name: 'x', category: 'food' };
  it.each([
    { url: 'https://example.org' },
    { url: 'HTTP://EXAMPLE.ORG/a?b#c' },
    { email: 'help@example.org' },
    { languages: [] },
    { languages: ['English'] },
    { description: 'x'.repeat(10_000) },
  ])('may be %j', (field) => {
    expect(resourceFields.safeParse({ ...minimal, ...field }).success).toBe(true);
  });

  it.each([
    { url: '' },
    { url: 'example.org' },
    { url: 'ftp://example.org' },
    { url: 'javascript:alert(1)' },
    { url: 'https://' },
    { url: 'https://exa mple.org' },
    { url: `https://example.org/${'x'.repeat(2_000)}` },
    { email: '' },
    { email: 'help' },
    { email: 'a b@example.org' },
    { email: `${'x'.repeat(250)}@a.org` },
    { city: '' },
    { city: null },
    { languages: 'English' },
    { languages: [''] },
    { languages: Array.from({ length: 101 }, () => 'English') },
    { name: 'x'.repeat(301) },
    { category: 'people' },
    { description: 'x'.repeat(10_001) },
    { id: 1 },
    { __proto__: { phone: 1 }, phone: 1 },
  ])('may not be %j', (field) => {
    expect(resourceFields.safeParse({ ...minimal, ...field }).success).toBe(false);
  });
});

describe('metadata', () => {
  const id = uuidOf('x');
  const complete = {
    commonweal_schema: 1,
    actor: { kind: 'user', id: 'somebody' },
    command_id: id,
    correlation_id: id,
    causation_id: id,
    at: '2026-01-01T00:00:00.000Z',
  };

  it('is taken when complete, with or without a request hash', () => {
    expect(metadata.safeParse(complete).success).toBe(true);
    expect(metadata.safeParse({ ...complete, request_hash: 'x' }).success).toBe(true);
  });

  it.each(Object.keys(complete))('is refused without %s', (field) => {
    const { [field]: _, ...rest } = complete as Record<string, unknown>;
    expect(metadata.safeParse(rest).success).toBe(false);
  });

  it.each([
    { at: '2026-01-01T00:00:00+01:00' },
    { at: '2026-01-01' },
    { at: 1 },
    { command_id: 'x' },
    { commonweal_schema: 0 },
    { commonweal_schema: 1.5 },
    { more: 1 },
  ])('is refused with %j', (field) => {
    expect(metadata.safeParse({ ...complete, ...field }).success).toBe(false);
  });

  it('names an actor of a known kind, in well-formed Unicode', () => {
    expect(actor.safeParse({ kind: 'system', id: 'cli' }).success).toBe(true);
    for (const bad of [
      { kind: 'robot', id: 'x' },
      { kind: 'user' },
      { kind: 'user', id: '\ud800' },
      { kind: 'user', id: 'x\0' },
    ]) {
      expect(actor.safeParse(bad).success).toBe(false);
    }
  });
});

describe('a name-based id', () => {
  it('is a UUID of version 5, the same for the same parts and another for any others', () => {
    expect(uuidOf('a', 'b')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidOf('a', 'b')).toBe(uuidOf('a', 'b'));
    const ids = [
      uuidOf('a', 'b'),
      uuidOf('ab'),
      uuidOf('a,b'),
      uuidOf('', 'ab'),
      uuidOf('a', 'b', ''),
      uuidOf('b', 'a'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('never changes: ids that are stored must be found again', () => {
    expect(uuidOf('a', 'b')).toBe('81a7d69c-9730-5a19-a583-7f747c8d87f0');
  });
});

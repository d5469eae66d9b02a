import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { streams } from '../../src/events/catalogue.ts';
import { event, stream } from '../../src/events/define.ts';
import { documentOf } from '../../scripts/events-page.ts';

const page = new URL('../../docs/events.md', import.meta.url);

it('docs/events.md is what the catalogue says', () => {
  const text = documentOf(streams);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, text);
  expect(readFileSync(page, 'utf8'), 'run the tests with UPDATE_DOCS=1 to write it').toBe(text);
});

describe('the page of events', () => {
  const made = stream('parcel', {
    ParcelSent: event(
      'A parcel is on its way.',
      z.strictObject({
        parcel: z.uuid(),
        label: z.string().regex(/x/).meta({ title: 'label' }).optional(),
        from: z.string().describe('Where it comes from.').optional(),
        weight: z.int().positive(),
        speed: z.enum(['slow', 'fast']),
        to: z.strictObject({ street: z.string().max(1_200), code: z.string().regex(/^a|b$/).optional() }),
        stops: z.array(z.string()).max(9).optional(),
      }),
      3,
    ),
    ParcelLost: event('Nobody knows where it is.', z.strictObject({})),
  });
  const text = documentOf([made]);

  it('lists every stream with its events', () => {
    expect(text).toContain('| `parcel-{id}` | [ParcelSent](#parcelsent), [ParcelLost](#parcellost) |');
  });

  it('says of each event its version, its meaning, and its fields with their types', () => {
    expect(text).toContain(
      [
        '### ParcelSent',
        '',
        'Version 3. A parcel is on its way.',
        '',
        '| field | type | remarks |',
        '|---|---|---|',
        '| `parcel` | UUID |  |',
        '| `label` | label | optional |',
        '| `from` | text | optional; Where it comes from. |',
        '| `weight` | integer, from 1 |  |',
        '| `speed` | `slow`, `fast` |  |',
        '| `to` | object |  |',
        '| `to.street` | text, up to 1,200 characters |  |',
        '| `to.code` | text, matching `^a\\|b$` | optional |',
        '| `stops` | list (0 to 9) of text | optional |',
      ].join('\n'),
    );
    expect(text).toContain('### ParcelLost\n\nVersion 1. Nobody knows where it is.\n\nNo data.');
  });

  it('says what stands beside every event', () => {
    for (const field of [
      'commonweal_schema',
      'actor.kind',
      'actor.on_behalf_of',
      'command_id',
      'at',
      'request_hash',
    ]) {
      expect(text).toContain(`| \`${field}\` |`);
    }
  });

  it('has a meaning and named types for all there is', () => {
    const whole = documentOf(streams);
    expect(whole).not.toMatch(/\| (any|undefined) \|/);
    for (const { events } of streams)
      for (const type of Object.keys(events)) expect(whole).toContain(`\n### ${type}\n`);
  });
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { documentsOf, kindOf } from '../../src/audit/as-of/read-models.ts';
import { shownDocuments } from '../../src/audit/as-of/personal-members.ts';
import { openedData } from '../../src/audit/opened-data.ts';
import { definitionOf } from '../../src/events/catalogue.ts';
import type { PersonalData } from '../../src/personal/personal-data.ts';
import type { RecordedEvent } from '../../src/stores/event-store/port.ts';
import { everyEvent } from '../support/every-event.ts';

/** As `sealed` of the samples. */
const sealed = 'c2VhbGVk';
const nobody = '7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11';

/** The fields of an event that its schema calls sealed. */
const sealedFieldsOf = (type: string): string[] =>
  Object.entries((definitionOf(type)?.data as z.ZodObject).shape)
    .filter(([, schema]) =>
      String(z.toJSONSchema(schema as z.ZodType, { io: 'input' }).title).startsWith('sealed'),
    )
    .map(([name]) => name);

/** Each sample with all that may be sealed in it. */
const events = everyEvent.map(({ type, stream, data }, n): RecordedEvent => {
  const all = Object.fromEntries(sealedFieldsOf(type).map((name) => [name, sealed]));
  return {
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    type,
    stream,
    revision: 0,
    position: BigInt(n),
    data: { ...data, ...all },
    metadata: {
      at: '2026-03-04T05:06:07.000Z',
      actor: { kind: 'user', id: nobody },
      commonweal_schema: definitionOf(type)?.version,
    },
  };
});

/** Nobody whose data key is left. */
const erased = {
  openMany: async (all: readonly unknown[]) => all.map(() => undefined),
} as never as PersonalData;
const reader = { opens: new Set(['accounts', 'members', 'directory', 'forms', 'payments'] as const) };

test('there are events with sealed fields to look at', () => {
  expect(events.filter(({ data }) => JSON.stringify(data).includes(sealed)).length).toBeGreaterThan(15);
});

test.each(events)('what $type says is never shown as it is sealed', async (event) => {
  const shown = await openedData(erased, event, reader);
  expect(shown.filter(({ value }) => JSON.stringify(value).includes(sealed))).toEqual([]);
});

test.each(Object.entries(Object.groupBy(events, ({ stream }) => stream)))(
  'what is folded of %s is never shown as it is sealed',
  async (stream, history = []) => {
    const kind = kindOf(stream);
    const documents = history.flatMap((_, n) => (kind ? documentsOf(kind, history.slice(0, n + 1)) : []));
    const shown = await shownDocuments(erased, documents, reader);
    expect(shown.filter((each) => JSON.stringify(each).includes(sealed))).toEqual([]);
  },
);

import { afterAll, beforeAll, expect, test } from 'vitest';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { context, legacy, startSystem, type RunningSystem } from '../../harness.ts';

let running: RunningSystem;
beforeAll(async () => {
  running = await startSystem();
  await running.team('harbour');
  const today = new Date().toISOString().slice(0, 10);
  for (const [n, last_modified] of [today, '2018-05', ''].entries()) {
    const fields = {
      name: `Pantry ${n}`,
      category: 'food' as const,
      ...(last_modified && { last_modified }),
    };
    const source = { system: 'county', id: String(n) };
    await importResource(
      running.system,
      { team: 'harbour', source, fields, active: true, approve: true },
      context(),
    );
  }
  await running.caughtUp();
});
afterAll(() => running.stop());

test('the widget is told in its language who confirmed a record and when, and where nobody has for long', async () => {
  const { key } = await running.key();
  const words = async (query: string) => {
    const response = await running.server.inject({ url: `${legacy}${query}`, headers: { 'x-api-key': key } });
    const { data } = response.json<{ data: { name: string; confirmed_in_words?: string }[] }>();
    return data
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ confirmed_in_words }) => confirmed_in_words);
  };
  expect(await words('')).toEqual([undefined, undefined, undefined]);
  expect(await words('?lang=en')).toEqual([
    'Confirmed or changed by its source today.',
    'Nobody has confirmed this since 2018: call first.',
    undefined,
  ]);
  const [inSpanish = '', oldInSpanish] = await words('?lang=es');
  expect(inSpanish).toMatch(/ hoy\.$/);
  expect(oldInSpanish).toBe('Nadie ha confirmado esto desde 2018: llame antes de ir.');
  expect((await words('?lang=ht'))[1]).toMatch(/^Pèsonn pa konfime sa depi /);
});

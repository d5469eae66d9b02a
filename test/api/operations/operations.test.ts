import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupRecord } from '../../../src/backup/record.ts';
import { projections } from '../../../src/projections/all.ts';
import { teams } from '../../../src/projections/teams.ts';
import { modelNamed } from '../../../src/projections/engine/read-model.ts';
import {
  failuresTable,
  type ProjectionFailure,
} from '../../../src/projections/engine/stalled-projections.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { newEvent } from '../../../src/events/new-event.ts';
import { context } from '../harness.ts';
import { startDashboard, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
let operator: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await backupRecord(dash.system.side).taken({ at: new Date().toISOString(), folder: 'elsewhere' });
  operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
});
afterAll(() => dash.stop());

const model = modelNamed(teams.collection.name);
const post = (values: Record<string, string>) =>
  operator.post('/dash/operations', { token: operator.hidden('token'), ...values });

test('an operator sees a failed read model, finds the event that stopped it, and has it tried again', async () => {
  await operator.open('/dash/operations');
  expect(operator.text).toContain('Everything works.');
  const [event] = (await dash.system.store.readAll({ after: beginning, limit: 1 })).events;
  if (!event) throw new Error('The log is empty.');
  const { id, type, stream, revision } = event;
  // As the projector notes it when it cannot fold an event.
  await dash.system.side.table<ProjectionFailure>(failuresTable).put(teams.collection.name, {
    error: `${type} cannot be folded.`,
    since: new Date().toISOString(),
    at: { id, type, stream, revision },
  });
  await dash.caughtUp();
  await operator.open('/dash/operations');
  // What works is folded, and what does not stands above it.
  const [open = '', folded = ''] = operator.html.split(/<details>\s*<summary>/);
  expect(folded).toMatch(new RegExp(`^${projections.length - 1} read models are up to date`));
  const row = `<code>${model}</code></span>`;
  expect([open.includes(row), folded.includes(row)]).toEqual([true, false]);
  expect(operator.text).toContain('Something needs you.');
  expect(operator.text).not.toContain('Everything works.');
  expect(operator.text).toContain('so what it shows is old (Teams)');
  expect(operator.text).toContain(`${type} cannot be folded.`);
  await operator.follow('See the event that stopped it');
  expect(operator.status).toBe(200);
  expect(operator.text).toContain(type);
  await operator.open('/dash/operations');
  await operator.press(`Retry ${model}`);
  expect(operator.text).toContain('It is tried again at once.');
  expect(await dash.system.side.table('projection-retries').get(teams.collection.name)).toBeDefined();
  await dash.system.side.table(failuresTable).delete(teams.collection.name);
});

test('a rebuild is asked for once, and can be cancelled', async () => {
  await dash.withoutProjector(async () => {
    await operator.open('/dash/operations');
    await post({ do: 'rebuild', model });
    expect(operator.text).toContain('The rebuild is requested.');
    await post({ do: 'cancel', model });
    expect(operator.text).toContain('The rebuild is cancelled.');
  });
  const types = (await dash.events('projection-')).map(({ type }) => type);
  expect(types).toEqual(['RebuildStarted', 'RebuildCancelled']);
  await operator.open('/dash/operations');
  await post({ do: 'cancel', model });
  expect(operator.status).toBe(409);
  await post({ do: 'rebuild', model: 'nothing' });
  expect(operator.status).toBe(404);
});

test('others do not see it', async () => {
  const person = await dash.signedIn(await dash.account());
  expect((await person.open('/dash/operations')).status).toBe(403);
});

test('who is far behind is not counted to the end', async () => {
  await dash.withoutProjector(async () => {
    const user = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    const events = Array.from({ length: 1_500 }, (_, n) =>
      newEvent(
        'team-harbour',
        {
          type: 'MemberJoined',
          data: { team: 'harbour', user: user(n), role: 'member', person: 'c2VhbGVk' },
        },
        n,
        context(),
      ),
    );
    await dash.system.store.append('team-harbour', events, 'any');
    await operator.open('/dash/operations');
    expect(operator.text).toContain('1,000+ events');
    expect(operator.text).not.toMatch(/ s, 1,[1-9]\d\d/);
  });
});

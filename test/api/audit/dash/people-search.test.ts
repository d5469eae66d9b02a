import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandResource, submitResource } from '../../../../src/commands/directory/resource.ts';
import { auditAccessStream } from '../../../../src/events/audit.ts';
import { auditEvents } from '../../../../src/projections/audit.ts';
import { visible } from '../../../../src/projections/engine/read-your-writes.ts';
import { appendImport } from '../../../support/append-import.ts';
import { context, fieldsOf } from '../../harness.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

let dash: Dashboard;
let [ana, ben, hostile, gone, reviewer]: Account[] = [];
let auditor: PlainBrowser;
let administrator: PlainBrowser;
const svcIds: Record<string, string> = {};

const by = (account: Account | undefined) => ({
  ...context(),
  actor: { kind: 'user', id: account?.user ?? '' } as const,
});

async function submits(account: Account | undefined, name: string, team = 'harbour'): Promise<string> {
  const { state } = await submitResource(dash.system, { team, fields: fieldsOf(0, { name }) }, by(account));
  if (!state) throw new Error('A submission makes a record.');
  svcIds[name] = state.svc_id;
  return state.svc_id;
}

beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('quay');
  ana = await dash.account({ profile: { name: 'Ana Diaz' }, email: 'ana@example.org' });
  ben = await dash.account({ profile: { name: 'Ben Ode' } });
  hostile = await dash.account({ profile: { name: '=HYPERLINK("https://evil.example")' } });
  gone = await dash.account({ profile: { name: 'Gone Person' } });
  reviewer = await dash.account({ profile: { name: 'Ana Ruiz' } });
  await dash.member('harbour', ana, 'admin');
  for (const each of [ben, hostile, gone]) await dash.member('harbour', each, 'member');
  await dash.member('harbour', reviewer, 'reviewer');
  for (const name of ['Corner Pantry', 'Corner Clinic', 'Night Shelter']) await submits(ben, name);
  await submits(hostile, '+Sum of things');
  await submits(gone, 'Old Kitchen');
  await submits(ben, 'Quay Kitchen', 'quay');
  for (const name of ['Corner Pantry', 'Night Shelter'])
    await commandResource(dash.system, svcIds[name] ?? '', { kind: 'approve' }, by(ana));
  await commandResource(
    dash.system,
    svcIds['Corner Clinic'] ?? '',
    { kind: 'reject', reason: 'It is closed.' },
    by(reviewer),
  );
  await dash.caughtUp();
  await dash.system.personal.erase(`person/${gone.user}`);
  auditor = await dash.signedIn(ana);
  administrator = await dash.signedIn(await dash.account({ role: 'administrator' }));
  await indexed();
});
afterAll(() => dash.stop());

const indexed = async () => {
  const { documents, store } = dash.system;
  await dash.caughtUp();
  await visible(documents, [auditEvents.collection.name], await store.head());
};
const open = (fields: Record<string, string>, browser = auditor) =>
  browser.open(`/dash/audit?${new URLSearchParams({ team: 'harbour', ...fields }).toString()}`);
const lines = (browser = auditor): string[] => {
  const feed = browser.html.split('<ul class="card feed">')[1]?.split('</ul>')[0] ?? '';
  return [...feed.matchAll(/<li>\s*<a\s+href="[^"]*"\s*>([^<]*)<\/a/g)].map(([, text = '']) => text.trim());
};

describe('a search by who', () => {
  test.each([
    ['ana diaz', 'Ana Diaz approved'],
    ['  ANA   DIAZ ', 'Ana Diaz approved'],
    ['diaz', 'Ana Diaz approved'],
    ['ana@example.org', 'Ana Diaz approved'],
    ['Ruiz', 'Ana Ruiz rejected'],
  ])('finds what “%s” did', async (typed, sentence) => {
    await open({ by: typed });
    expect(auditor.status).toBe(200);
    expect(lines().some((each) => each.startsWith(sentence))).toBe(true);
    expect(lines().filter((each) => each.startsWith('Ben Ode'))).toEqual([]);
  });

  test('finds everybody of a name, and records their ids and no name', async () => {
    await open({ by: 'Ana' });
    const found = lines();
    expect(found.some((each) => each.startsWith('Ana Diaz approved'))).toBe(true);
    expect(found.some((each) => each.startsWith('Ana Ruiz rejected'))).toBe(true);
    const recorded = (await dash.events(`${auditAccessStream.name}-`)).at(-1)?.data['filter'] as Record<
      string,
      string
    >;
    expect(recorded['actors']?.split(',').toSorted()).toEqual(
      [ana, reviewer].map((each) => `user:${each?.user ?? ''}`).toSorted(),
    );
    expect(JSON.stringify(recorded)).not.toContain('Ana');
  });

  test('finds a site, the service and an operator', async () => {
    const client = await dash.site({ name: 'Harbour Library' });
    await commandResource(
      dash.system,
      svcIds['Old Kitchen'] ?? '',
      { kind: 'approve' },
      { ...context(), actor: { kind: 'client', id: client } },
    );
    await commandResource(
      dash.system,
      svcIds['+Sum of things'] ?? '',
      { kind: 'approve' },
      { ...context(), actor: { kind: 'system', id: 'cli' } },
    );
    await indexed();
    await open({ by: 'harbour library' });
    expect(lines()).toEqual(['The site Harbour Library approved Old Kitchen.']);
    await open({ by: 'An operator', what: 'records' });
    expect(lines()).toEqual(['An operator approved +Sum of things.']);
    await open({ by: 'the service' });
    expect([auditor.status, auditor.problem('by')]).toEqual([200, undefined]);
  });

  test('says beside the field that nobody has such a name, also of somebody in another team or erased', async () => {
    await dash.member('quay', await dash.account({ profile: { name: 'Zoe Quay' } }), 'admin');
    for (const typed of ['Nobody Here', 'Zoe Quay', 'Gone Person', 'a'.repeat(5_000), '%_*"\'', '\u202e']) {
      await open({ by: typed });
      expect([auditor.status, auditor.problem('by')], typed.slice(0, 20)).toEqual([
        400,
        'Nobody has such a name here. Write the name, or the email address.',
      ]);
    }
  });

  test('proposes the people of the team', async () => {
    await open({});
    expect(auditor.html).toMatch(/<datalist id="by-proposed">[\s\S]*Ana Diaz[\s\S]*<\/datalist>/);
    expect(auditor.html).not.toContain('Gone Person');
    expect(auditor.html).not.toContain('Zoe Quay');
  });
});

describe('a search by what', () => {
  test('is in words, for a group or one of it, and names no class', async () => {
    await open({ what: 'records.approved' });
    expect(lines().every((each) => / approved /.test(each))).toBe(true);
    expect(lines().length).toBeGreaterThan(1);
    await open({ what: 'people' });
    expect(lines().length).toBeGreaterThan(3);
    expect(lines().every((each) => !/ approved | submitted /.test(each))).toBe(true);
    const choices =
      /<select id="what"[\s\S]*?<\/select>/.exec(auditor.html.replaceAll(/\s+/g, ' '))?.[0] ?? '';
    expect(choices).toContain('Records: approved');
    expect(choices).not.toMatch(/ResourceApproved|[a-z][A-Z]/);
  });

  test('leaves an import one line', async () => {
    await appendImport(dash.system.store, { team: 'harbour', records: 5 });
    await indexed();
    await open({ what: 'records' });
    expect(auditor.text).not.toContain('Imported 3');
    await open({ what: 'imports' });
    expect(lines()).toEqual(['An operator imported from county into the directory of harbour: 5 new.']);
  });

  test.each(['nothing', 'ResourceApproved', 'records.', '__proto__', 'x'.repeat(3_000)])(
    'refuses %s beside the field',
    async (what) => {
      await open({ what });
      expect([auditor.status, auditor.problem('what')]).toEqual([400, 'Choose one of the kinds.']);
    },
  );
});

describe('a search by record', () => {
  test('finds its history by its name, a part of it, and its number', async () => {
    for (const record of ['Corner Pantry', 'corner pant', svcIds['Corner Pantry'] ?? '']) {
      await open({ record });
      expect(lines(), record).toEqual([
        'Ana Diaz approved Corner Pantry.',
        'Ben Ode submitted Corner Pantry to harbour.',
      ]);
    }
    await open({ record: 'corner', what: 'records.submitted' });
    expect(lines().toSorted()).toEqual([
      'Ben Ode submitted Corner Clinic to harbour.',
      'Ben Ode submitted Corner Pantry to harbour.',
    ]);
  });

  test('of another team is not there', async () => {
    await open({ record: 'Quay Kitchen' });
    expect([auditor.status, auditor.problem('record')]).toEqual([400, 'No record has this name or number.']);
    await open({ record: svcIds['Quay Kitchen'] ?? '' });
    expect(auditor.text).not.toContain('Ben Ode submitted Quay Kitchen');
    await administrator.open('/dash/audit?record=quay+kitchen');
    expect(lines(administrator)).toEqual(['Ben Ode submitted Quay Kitchen to quay.']);
  });

  test('says so where too many have the name', async () => {
    await dash.resources(12, { team: 'harbour', fields: (index) => ({ name: `Meals ${index}` }) });
    await open({ record: 'meals' });
    expect([auditor.status, auditor.problem('record')]).toEqual([
      400,
      'More than 10 records have such a name. Write more of it.',
    ]);
  });
});

describe('times', () => {
  test('that are wrong are said in words', async () => {
    await open({ from: '2999-01-01T00:00' });
    expect(auditor.problem('from')).toBe('This time is in the future, or is not a time.');
    await open({ from: '2026-01-02T00:00', until: '2026-01-01T00:00' });
    expect(auditor.problem('until')).toBe('The end must be later than the beginning, and not in the future.');
    expect(auditor.text).not.toMatch(/\d{4}-\d\d-\d\dT/);
  });
});

describe('the table', () => {
  const table = async (fields: Record<string, string>, browser = auditor) => {
    await open(fields, browser);
    await browser.follow('Download as a table (CSV)');
    expect(browser.answer.get('content-type')).toBe('text/csv; charset=utf-8');
    return browser.html.trimEnd().split('\n');
  };

  test('has who and the sentence of what the page shows, and is recorded', async () => {
    const [head, ...rows] = await table({ by: 'Ana', what: 'records' });
    expect(head).toBe('Time (UTC),Who,What,Sentence,Team,Event');
    expect(rows).toHaveLength(3);
    expect(rows.join('\n')).toMatch(
      /^\d{4}-[^,]+Z,Ana Diaz,Records: approved,Ana Diaz approved Night Shelter\.,harbour,[0-9a-f-]{36}$/m,
    );
    expect(auditor.answer.get('content-disposition')).toBe('attachment; filename="audit-log-harbour.csv"');
    const newest = (await dash.events(`${auditAccessStream.name}-`)).at(-1);
    expect(newest?.data).toMatchObject({ question: 'events', events: 3 });
    expect(newest?.data['filter']).toMatchObject({ what: 'records', team: 'harbour' });
  });

  test('holds no formula, and no name of somebody erased', async () => {
    const rows = (await table({ what: 'records.submitted' })).slice(1);
    const ofHostile = rows.find((each) => each.includes('+Sum of things')) ?? '';
    expect(ofHostile).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
    expect(rows.find((each) => each.includes('Old Kitchen'))).toContain(',An erased person,');
    expect(rows.join('\n')).not.toContain('Gone Person');
    for (const cell of rows.flatMap((row) => row.split(','))) expect(cell).not.toMatch(/^"?[=+\-@]/);
  });

  test('is for those who may read the log of the team', async () => {
    const others = [await dash.signedIn(reviewer as Account), await dash.signedIn(await dash.account())];
    for (const other of others) {
      await other.open('/dash/audit/events.csv?team=harbour');
      expect(other.status).toBe(404);
      expect(other.text).not.toContain('Ana Diaz approved');
    }
    const whole = await administrator.open('/dash/audit/events.csv');
    expect(whole.html).toContain('Quay Kitchen');
    await auditor.open('/dash/audit/events.csv?team=quay');
    expect(auditor.status).toBe(404);
  });

  test('of what cannot be searched for leads to the page that says so', async () => {
    await auditor.open('/dash/audit/events.csv?team=harbour&what=nothing');
    expect([auditor.status, auditor.problem('what')]).toEqual([400, 'Choose one of the kinds.']);
  });
});

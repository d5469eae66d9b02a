import { readFileSync, readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { zipStream } from '../../../../src/hsds/export/zip-folder.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { zipOf } from '../../../hsds/support.ts';
import { until } from '../../../support/until.ts';

const example = fileURLToPath(new URL('../../../../examples/directory', import.meta.url));
const page = '/dash/resources/import';
const mostBytes = 300_000;

/** What an import waits for before each record, while a test holds it. */
let gate: Promise<undefined> | undefined;

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
let zip: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  dash = await startDashboard({ imports: { rest: () => gate, mostBytes } });
  admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
  zip = await bytesOf(await zipStream(example));
});
afterEach(() => (gate = undefined));
afterAll(() => dash.stop());

async function bytesOf(stream: AsyncIterable<unknown>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return new Uint8Array(Buffer.concat(parts));
}

const files = (): string[] => {
  try {
    return readdirSync(join(dash.folder, 'import-files'));
  } catch {
    return [];
  }
};

const send = async (
  content: Uint8Array<ArrayBuffer> | string,
  {
    name = 'harborview.zip',
    by = browser,
    team = 'harbour',
    ...fields
  }: Readonly<Record<string, string | PlainBrowser>> & {
    readonly by?: PlainBrowser;
    readonly name?: string;
    readonly team?: string;
  } = {},
): Promise<PlainBrowser> => {
  await by.open(`${page}?team=${team}`);
  return by.pressWithFile('Compare', { field: 'file', name, content }, fields as Record<string, string>);
};

/** Looks at the page again until its heading is this one. */
const untilHeading = (heading: string, by = browser): Promise<boolean> =>
  until(async () => {
    const { pathname, searchParams } = by.url;
    searchParams.delete('done');
    await by.open(`${pathname}?${searchParams.toString()}`);
    return by.heading === heading;
  });

/** The button says of which file, too. */
async function giveUp(by = browser): Promise<void> {
  const label = by
    .forms()
    .flatMap(({ buttons }) => buttons)
    .find((each) => /^(Do not import|Cancel) /.test(each.label))?.label;
  await by.press(label ?? 'Do not import');
  expect(by.heading).toBe('The import was cancelled');
}

const imported = () => dash.events('resource-');

describe('an import in the browser', () => {
  test('says what would change, and changes nothing before somebody wants it', async () => {
    const before = (await imported()).length;
    await send(zip, { approve: 'yes' });
    expect(browser.path).toMatch(/^\/dash\/resources\/import\/[0-9a-f-]{36}$/);
    await untilHeading('What would change');
    expect(browser.text).toContain('New 68');
    expect(browser.text).toContain('68 records will change.');
    expect((await imported()).length).toBe(before);
    const [file = ''] = files();
    expect(file).toMatch(/^harbour\.[0-9a-f-]{36}\.zip$/);
    expect(statSync(join(dash.folder, 'import-files', file)).mode & 0o777).toBe(0o600);
    expect(statSync(join(dash.folder, 'import-files')).mode & 0o777).toBe(0o700);

    await browser.press('Import');
    await untilHeading('Imported');
    expect(files()).toEqual([]);
    expect(browser.text).toContain('Made public 68');
    const events = await imported();
    expect(events.filter(({ type }) => type === 'ResourceSubmitted')).toHaveLength(68);
    await browser.follow('Look at the directory');
    expect(browser.text).toContain('Public');
    await browser.open(page);
    expect(browser.text).toContain('harborview.zip');
  });

  test('has one correlation id, which leads to what was recorded, and names who did it', async () => {
    await browser.open(page);
    await browser.follow('harborview.zip');
    const id = browser.url.pathname.split('/').at(-1) ?? '';
    await browser.follow('See what was recorded');
    expect(browser.url.pathname).toBe(`/dash/t/harbour/audit/walk/${id}`);
    expect(browser.status).toBe(200);
    expect(browser.text).toContain('Sample Person');
  });

  test('changes nothing when it is repeated, and says so', async () => {
    await send(zip, { approve: 'yes' });
    await untilHeading('What would change');
    expect(browser.text).toContain('Nothing would change');
    expect(browser.text).toContain('Unchanged 68');
    await giveUp();
    expect(browser.heading).toBe('The import was cancelled');
    expect(files()).toEqual([]);
  });

  test('shows how far it is, can be cancelled, and what was imported stays', async () => {
    await send(zip, { source: 'Second source' });
    await untilHeading('What would change');
    const before = (await imported()).length;
    const held = Promise.withResolvers<undefined>();
    gate = held.promise;
    await browser.press('Import');
    await untilHeading('Importing');
    const here = browser.url.pathname;
    await until(async () => {
      await browser.open(`${here}/progress?team=harbour`);
      return browser.html.includes('0 of 68 records');
    });
    expect(browser.html).toContain('data-busy');
    expect(browser.html).not.toContain('<!doctype');
    // Another one has to wait for it.
    const second = await dash.signedIn(admin);
    await send(zip, { by: second });
    expect([second.status, second.text.includes('is running')]).toEqual([409, true]);

    await browser.open(`${page}?team=harbour`);
    await browser.follow('Look at it');
    expect(browser.text).toContain('Look again');
    await giveUp();
    expect(browser.text).toContain('0 of 68 records were done');
    held.resolve(undefined);
    expect((await imported()).length).toBe(before);
    expect(files()).toEqual([]);
  });

  test('that waits behind those of other teams is cancelled at once, and another file can be sent', async () => {
    const teams = ['first-in-line', 'second-in-line', 'third-in-line'];
    for (const team of teams) {
      await dash.team(team);
      await dash.member(team, admin, 'admin');
    }
    const held = Promise.withResolvers<undefined>();
    gate = held.promise;
    const browsers = await Promise.all(teams.map(() => dash.signedIn(admin)));
    for (const [at, by] of browsers.entries()) await send(zip, { by, team: teams[at] ?? '' });
    const [, , waiting = browser] = browsers;
    expect(waiting.heading).toBe('Comparing');
    // The imports of the two other teams are held all the while.
    await giveUp(waiting);
    await send(zip, { by: waiting, team: 'third-in-line' });
    expect([waiting.status, waiting.heading]).toEqual([200, 'Comparing']);
    await giveUp(waiting);
    held.resolve(undefined);
    for (const by of browsers.slice(0, 2)) {
      await untilHeading('What would change', by);
      await giveUp(by);
    }
  });

  test('that is sent twice is one import', async () => {
    await browser.open(page + '?team=harbour');
    const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Compare'));
    const body = () => {
      const data = new FormData();
      for (const [name, value] of form?.fields ?? []) if (name !== 'file') data.append(name, value);
      data.append('file', new Blob([zip]), 'twice.zip');
      return data;
    };
    const other = dash.browser();
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    await Promise.all([browser.sendForm(page, body()), other.sendForm(page, body())]);
    expect(other.url.pathname).toBe(browser.url.pathname);
    await untilHeading('What would change');
    await browser.open(`${page}?team=harbour`);
    expect(browser.text.match(/twice\.zip/g)).toHaveLength(1);
    // Once it is decided, the same form starts nothing again.
    await browser.follow('twice.zip');
    await giveUp();
    await browser.sendForm(page, body());
    expect(browser.heading).toBe('The import was cancelled');
    expect(files()).toEqual([]);
  });
});

describe('a file that cannot be imported', () => {
  test.each([
    [
      'is no spreadsheet, no zip file and no JSON',
      'directory.zip',
      '%PDF-1.7 Pantry',
      415,
      'This is no spreadsheet, no zip file and no JSON.',
    ],
    ['is empty', 'directory.zip', '', 422, 'The file is empty.'],
    ['is too large', 'directory.json', `["${'x'.repeat(mostBytes)}"]`, 413, 'too large'],
    ['has no name, as when none was chosen', '', '', 422, 'Choose a file.'],
  ])(
    'because it %s gets a sentence at the field, and nothing of it is left',
    async (_, name, content, status, sentence) => {
      await send(content, { name, source: 'Kept source' });
      expect(browser.status).toBe(status);
      expect(browser.problem('file')).toContain(sentence);
      expect(browser.hidden('source')).toBe('Kept source');
      expect(files()).toEqual([]);
    },
  );

  test.each([
    [
      'a zip file that is broken',
      new Uint8Array(Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(500, 7)])),
      'is not a usable zip file',
    ],
    ['JSON without services', '{"organizations": []}', 'holds no services'],
  ])('is told when it is read: %s', async (_, content, sentence) => {
    await send(content, { name: 'odd\u202e.zip' });
    await untilHeading('The file cannot be imported');
    expect(browser.text).toContain(sentence);
    expect(browser.text).toContain('Nothing was changed.');
    expect(browser.html).not.toContain('\u202e');
    expect(files()).toEqual([]);
  });

  test('is refused when it would unpack to more than fits', async () => {
    const bomb = await zipOf({
      'services.csv': 'id,name\n',
      // 257 MB of zeros in a quarter of a megabyte.
      'organizations.csv': new Uint8Array(257 * 1024 * 1024),
    });
    await send(new Uint8Array(readFileSync(bomb)), { name: 'bomb.zip' });
    await untilHeading('The file cannot be imported');
    expect(browser.text).toContain('would unpack to more than');
  });

  test.each([
    ['../../etc/passwd.zip', 'passwd.zip'],
    ['<script>alert(1)</script>.zip', 'script>.zip'],
    [`${'a'.repeat(10_000)}.zip`, 'aaaa…aaaaaa.zip'],
    ['C:\\Users\\me\\list.zip', 'list.zip'],
  ])('has a name that does no harm: %#', async (name, shown) => {
    await send(zip, { name });
    await untilHeading('What would change');
    expect(browser.text).toContain(shown);
    expect(browser.html).not.toContain('<script>alert');
    expect(browser.html).not.toContain('a'.repeat(200));
    for (const file of files()) expect(file).toMatch(/^harbour\.[0-9a-f-]{36}\.zip$/);
    await giveUp();
  });
});

describe('who may import', () => {
  test('is decided before the file is read: not reviewers, not members of other teams, not without a token', async () => {
    const reviewer = await dash.account();
    await dash.member('harbour', reviewer, 'reviewer');
    await dash.team('other');
    await dash.member('other', reviewer, 'admin');
    const person = await dash.signedIn(reviewer);
    await person.open(`${page}?team=other`);
    const token = person.hidden('token');
    const body = (fields: Record<string, string>) => {
      const data = new FormData();
      for (const [name, value] of Object.entries(fields)) data.append(name, value);
      data.append('file', new Blob([zip]), 'a.zip');
      return data;
    };
    await person.sendForm(page, body({ token, team: 'harbour' }));
    expect([person.status, person.heading]).toEqual([404, 'Not for your role']);
    await person.sendForm(page, body({ token: 'wrong', team: 'other' }));
    expect(person.status).toBe(403);
    await person.sendForm(page, body({ token, team: 'other' }), { 'sec-fetch-site': 'cross-site' });
    expect(person.status).toBe(403);
    // What decides comes before the file.
    const late = new FormData();
    late.append('file', new Blob([zip]), 'a.zip');
    late.append('token', token);
    late.append('team', 'other');
    await person.sendForm(page, late);
    expect(person.status).toBe(403);
    const stranger = dash.browser();
    await stranger.sendForm(page, body({ token, team: 'other' }));
    expect(stranger.status).not.toBe(200);
    expect(files()).toEqual([]);
    await person.open(`${page}?team=other`);
    expect(person.text).not.toContain('a.zip');

    await person.open('/dash/resources?team=harbour');
    expect(person.html).not.toContain(page);
  });

  test('does not reach an import of another team by its address', async () => {
    await send(zip);
    await untilHeading('What would change');
    const { path } = browser;
    const [outsider, both] = [await dash.account(), await dash.account()];
    await dash.team('third');
    await dash.member('third', outsider, 'admin');
    await dash.member('third', both, 'admin');
    const person = await dash.signedIn(outsider);
    for (const url of [path, `${path}/progress`, `${path}/report`]) {
      await person.open(`${url}?team=third`);
      expect([url, person.text.includes('harborview')]).toEqual([url, false]);
      await person.open(`${url}?team=harbour`);
      expect([url, person.status]).toEqual([url, 404]);
    }
    await person.open('/dash/resources?team=third');
    await person.post(path, { token: person.hidden('token'), team: 'third', do: 'start' });
    expect(person.status).toBe(404);
    await giveUp();
  });

  test('keeps what was typed when the session has ended meanwhile', async () => {
    const person = await dash.signedIn(admin);
    await person.open(`${page}?team=harbour`);
    person.cookies.clear();
    await person.pressWithFile(
      'Compare',
      { field: 'file', name: 'a.zip', content: zip },
      { source: 'Typed before' },
    );
    expect(person.status).toBe(403);
    expect(person.hidden('source')).toBe('Typed before');
  });
});

describe('the file', () => {
  test('that does not arrive whole leaves nothing', async () => {
    await browser.open(`${page}?team=harbour`);
    const token = browser.hidden('token');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { host, port } = new URL(dash.origin);
    const head = ['token', 'team'].map(
      (name) =>
        `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${name === 'team' ? 'harbour' : token}\r\n`,
    );
    const file = '--x\r\ncontent-disposition: form-data; name="file"; filename="cut.zip"\r\n\r\n';
    const socket = connect(Number(port), 'localhost');
    socket.write(
      `POST ${page} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n`,
    );
    socket.write(head.join('') + file);
    socket.write(zip.subarray(0, 5_000));
    const arriving = () => files().filter((name) => name.endsWith('.part')).length;
    await until(() => arriving() === 1);
    socket.destroy();
    await until(() => arriving() === 0);
    // The file is deleted first, then the import is forgotten.
    await until(async () => !(await browser.open(`${page}?team=harbour`)).text.includes('cut.zip'));
  });

  test('of a decision that nobody takes is deleted after a day', async () => {
    await send(zip);
    await untilHeading('What would change');
    expect(files()).toHaveLength(1);
    const { ImportJobs } = await import('../../../../src/imports/import-jobs.ts');
    const later = new ImportJobs({
      ...dash.system,
      onFault: console.error,
      now: () => new Date(Date.now() + 25 * 60 * 60_000),
    });
    await later.tend();
    expect(files()).toEqual([]);
    await untilHeading('The import was cancelled');
  });

  test.each([
    ['is refused', '%PDF-1.7', 'nothing.zip'],
    ['cannot be read', '{"organizations": []}', 'without.json'],
    ['is cut off', '{"id":"s1","name":"Soup', 'cut.json'],
  ])('that waits for a decision is still there after another one that %s', async (_, content, name) => {
    await send(zip, { name: 'waits.zip' });
    await untilHeading('What would change');
    const waiting = browser.url.pathname;
    await send(content, { name });
    if (browser.status === 200) await untilHeading('The file cannot be imported');
    else expect(browser.status).toBe(415);
    await browser.open(`${page}?team=harbour`);
    expect(browser.text).toContain('An import waits for your decision');
    await browser.follow('Look at it');
    expect([browser.url.pathname, browser.heading]).toEqual([waiting, 'What would change']);
    expect(files()).toHaveLength(1);
    await giveUp();
  });

  test('is given up for another one that could be read', async () => {
    await send(zip, { name: 'first.zip' });
    await untilHeading('What would change');
    await send(zip, { name: 'next.zip' });
    await untilHeading('What would change');
    await until(() => files().length === 1);
    await giveUp();
    await browser.open(`${page}?team=harbour`);
    await browser.follow('first.zip');
    expect(browser.heading).toBe('The import was cancelled');
  });
});

describe('the report', () => {
  test('says what of the file was left out, where and why, also as a file', async () => {
    const path = await zipOf({
      'services.csv':
        'id,organization_id,name,description,status\ns1,o1,Soup Kitchen,Meals,active\ns2,o1,＝HYPERLINK("x"),Meals,active\n,o1,Nameless,Meals,active\n',
      'organizations.csv': 'id,name\no1,Harbor House\n',
    });
    await send(new Uint8Array(readFileSync(path)), { name: 'odd.zip' });
    await untilHeading('What would change');
    expect(browser.text).toContain('Left out 1');
    expect(browser.text).toMatch(/services\.csv\s*4/);
    const here = browser.url.pathname;
    await browser.follow('As a spreadsheet');
    expect(browser.answer.get('content-disposition')).toBe('attachment; filename="harbour-import.csv"');
    expect(browser.html).toMatch(/^left out,services\.csv,4,/m);
    expect(browser.html).toContain('Soup Kitchen');
    expect(browser.html).toContain(`"'＝HYPERLINK(""x"")"`);
    await browser.open(`${here}/report?team=harbour&format=json`);
    expect(JSON.parse(browser.html)).toMatchObject({ new: 2, problems: [{ file: 'services.csv', line: 4 }] });
    await browser.open(`${here}?team=harbour`);
    await browser.press('Import');
    await untilHeading('Imported');
    expect(browser.text).toContain('Some rows could not be used');
  });

  test('does not say that the directory has all of a file of which a part could not be used', async () => {
    const header = 'id,name,description,status\ns1,Soup Kitchen,Meals,active\n';
    const [whole, inPart] = [
      { 'services.csv': header },
      { 'services.csv': `${header},Nameless,Meals,active\n` },
    ];
    await send(new Uint8Array(readFileSync(await zipOf(whole))), { source: 'In part' });
    await untilHeading('What would change');
    await browser.press('Import');
    await untilHeading('Imported');
    await send(new Uint8Array(readFileSync(await zipOf(inPart))), { source: 'In part' });
    await untilHeading('What would change');
    expect(browser.text).toContain('Nothing would change. 1 row could not be used: see below.');
    expect(browser.text).not.toContain('your directory has all of it');
    await giveUp();
  });

  test.each([
    ['rows without ids', 'a.csv.zip', 'id,name\n,Nameless\n', /services\.csv\s*2/],
    ['JSON that is cut off', 'cut.json', '{"id":"s1","name":"Soup', /cut\.json\s*1\s*the file ends/],
  ])('of a file of which nothing could be used names why: %s', async (_, name, content, reason) => {
    const zipped = name.endsWith('.zip') && (await zipOf({ 'services.csv': content }));
    await send(zipped ? new Uint8Array(readFileSync(zipped)) : content, { name });
    await untilHeading('The file cannot be imported');
    expect(browser.text).toContain('No record of this file could be used.');
    expect(browser.text).toContain('Nothing was changed.');
    expect(browser.text).toMatch(reason);
    expect(files()).toEqual([]);
  });

  test('the example directory is offered as a file that can be imported', async () => {
    await browser.open(`${page}?team=harbour`);
    const answer = await fetch(`${dash.origin}${page}/example?team=harbour`, {
      headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="example-directory.zip"');
    await send(new Uint8Array(await answer.arrayBuffer()), { source: 'As downloaded' });
    await untilHeading('What would change');
    expect(browser.text).toContain('New 68');
    await giveUp();
  });
});

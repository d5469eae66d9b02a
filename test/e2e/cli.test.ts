import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { projections } from '../../src/projections/all.ts';
import { modelOf, nameOf } from '../../src/projections/engine/read-model.ts';
import { writeDatapackage } from '../faults/datapackages.ts';
import { disorderIn, readLog } from '../faults/log.ts';
import { start, type Ended } from '../faults/processes.ts';
import { dropDatabase, engineSettings, isEmbedded, missing, onEngines } from '../support/engine.ts';
import { runCommandLine, runProcess } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));
const folder = temporaryFolder();
afterAll(async () => {
  for (const name of readdirSync(folder.path)) await dropDatabase(join(folder.path, name));
  folder.remove();
});

type Settings = Readonly<Record<string, string>>;
const development = { ALLOW_PRIVATE_WEBHOOKS: 'true' };

/** One command line, run to its end. */
const run = (words: readonly string[], dataDir = dataDirOf('shared'), settings: Settings = {}) =>
  runCommandLine(words, dataDir, settings);

const dataDirOf = (name: string) => join(folder.path, name);

/** What a command that succeeds answers in JSON. */
async function answerTo(words: readonly string[], dataDir?: string, settings?: Settings): Promise<unknown> {
  const { code, stdout, stderr } = await run([...words, '--json'], dataDir, settings);
  expect({ code, stderr }, words.join(' ')).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const words = (line: string): string[] => line.split(' ');

/** Every event, as `events --json` prints one a line. */
async function eventsOf(dataDir?: string, ...narrowed: readonly string[]) {
  const { code, stdout, stderr } = await run(['events', '--json', ...narrowed], dataDir);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { stream: string; type: string; position: string; data: unknown });
}

describe.skipIf(missing)(onEngines('the command line, command by command'), () => {
  test('makes teams, says which scopes they have, and lists them', async () => {
    expect(await answerTo(['teams', 'create', 'harbour', '--name', 'Harbour House'])).toEqual({
      team: 'harbour',
      name: 'Harbour House',
    });
    expect(
      await answerTo(words('teams scopes harbour --enable webhooks:read,directory:manage')),
    ).toMatchObject({ team: 'harbour', scopes: ['directory:manage', 'webhooks:read'] });
    expect(await answerTo(words('teams list'))).toMatchObject([
      { team: 'harbour', name: 'Harbour House', scopes: ['directory:manage', 'webhooks:read'] },
    ]);
  });

  test('makes keys of both kinds, shown once, and revokes them as often as asked', async () => {
    const developer = (await answerTo(words('keys create --kind developer --scopes resources:read'))) as {
      key_id: string;
      key: string;
    };
    expect(developer.key).toMatch(/^api_pk_[0-9A-Za-z]{50}$/);
    const team = await answerTo(
      words(
        'keys create --kind team --team harbour --scopes directory:manage --domains Example.org,*.example.net',
      ),
    );
    expect(team).toMatchObject({
      key: expect.stringMatching(/^api_tk_/) as string,
      domains: ['example.org', '*.example.net'],
    });

    const { stdout: listed } = await run(words('keys list --json'));
    expect(listed).not.toContain(developer.key);
    expect(listed).not.toContain('sha256');
    expect(JSON.parse(listed)).toHaveLength(2);
    expect(await answerTo(words('keys list --team harbour'))).toHaveLength(1);

    for (let times = 0; times < 2; times++) {
      expect(await answerTo(['keys', 'revoke', developer.key_id, '--reason', 'Lost.'])).toEqual({
        key_id: developer.key_id,
        status: 'revoked',
      });
    }
    expect(await eventsOf(undefined, '--type', 'ApiKeyRevoked')).toHaveLength(1);
    expect(await answerTo(words('keys list'))).toContainEqual(
      expect.objectContaining({ key_id: developer.key_id, status: 'revoked' }),
    );
  });

  test('takes submissions and decides them', async () => {
    const submit = async (name: string) => {
      const made = await answerTo(
        words(
          'resources submit --team harbour --category food --city Miami --languages English,Spanish',
        ).concat('--name', name),
      );
      expect(made).toMatchObject({
        status: 'submitted',
        svc_id: expect.stringMatching(/^r_[0-9a-f]{16}$/) as string,
      });
      return (made as { svc_id: string }).svc_id;
    };
    const pantry = await submit('Pantry');
    const kitchen = await submit('Kitchen');
    const listed = async (status: string) =>
      ((await answerTo(['resources', 'list', '--status', status])) as { svc_id: string }[]).map(
        (each) => each.svc_id,
      );
    expect((await listed('submitted')).sort()).toEqual([pantry, kitchen].sort());

    expect(await answerTo(['resources', 'approve', pantry, '--note', 'Visited.'])).toEqual([
      { svc_id: pantry, status: 'approved' },
    ]);
    expect(await answerTo(['resources', 'reject', kitchen, '--reason', 'Closed.'])).toEqual([
      { svc_id: kitchen, status: 'rejected' },
    ]);
    expect(await answerTo(['resources', 'deactivate', pantry])).toEqual([
      { svc_id: pantry, status: 'inactive' },
    ]);
    expect(await listed('inactive')).toEqual([pantry]);
    expect(await answerTo(['resources', 'reactivate', pantry])).toEqual([
      { svc_id: pantry, status: 'approved' },
    ]);
    expect(await answerTo(words('resources list --team harbour --limit 2'))).toHaveLength(2);
    expect(await listed('rejected')).toEqual([kitchen]);
  });

  test('takes a whole record: texts as they are, lists with commas, everything else as JSON', async () => {
    const { svc_id } = (await answerTo([
      ...words('resources submit --team harbour --name Miami --category health --categories mental,care'),
      ...['--organization', '{"name":"Salvation Army"}', '--free', 'true', '--ages', '{"minimum":18}'],
      ...[
        '--address',
        '1 Quay',
        '--city',
        'Miami',
        '--phone',
        '305-555-0100',
        '--last-verified',
        '2026-03-31',
      ],
      ...['--opening-hours', '[{"days":["mon"],"opens":"09:00","closes":"17:00"}]'],
      ...['--time-zone', 'America/New_York', '--documents', 'ID,proof of address'],
    ])) as { svc_id: string };
    const submitted = (await answerTo(words('resources list --status submitted'))) as object[];
    expect(submitted).toContainEqual(
      expect.objectContaining({
        svc_id,
        name: 'Miami (Salvation Army)',
        categories: ['mental', 'care'],
        organization: { name: 'Salvation Army' },
        free: true,
        ages: { minimum: 18 },
        locations: [{ street: '1 Quay', city: 'Miami' }],
        phones: [{ number: '305-555-0100' }],
        opening_hours: [{ days: ['mon'], opens: '09:00', closes: '17:00' }],
        documents: ['ID', 'proof of address'],
        last_verified: '2026-03-31',
      }),
    );
  });

  test('lists resources page by page, and says when there are more', async () => {
    const dataDir = dataDirOf('paged');
    await answerTo(['import', writeDatapackage(folder.path, 5), '--approve'], dataDir);
    const idsIn = (stdout: string) => (JSON.parse(stdout) as { svc_id: string }[]).map((each) => each.svc_id);
    const paged: string[] = [];
    for (let next = 'resources list --limit 2'; next !== '';) {
      const { code, stdout, stderr } = await run(words(`${next} --json`), dataDir);
      expect(code).toBe(0);
      paged.push(...idsIn(stdout));
      const [, onward] = /^There are more: add (--after r_[0-9a-f]{16}) to go on/.exec(stderr) ?? [];
      expect(stderr === '').toBe(onward === undefined);
      next = onward === undefined ? '' : `resources list --limit 2 ${onward}`;
    }
    const { stdout } = await run(words('resources list --json'), dataDir);
    expect(paged).toEqual(idsIn(stdout));
    expect(paged).toHaveLength(5);
  });

  test('says which version it is', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const ended = await runProcess(['--version'], dataDirOf('shared'));
    expect(ended).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
  });

  test('ends a process with the exit code of its command, with its answer and its complaint apart', async () => {
    const dataDir = dataDirOf('a-process');
    const done = await runProcess(words('teams create harbour --name Harbour --json'), dataDir);
    expect(done).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(JSON.parse(done.stdout)).toEqual({ team: 'harbour', name: 'Harbour' });
    const again = await runProcess(words('teams create harbour --name Again'), dataDir);
    expectRefusal(again, 1, /^There is a team harbour already\.\n$/);
    expectRefusal(await runProcess(['frobnicate'], dataDir), 2, /unknown command 'frobnicate'/);
    expectRefusal(
      await runProcess(['serve'], dataDir, { PORT: 'abc' }),
      1,
      /^PORT must be a whole number\n$/,
    );
  });

  test('says which Node it needs on one that cannot run it', () => {
    // As Node 20 has it.
    const older = `data:text/javascript,import module from 'node:module'; module.enableCompileCache = undefined;`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', older, 'src/main.js', '--version'],
      { encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Commonweal needs Node 24\.7 or newer, and this is v[\d.]+\. .*\n$/);
  });

  test('subscribes a URL with a secret that is shown once, and pauses, resumes, rotates and deletes it', async () => {
    const made = (await answerTo(
      words('subscriptions create --team harbour --url http://127.0.0.1:9/hook --events resource.approved'),
      undefined,
      development,
    )) as { subscription: string; secret: string };
    expect(made.secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    const id = made.subscription;
    expect(await answerTo(['subscriptions', 'pause', id])).toEqual({ subscription: id, status: 'paused' });
    expect(await answerTo(['subscriptions', 'resume', id])).toEqual({ subscription: id, status: 'active' });
    const rotated = (await answerTo(['subscriptions', 'rotate', id])) as { secret: string };
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(made.secret);
    const next = (await answerTo(['subscriptions', 'prepare-secret', id])) as { secret: string };
    expect(next.secret).toMatch(/^whsec_/);
    expect(await answerTo(['subscriptions', 'activate-secret', id])).toEqual({
      subscription: id,
      secret_version: 3,
    });
    const { stdout } = await run(words('subscriptions list --json'));
    expect(JSON.parse(stdout)).toMatchObject([{ subscription: id, secret_version: 3, status: 'active' }]);
    const { stdout: log } = await run(['events', '--json']);
    for (const { secret } of [made, rotated, next])
      expect(stdout + log).not.toContain(secret.replace('whsec_', ''));
    for (let times = 0; times < 2; times++) {
      expect(await answerTo(['subscriptions', 'delete', id])).toEqual({
        subscription: id,
        status: 'deleted',
      });
    }
  });

  test('subscribes a receiver on another port of the host that BASE_URL names, in development', async () => {
    const beside = { ...development, PORT: '3000', BASE_URL: 'http://localhost:3000' };
    const at = (port: number) =>
      words(
        `subscriptions create --team harbour --url http://localhost:${port}/hook --events resource.approved`,
      );
    const { subscription } = (await answerTo(at(4000), undefined, beside)) as { subscription: string };
    await answerTo(['subscriptions', 'delete', subscription]);
    expectRefusal(await run(at(3000), undefined, beside), 2, /localhost is this service itself\./);
  });

  test('shows the log whole, of one stream, of one type, and behind a position', async () => {
    const all = await eventsOf();
    expect(disorderIn(await readLog(dataDirOf('shared')))).toEqual([]);
    expect(await eventsOf(undefined, '--stream', 'team-harbour')).toEqual(
      all.filter(({ stream }) => stream === 'team-harbour'),
    );
    const approvals = all.filter(({ type }) => type === 'ResourceApproved');
    expect(approvals).not.toEqual([]);
    expect(await eventsOf(undefined, '--type', 'ResourceApproved')).toEqual(approvals);
    const second = all[1]?.position ?? '';
    expect(await eventsOf(undefined, '--after', second)).toEqual(all.slice(2));
    expect(await eventsOf(undefined, '--stream', 'team-harbour', '--type', 'TeamScopesEnabled')).toHaveLength(
      1,
    );
    expect(await eventsOf(undefined, '--stream', 'no-such-stream')).toEqual([]);
  });

  test('follows the log, what another process appends included, until it is told to stop', async () => {
    const dataDir = dataDirOf('followed');
    await answerTo(words('teams create first --name First'), dataDir);
    const following = start('src/main.js', words('events --follow --json'), dataDir);
    onTestFinished(async () => {
      await following.kill();
    });
    const printed = (team: string) => until(() => following.written().includes(`"team":"${team}"`));
    await printed('first');
    await answerTo(words('teams create second --name Second'), dataDir);
    await printed('second');
    expect(await following.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  test('builds every read model anew, or one, and shows the same afterwards', async () => {
    const before = await answerTo(words('resources list --team harbour'));
    const rebuilt = (await answerTo(['rebuild'])) as { projection: string; generation: number }[];
    expect(rebuilt.map(({ projection }) => projection)).toEqual(projections.map(modelOf));
    const [again] = (await answerTo(words('rebuild resources'))) as {
      projection: string;
      generation: number;
    }[];
    const first = rebuilt.find(({ projection }) => projection === 'resources');
    expect(again).toMatchObject({ projection: 'resources' });
    expect(again?.generation).toBeGreaterThan(first?.generation ?? Infinity);
    expect(await answerTo(words('resources list --team harbour'))).toEqual(before);
  });

  test('says how far everything is', async () => {
    expect(await answerTo(['status'])).toMatchObject({
      data_dir: dataDirOf('shared'),
      head: expect.stringMatching(/^\d+$/) as string,
      projections: projections.map((each) => ({ name: nameOf(each), lag: 0 })),
      // Nobody has consumed yet: no server ever ran on this folder.
      webhooks: { pending: 0, failed: 0, parked: 0, reconciler: null },
    });
  });

  test('loads the example directory with a key of each kind', async () => {
    const dataDir = dataDirOf('demo');
    const demo = (await answerTo(['demo'], dataDir)) as { resources: number; keys: Record<string, string> };
    expect(demo).toMatchObject({
      team: 'harborview',
      keys: {
        developer: expect.stringMatching(/^api_pk_/) as string,
        team: expect.stringMatching(/^api_tk_/) as string,
      },
    });
    expect(await answerTo(words('resources list --team harborview --limit 500'), dataDir)).toHaveLength(
      demo.resources,
    );
  });

  test('answers people in lines, and every command explains itself', async () => {
    const { stdout } = await run(['status']);
    expect(stdout).toContain('READ MODEL');
    for (const line of [
      '',
      'serve',
      'import',
      'teams create',
      'keys create',
      'subscriptions rotate',
      'events',
    ]) {
      const { code, stdout: help } = await run([...words(line).filter((each) => each !== ''), '--help']);
      expect(code).toBe(0);
      expect(help).toMatch(/^Usage: commonweal/);
    }
  });

  test('serves on a free port, and ends in order when told to stop', async () => {
    const serving = start('src/main.js', ['serve', '--json'], dataDirOf('served'), { LOG_LEVEL: 'error' });
    onTestFinished(async () => {
      await serving.kill();
    });
    const line = await until(() => serving.written().split('\n', 2).length > 1 && serving.written());
    const { listening } = JSON.parse(line.split('\n')[0] ?? '') as { listening: string };
    expect((await fetch(`${listening}/healthz`)).status).toBe(200);
    expect(await serving.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});

describe.skipIf(missing)(onEngines('importing'), () => {
  const source = join(folder.path, 'source');
  const dataDir = dataDirOf('imported');
  const report = (from = source) => answerTo(['import', from, '--team', 'harbour', '--approve'], dataDir);

  beforeAll(async () => {
    cpSync(example, source, { recursive: true });
    await answerTo(words('teams create harbour --name Harbour'), dataDir);
  });

  test('brings in every service once, changes nothing the second time, and revises what was edited', async () => {
    const first = (await report()) as { services: number; new: number; approved: number };
    expect(first).toMatchObject({ new: first.services, revised: 0, unchanged: 0, problems: [] });
    expect(first.approved).toBeGreaterThan(0);
    // Each import is one, also where nothing has changed.
    const changes = async () => (await eventsOf(dataDir)).filter(({ type }) => !type.startsWith('Import'));
    const before = await changes();

    expect(await report()).toMatchObject({ new: 0, revised: 0, approved: 0, unchanged: first.services });
    expect(await changes()).toEqual(before);

    const file = join(source, 'services.csv');
    const rows = readFileSync(file, 'utf8');
    writeFileSync(file, rows.replace('Gull Island Fire and Rescue', 'Gull Island Rescue'));
    expect(await report()).toMatchObject({ new: 0, revised: 1, unchanged: first.services - 1 });
    const [revision, ...more] = (await changes()).slice(before.length);
    expect(more).toEqual([]);
    expect(revision).toMatchObject({
      type: 'ResourceRevised',
      data: { fields: { name: 'Gull Island Rescue' } },
    });
  });

  test('shows what it would change without changing anything, in a dry run', async () => {
    const path = datapackage('dry', 'id,name,email\na,First,a@example.org\nb,Second,\nc,Third,\n');
    const dry = dataDirOf('dry-data');
    const asked = ['import', path, '--source', 'dry', '--dry-run'];
    expect(await answerTo(asked, dry)).toMatchObject({ dry_run: true, new: 3, unchanged: 0 });
    expect(await eventsOf(dry, '--type', 'ResourceSubmitted')).toEqual([]);

    await answerTo(['import', path, '--source', 'dry', '--approve'], dry);
    const before = await eventsOf(dry);
    expect(await answerTo(asked, dry)).toMatchObject({ new: 0, unchanged: 3, changes: [] });
    const edited = datapackage(
      'dry-edited',
      'id,name,email,status\na,First,,active\nb,Second,b@example.org,active\nc,Third,,inactive\n',
    );
    const again = ['import', edited, '--source', 'dry', '--dry-run'];
    expect(await answerTo(again, dry)).toMatchObject({
      new: 0,
      revised: 2,
      deactivated: 1,
      revised_fields: { email: 2 },
      emptied_fields: { email: 1 },
      changes: [
        { source_id: 'a', name: 'First', events: ['ResourceRevised'], fields: ['email'] },
        { source_id: 'b', name: 'Second', events: ['ResourceRevised'], fields: ['email'] },
        { source_id: 'c', name: 'Third', events: ['ResourceDeactivated'], fields: [] },
      ],
    });
    const { stdout } = await run(again, dry);
    expect(stdout).toMatch(/This was a dry run: nothing was changed\./);
    expect(stdout).toMatch(/FIELD +RECORDS +LEFT WITH NONE\nemail +2 +1\n/);
    expect(stdout).toMatch(/r_[0-9a-f]{16} +a +revised: email +First\n/);
    expect(stdout).toMatch(/r_[0-9a-f]{16} +c +deactivated +Third$/m);
    expect(await eventsOf(dry)).toEqual(before);
  });

  test('keeps records of two sources with the same ids apart, and revises those of one source', async () => {
    const both = dataDirOf('same-ids-data');
    const one = datapackage('one-county', 'id,name\n1,North\n');
    const other = datapackage('other-county', 'id,name\n1,South\n');
    expect(await answerTo(['import', one], both)).toMatchObject({ source: 'one-county', new: 1 });
    expect(await answerTo(['import', other], both)).toMatchObject({ source: 'other-county', new: 1 });
    const same = ['import', other, '--source', 'one-county'];
    expect(await answerTo(same, both)).toMatchObject({ new: 0, revised: 1 });
    expect(await answerTo(same, both)).toMatchObject({ new: 0, unchanged: 1 });
    const ids = (await eventsOf(both, '--type', 'ResourceSubmitted')).map(
      ({ data }) => (data as { svc_id: string }).svc_id,
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('reports a bad row by file, line and reason, ends with 1, and takes the rest', async () => {
    const path = datapackage('one-bad-row', 'id,name\ngood,Good\nbad,\nfine,Fine\n');
    const { code, stdout, stderr } = await run(['import', path, '--json'], dataDirOf('one-bad-row-data'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      new: 2,
      problems: [{ file: 'services.csv', line: 3, reason: expect.stringMatching(/\S/) as string }],
    });
    expect(await eventsOf(dataDirOf('one-bad-row-data'), '--type', 'ResourceSubmitted')).toHaveLength(2);
  });

  test('shows people a count and a table on standard output, and draws no bar into a pipe', async () => {
    const { code, stdout, stderr } = await runProcess(['import', source], dataDirOf('watched'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+ services from \S+ for commons: \d+ new/);
    expect(stderr).not.toMatch(/\[=*-*\]|%/);
  });
});

/** A folder that holds a services.csv, and nothing else. */
function datapackage(name: string, services: string): string {
  const path = join(folder.path, name);
  mkdirSync(path);
  writeFileSync(join(path, 'services.csv'), services);
  return path;
}

/** One clear sentence, nothing of our insides, and the exit code that fits. */
function expectRefusal({ code, stdout, stderr }: Ended, expected: number, saying: RegExp): void {
  expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(saying) as string });
  expect(stdout).toBe('');
  expect(stderr).not.toMatch(/ {4}at |Error:|node:|\.ts:|undefined|\[object/);
  // A second line may say where to find help, or what was perhaps meant.
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
}

/** Why a test does not run elsewhere. */
const onlyEmbedded = isEmbedded ? '' : ' (skipped: it is about files that servers do not keep)';

describe.skipIf(missing)(onEngines('bad input'), () => {
  const dataDir = dataDirOf('refusing');
  const unknownId = '00000000-0000-4000-8000-000000000000';
  let before: number;

  beforeAll(async () => {
    await answerTo(words('teams create harbour --name Harbour'), dataDir);
    before = (await readLog(dataDir)).length;
  });

  describe('is refused with one clear sentence and changes nothing:', () => {
    test.for<readonly [line: string, code: number, saying: RegExp]>([
      ['frobnicate', 2, /unknown command 'frobnicate'/],
      ['teams frobnicate', 2, /unknown command 'frobnicate'/],
      ['status --frobnicate', 2, /unknown option '--frobnicate'/],
      ['status surplus', 2, /too many arguments/],
      ['teams create --name X', 2, /missing required argument 'slug'/],
      ['teams create solo', 2, /required option '--name <name>' not specified/],
      ['teams create Not_A_Slug --name X', 2, /slug: must be 1–48 lower-case letters/],
      ['teams create solo --name=', 2, /--name/],
      ['teams create harbour --name Again', 1, /There is a team harbour already\./],
      ['teams scopes harbour --enable everything', 2, /--enable.*must be one of directory:manage/],
      ['teams scopes nobody --enable directory:manage', 1, /There is no team nobody\./],
      ['teams time-zone harbour --set Mars/Olympus', 2, /--set.*must be the IANA name of a time zone/],
      [
        'keys create --kind robot --scopes resources:read',
        2,
        /--kind: must be developer, team or installation/,
      ],
      ['keys create --kind developer --scopes everything', 2, /--scopes.*must be one of resources:read/],
      ['keys create --kind developer --scopes ,', 2, /--scopes: name at least one/],
      ['keys create --kind developer --scopes directory:manage', 1, /public scopes only/],
      ['keys create --kind developer', 2, /required option '--scopes/],
      ['keys create --kind team --scopes resources:read', 1, /A team key needs a team\./],
      ['keys create --kind team --team nobody --scopes resources:read', 1, /There is no team nobody\./],
      [
        'keys create --kind team --team harbour --scopes directory:manage',
        1,
        /has not enabled directory:manage/,
      ],
      [
        'keys create --kind developer --scopes resources:read --domains example..org',
        2,
        /--domains.*host name/,
      ],
      ['keys revoke nobody', 1, /There is no such key\./],
      ['keys domains nobody --set example.org', 1, /There is no such key\./],
      ['resources submit --name X --category nonsense', 2, /resource \(category\): must be one of emergency/],
      ['resources submit --team nobody --name X --category food', 1, /There is no team nobody\./],
      ['resources submit --name X --category food --url gopher://x', 2, /resource \(url\): must be an http/],
      ['resources submit --name X --category food --email nobody', 2, /resource \(email\)/],
      ['resources submit --name X --category food --free maybe', 2, /--free: must be JSON/],
      ['resources submit --name X --category food --locations [{}]', 2, /locations\.0\): must not be empty/],
      [
        'resources submit --name X --category food --city Miami --locations [{"city":"Tampa"}]',
        1,
        /city and locations were both given/,
      ],
      ['resources approve r_nonsense', 2, /svc_id: must be r_ and 16 hex digits/],
      ['resources approve r_0000000000000000', 1, /There is no such record/],
      ['resources reject r_0000000000000000', 2, /--reason: say why it is rejected/],
      ['resources list --limit nonsense', 2, /--limit: must be a whole number/],
      ['resources list --limit -5', 2, /--limit: must be a whole number/],
      ['resources list --status nonsense', 2, /--status: must be one of submitted/],
      [
        'subscriptions create --team harbour --url nonsense --events resource.approved',
        2,
        /--url: This is not/,
      ],
      [
        'subscriptions create --team harbour --url http://192.168.0.1/ --events resource.approved',
        2,
        /--url: .*https/,
      ],
      [
        'subscriptions create --team harbour --url https://10.0.0.1/ --events resource.approved',
        2,
        /a private/,
      ],
      [
        'subscriptions create --team harbour --url https://1.1.1.1 --events everything',
        2,
        /--events.*must be/,
      ],
      [
        'subscriptions create --team nobody --url https://1.1.1.1 --events resource.approved',
        1,
        /no team nobody/,
      ],
      [`subscriptions pause ${unknownId}`, 1, /There is no such webhook\./],
      [`subscriptions rotate ${unknownId}`, 1, /There is no such webhook\./],
      ['subscriptions pause nonsense', 2, /id: must be the id of a webhook/],
      ['events --after garbage', 2, /--after: must be a position/],
      ['events --type Nope', 1, /There is no event type Nope\. docs\/events\.md lists them all\./],
      ['events --type resourceaproved', 1, /type resourceaproved\. Did you mean ResourceApproved/],
      ['resources list --after r_0000000000000000', 1, /There is no record r_0000000000000000\./],
      ['resources list --after nonsense', 2, /--after: must be r_ and 16 hex digits/],
      ['rebuild nonsense', 1, /There is no read model nonsense\./],
      ['rebuild resource', 1, /There is no read model resource\. Did you mean resources/],
      ['rebuild teams --cancel', 1, /^No rebuild of teams is running\.\n$/],
      ['rebuild all --cancel', 1, /^No rebuild is running\.\n$/],
      [
        'rebuild teams --back',
        1,
        /^No earlier generation of teams is kept\. A rebuild with --keep keeps one\.\n$/,
      ],
      ['rebuild --back', 2, /^--back: name the read model\.\n$/],
      ['rebuild teams --keep soon', 2, /^--keep: must be a number with s, m, h or d/],
      ['import /no/such/place', 1, /There is no file or folder \/no\/such\/place\./],
      ['import README.md', 1, /README\.md is neither a folder nor a \.zip, \.json, \.xlsx or \.csv file/],
      ['import package.json', 1, /package\.json holds no services\./],
      ['import scripts', 1, /scripts is not an HSDS datapackage: it has no services\.csv and no JSON/],
      ['import examples/directory --team nobody', 1, /There is no team nobody\./],
      ['import examples/directory --team Not_A_Slug', 2, /--team: must be 1–48/],
    ])('%s', async ([line, code, saying]) => {
      expectRefusal(await run(words(line), dataDir), code, saying);
    });

    test.for<readonly [Settings, RegExp]>([
      [{ PORT: 'abc' }, /^PORT must be a whole number\n$/],
      [{ PORT: '70000' }, /^PORT must be 0 to 65535\n$/],
      [{ ROLES: 'x' }, /^ROLES must name some of api, projector, dispatcher\n$/],
      [{ MASTER_KEY: 'short' }, /^MASTER_KEY must be 32 bytes in base64\n$/],
      [{ BASE_URL: 'nonsense' }, /^BASE_URL must be an http or https address\n$/],
      [{ ALLOW_PRIVATE_WEBHOOKS: 'perhaps' }, /^ALLOW_PRIVATE_WEBHOOKS must be true or false\n$/],
      [{ WEBHOOK_SCHEDULE: '1,x' }, /^WEBHOOK_SCHEDULE must be seconds separated by commas\n$/],
      [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be fatal,/],
    ])('the setting %o', async ([settings, saying]) => {
      expectRefusal(await run(['serve'], dataDir, settings), 1, saying);
    });
  });

  test('the refused commands above have changed nothing', async () => {
    expect(await readLog(dataDir)).toHaveLength(before);
    expect(await answerTo(words('teams list'), dataDir)).toHaveLength(1);
  });

  test('an address that is not ours stops the start with a sentence that names it', async () => {
    const ended = await runProcess(['serve'], dataDirOf('elsewhere'), { HOST: '203.0.113.7' });
    expectRefusal(ended, 1, /^HOST 203\.0\.113\.7 is not an address of this machine\.\n$/);
  });

  test('a port that is taken stops the start with a sentence that names it', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()));
    onTestFinished(() => {
      taken.close();
    });
    const { port } = taken.address() as AddressInfo;
    const ended = await runProcess(['serve'], dataDirOf('port-taken'), { PORT: String(port) });
    expectRefusal(ended, 1, new RegExp(`^PORT ${port} is in use on 127\\.0\\.0\\.1;`));
  });

  test.for(['serve', 'import examples/directory', 'demo'])(
    'a data folder that cannot be written is named: %s',
    async (line) => {
      // Below a file nobody can make a folder, not even root; in /proc neither, and it does not say so as others do.
      for (const nowhere of ['/dev/null/data', '/proc/data']) {
        expectRefusal(
          await run(words(line), nowhere),
          1,
          new RegExp(`^DATA_DIR ${nowhere} cannot be written: .*\n$`),
        );
      }
    },
  );

  test
    .skipIf(!isEmbedded)
    .for([
      'status',
      'events',
      'rebuild',
      'teams list',
      'keys list',
      'resources list',
      'resources approve r_0000000000000000',
      'members list --team harbour',
      'administrators list',
      'keys rotate-signing',
      'transfer --to esdb://localhost:9',
    ])(`a mistyped data folder is no empty store, and none is made: %s${onlyEmbedded}`, async (line) => {
    const mistyped = dataDirOf('mistyped');
    const saying = /^There is no Commonweal in DATA_DIR \S+mistyped: it holds no events\.db\..*use serve/;
    expectRefusal(await run(words(line), mistyped), 1, saying);
    expect(existsSync(mistyped)).toBe(false);
  });

  test.skipIf(!isEmbedded).for(['events.db', 'views.db', 'side.db', 'vault.db'])(
    `a data folder whose %s a newer version wrote is left alone${onlyEmbedded}`,
    async (name) => {
      const newer = dataDirOf(`newer-${name}`);
      const create = words(
        'subscriptions create --team harbour --url https://1.1.1.1/ --events resource.approved',
      );
      await answerTo(words('teams create harbour --name Harbour'), newer);
      await answerTo(create, newer);
      const before = await readLog(newer);
      const db = new DatabaseSync(join(newer, name));
      db.exec('PRAGMA user_version = 99');
      db.close();
      const ended = await run(create, newer);
      expectRefusal(
        ended,
        1,
        new RegExp(`${name} was written by a newer version of Commonweal \\(format 99`),
      );
      const again = new DatabaseSync(join(newer, name));
      again.exec('PRAGMA user_version = 1');
      again.close();
      expect(await readLog(newer)).toEqual(before);
    },
  );

  test.skipIf(!isEmbedded)(
    `a data folder whose log is no database of ours is left alone${onlyEmbedded}`,
    async () => {
      const damaged = dataDirOf('damaged');
      mkdirSync(damaged);
      writeFileSync(
        join(damaged, 'events.db'),
        'nothing that SQLite could read, and long enough to be looked at'.repeat(99),
      );
      expectRefusal(await run(['status'], damaged), 1, /events\.db: is damaged, or not a database of ours/);
    },
  );

  test.for<readonly [name: string, make: (path: string) => void, saying: RegExp]>([
    [
      'a zip file that is none',
      (path) => writeFileSync(path, 'This is no zip file at all, whatever its name says.'),
      /is not a usable zip file/,
    ],
    [
      'a zip file that is cut off',
      (path) => writeFileSync(path, Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400)])),
      /is not a usable zip file/,
    ],
  ])('%s is refused before anything is written', async ([name, make, saying]) => {
    const path = join(folder.path, `${name.replaceAll(' ', '-')}.zip`);
    make(path);
    const fresh = dataDirOf(name.replaceAll(' ', '-'));
    expectRefusal(await run(['import', path], fresh), 1, saying);
    expect(await readLog(fresh)).toEqual([]);
  });

  test('a table with a wrong header is refused before anything is written', async () => {
    const path = datapackage('wrong-header', 'identifier,title\n1,One\n');
    const fresh = dataDirOf('wrong-header-data');
    expectRefusal(
      await run(['import', path], fresh),
      1,
      /services\.csv has no column "id".*identifier, title/,
    );
    expect(await readLog(fresh)).toEqual([]);
  });

  test.skipIf(!isEmbedded)(
    `a master key that is gone is not replaced while there is something sealed with it${onlyEmbedded}`,
    async () => {
      const locked = dataDirOf('locked');
      mkdirSync(locked);
      await answerTo(words('teams create harbour --name Harbour'), locked);
      const create = words(
        'subscriptions create --team harbour --url https://1.1.1.1/ --events resource.approved',
      );
      await answerTo(create, locked);
      const keyless = dataDirOf('keyless');
      mkdirSync(keyless);
      for (const name of ['events.db', 'vault.db', 'side.db'])
        copyFileSync(join(locked, name), join(keyless, name));
      expectRefusal(await run(create, keyless), 1, /^MASTER_KEY is unset and .*master\.key is gone/);
    },
  );

  test('a reader of the output that goes away ends the command without a complaint', async () => {
    const line = `"${process.execPath}" src/main.js events --json | head -c 1`;
    // More than fits into a pipe: the command is still writing when nobody reads any more.
    await answerTo(['import', writeDatapackage(folder.path, 500), '--approve'], dataDirOf('piped'));
    const { stderr } = spawnSync('sh', ['-c', line], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: {
        DATA_DIR: dataDirOf('piped'),
        PATH: process.env['PATH'],
        ...engineSettings(dataDirOf('piped')),
      },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
  });
});

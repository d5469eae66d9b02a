import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vkeyOf } from '../../../src/audit/proof-log/format/note.ts';
import { fill, openLog, signedScene } from '../../audit/signed-log.ts';
import { smallDisk, withoutSmallDisk } from '../../stores/fixtures/small-disk.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';

const out = temporaryFolder();
const at = (name: string) => join(out.path, name);
let data: Awaited<ReturnType<typeof openLog>>['folder'];
let vkey: string;
beforeAll(async () => {
  const { system, key, folder } = await signedScene(3_000);
  await fill(system, 3, 1);
  await system.close();
  [data, vkey] = [folder, vkeyOf(key.verifier)];
});
afterAll(() => {
  data.remove();
  out.remove();
});

const run = (...words: readonly string[]) => runCommandLine(words, data.path);

describe('audit export and verify', () => {
  test('export the log to a folder that verifies with the key alone, and record it', async () => {
    const made = await run('audit', 'export', '--out', at('whole'));
    expect({ ...made, stderr: '' }).toMatchObject({ code: 0 });
    expect(made.stdout).toContain('3001 events of 3001 are in');
    // How far it is is for a terminal alone.
    expect(made.stderr).toBe('');
    expect(readdirSync(at('whole')).sort()).toEqual(['events.ndjson', 'leaf-hashes.txt', 'manifest.json']);
    const recorded = await run('events', '--type', 'AuditExported', '--json');
    expect(JSON.parse(recorded.stdout)).toMatchObject({
      data: { format: 'ndjson', filter: {}, events: 3_001, tree_size: 3_001 },
      metadata: { actor: { kind: 'system', id: 'cli' } },
    });
    const verified = await runCommandLine(['verify', '--export', at('whole'), '--vkey', vkey], at('nowhere'));
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toBe(
      'Verified: all 3001 events up to the checkpoint are there and as directory.example.org/audit/log signed them.\n',
    );
    expect(existsSync(at('nowhere'))).toBe(false);
  });

  test('write nothing where something is', async () => {
    const again = await run('audit', 'export', '--out', at('whole'));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') as string });
  });

  test('say of a filtered export what it does not prove, and prove that too at the service', async () => {
    const words = ['--team', 'team-2', '--format', 'cloudevents', '--json'];
    const made = await run('audit', 'export', '--out', at('team'), ...words);
    expect(JSON.parse(made.stdout)).toMatchObject({
      count: 429,
      filter: { team: 'team-2' },
      path: at('team'),
    });
    const offline = await run('verify', '--export', at('team'), '--vkey', vkey);
    expect(offline.stdout).toContain('Whether the filter selects more, an export cannot prove');
    const full = await run('verify', '--export', at('team'), '--full');
    expect(full).toMatchObject({ code: 0 });
    expect(full.stdout).toContain('the filter selects no others in the store');
  });

  test('write events for security tools, and verify them', async () => {
    const made = await run('audit', 'export', '--out', at('ocsf'), '--format', 'ocsf', '--team', 'team-3');
    expect({ ...made, stderr: '' }).toMatchObject({ code: 0 });
    const [line = ''] = readFileSync(join(at('ocsf'), 'events.ocsf.ndjson'), 'utf8').split('\n');
    expect(JSON.parse(line)).toMatchObject({ class_uid: 3004, metadata: { event_code: 'TeamCreated' } });
    const verified = await run('verify', '--export', at('ocsf'), '--vkey', vkey);
    expect(verified).toMatchObject({ code: 0 });
    const other = await run('audit', 'export', '--out', at('none'), '--format', 'cef');
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ndjson, csv, cloudevents, cloudevents-rdns or ocsf') as string,
    });
  });

  test('verify the running store', async () => {
    const verified = await run('verify');
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toMatch(
      /^Verified: all 3001 events of 300\d that the newest checkpoint covers are as they were signed, and all 3 checkpoints continue each other\. \d newer events are not signed yet\.\n$/,
    );
  });

  test('end with 1 and name the event when one was changed', async () => {
    const path = join(at('whole'), 'events.ndjson');
    writeFileSync(path, readFileSync(path, 'utf8').replace('team-4 17"', 'team-4 18"'));
    const exported = await run('verify', '--export', at('whole'), '--vkey', vkey);
    expect(exported).toMatchObject({ code: 1 });
    expect(exported.stdout).toMatch(
      /^NOT VERIFIED\. These are wrong:\n- Leaf \d+ was changed: TeamScopesEnabled \S+ \(team-team-4@17\)\./,
    );

    const db = new DatabaseSync(join(data.path, 'events.db'));
    db.exec('DROP TRIGGER events_are_never_changed');
    db.exec(
      `UPDATE events SET data = replace(data, 'team-4 17', 'team-4 19') WHERE stream = 'team-team-4' AND revision = 17`,
    );
    db.close();
    const store = await run('verify', '--json');
    expect(store).toMatchObject({ code: 1 });
    expect(JSON.parse(store.stdout)).toMatchObject({
      verified: false,
      findings: [{ kind: 'changed', event: { stream: 'team-team-4', revision: 17 } }],
    });
    const refused = await run('audit', 'export', '--out', at('second'));
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /\(team-team-4@17\) is not the event that the proof log has as leaf/,
      ) as string,
    });
    expect(readdirSync(out.path).sort()).toEqual(['ocsf', 'team', 'whole']);
  });

  test('are not understood without a key, or with something that is none', async () => {
    expect(await run('verify', '--export', at('team'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--vkey: name the key of the log') as string,
    });
    expect(await run('verify', '--export', at('team'), '--vkey', 'none')).toMatchObject({ code: 2 });
    expect(await run('verify', '--full')).toMatchObject({ code: 2 });
    expect(await run('audit', 'export', '--out', at('x'), '--from', 'yesterday')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must be a time such as') as string,
    });
    expect(await run('verify', '--export', at('x'), '--vkey', vkey)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not an export') as string,
    });
  });

  test('say of an empty log that there is nothing, and tell one that was never signed from a lost proof log', async () => {
    const { system, folder } = await openLog();
    await fill(system, 2);
    await system.close();
    const verified = await runCommandLine(['verify'], folder.path);
    expect(verified).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The proof log is lost: it has a key, and no checkpoint') as string,
    });
    const never = temporaryFolder();
    await runCommandLine(['teams', 'create', 'harbor', '--name', 'Harbor'], never.path);
    expect(await runCommandLine(['verify'], never.path)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The log was never signed: there is no key') as string,
    });
    never.remove();
    const exported = await runCommandLine(['audit', 'export', '--out', at('y')], folder.path);
    expect(exported).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to export') as string,
    });
    folder.remove();
    const nothing = await openLog();
    await nothing.system.store.head();
    await nothing.system.close();
    expect(await runCommandLine(['verify'], nothing.folder.path)).toMatchObject({
      code: 0,
      stdout: 'The log is empty: there is nothing to verify.\n',
    });
    nothing.folder.remove();
  });
});

describe.skipIf(withoutSmallDisk)('audit export to a full disk', () => {
  test('leaves nothing, and says why', async () => {
    const disk = smallDisk('256k');
    const { system, folder } = await signedScene(1_000);
    await system.close();
    const made = await runCommandLine(['audit', 'export', '--out', join(disk.path, 'whole')], folder.path);
    expect(made).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no room left on the device') as string,
    });
    expect(readdirSync(disk.path)).toEqual([]);
    disk.remove();
    folder.remove();
  });
});

import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportable } from '../../../src/audit/exports/exportable.ts';
import { formatOf } from '../../../src/audit/exports/formats.ts';
import type { ExportFilter } from '../../../src/audit/exports/filter.ts';
import { writeExport } from '../../../src/audit/exports/write-export.ts';
import { verifyExport } from '../../../src/audit/verify/verify-export.ts';
import { verifyFull } from '../../../src/audit/verify/verify-full.ts';
import { exportFormat, type ExportFormat } from '../../../src/events/audit.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { everyOwn, metadataAt, openLog, signedScene, signLog, type SignedScene } from '../signed-log.ts';

let scene: SignedScene;
const out = temporaryFolder();
beforeAll(async () => {
  scene = await signedScene(400);
  const large = {
    id: crypto.randomUUID(),
    type: 'TeamCreated',
    data: { team: 'l', name: 'x'.repeat(70_000) },
    metadata: metadataAt('2026-01-01T00:00:00.000Z'),
  };
  await scene.system.store.append('team-l', [large], 'no_stream');
  await signLog(scene.system, scene.key);
  for (const format of exportFormat.options) {
    await write(`whole-${format}`, {}, format);
    await write(`filtered-${format}`, { type: 'TeamScopesEnabled', subject: 'team:team-2' }, format);
  }
});
afterAll(async () => {
  await scene.system.close();
  scene.folder.remove();
  out.remove();
});

async function write(name: string, filter: ExportFilter, format: ExportFormat) {
  const folder = join(out.path, name);
  mkdirSync(folder);
  const from = await exportable(scene.system.store, scene.system.proofLog, scene.key.verifier);
  const installation = await scene.system.installation.ensureId();
  return writeExport(folder, from, {
    format,
    filter,
    installation,
    domain: 'org.example.directory',
    now: new Date(0),
  });
}

let copies = 0;
/** A copy of an export, with one file changed. */
function changed(name: string, file: string, edit: (text: string) => string): string {
  const folder = join(out.path, `copy-${copies++}`);
  cpSync(join(out.path, name), folder, { recursive: true });
  const path = join(folder, file);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
  return folder;
}
const verified = (folder: string) => verifyExport({ folder, verifier: scene.key.verifier });
const sentences = async (folder: string) => (await verified(folder)).findings.map(({ sentence }) => sentence);
const linesOf = (text: string) => text.trimEnd().split('\n');

const exports = exportFormat.options.flatMap((format) => [`whole-${format}`, `filtered-${format}`]);

describe('an export', () => {
  it.each(exports)('%s verifies with nothing but the key', async (name) => {
    const result = await verified(join(out.path, name));
    expect(result).toMatchObject({ findings: [], more: false, whole: name.startsWith('whole') });
    expect(result.events).toBe(result.manifest.count);
  });

  it('is not verified by the key of another log', async () => {
    const other = await openLog();
    const { findings } = await verifyExport({
      folder: join(out.path, 'whole-ndjson'),
      verifier: other.key.verifier,
    });
    expect(findings.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(
        /^The checkpoint of the export is not valid, so nothing in it can be verified\. The note is signed by/,
      ),
    ]);
    await other.system.close();
    other.folder.remove();
  });

  it('without a manifest is no export', async () => {
    await expect(verified(out.path)).rejects.toThrow(/is not an export: it has no manifest\.json/);
    const folder = changed('whole-ndjson', 'manifest.json', (text) => text.slice(0, 100));
    await expect(verified(folder)).rejects.toThrow(/manifest\.json is not the manifest of an export/);
  });

  it('that lacks a file is not verified', async () => {
    for (const file of ['events.ndjson', 'leaf-hashes.txt']) {
      const folder = changed('whole-ndjson', 'manifest.json', (text) => text);
      rmSync(join(folder, file));
      await expect(verified(folder)).rejects.toThrow(`${file} is missing`);
    }
  });

  it('that was cut off is told so, and what is missing is named', async () => {
    const folder = changed('whole-ndjson', 'manifest.json', (text) => text);
    truncateSync(join(folder, 'events.ndjson'), 100_000);
    const found = await sentences(folder);
    expect(found.some((each) => /^Leaves \d+ to 401 are missing, \d+ events/.test(each))).toBe(true);
    expect(found.at(-1)).toMatch(/^events\.ndjson was cut off: it has 100000 bytes of \d+\.$/);
  });
});

describe('a changed export', () => {
  it.each(exportFormat.options)('in %s has its changed event named', async (format) => {
    const file = formatOf(format, { installation: '', domain: '' }).file;
    const [event] = (await everyOwn(scene.system)).slice(222);
    for (const name of [`whole-${format}`, `filtered-${format}`]) {
      const wanted = name.startsWith('whole')
        ? event
        : (await everyOwn(scene.system)).find(
            ({ stream, revision }) => stream === 'team-team-2' && revision === 9,
          );
      const note = (wanted?.data as { note: string }).note;
      const folder = changed(name, file, (text) =>
        text.replace(new RegExp(`${note}(?=\\\\?")`), `${note.slice(0, -1)}X`),
      );
      const { findings } = await verified(folder);
      expect(findings[0]).toMatchObject({
        kind: 'changed',
        event: { id: wanted?.id, revision: wanted?.revision },
      });
      expect(findings).toHaveLength(2);
      expect(findings[1]?.sentence).toContain(`${file} has the SHA-256`);
    }
  });

  it('has what was dropped, duplicated, swapped and added named', async () => {
    const all = await everyOwn(scene.system);
    const edit = (change: (lines: string[]) => string[]) =>
      changed('whole-ndjson', 'events.ndjson', (text) => `${change(linesOf(text)).join('\n')}\n`);
    const dropped = await verified(edit((lines) => lines.toSpliced(100, 1)));
    expect(dropped.findings[0]).toMatchObject({ kind: 'missing', leaf: 100 });
    const { stream, revision } = all[100] as (typeof all)[number];
    expect(
      dropped.findings.some(({ sentence }) => sentence.includes(`${stream}@${revision} is missing`)),
    ).toBe(true);
    const doubled = await verified(edit((lines) => lines.toSpliced(200, 0, lines[100] ?? '')));
    expect(doubled.findings[0]).toMatchObject({ kind: 'added', event: { id: all[100]?.id } });
    const swapped = await verified(
      edit((lines) => lines.with(100, lines[101] ?? '').with(101, lines[100] ?? '')),
    );
    expect(swapped.findings[0]).toMatchObject({ kind: 'moved', leaf: 101, event: { id: all[101]?.id } });
    const added = await verified(
      edit((lines) => lines.toSpliced(50, 0, (lines[50] ?? '').replace(/"id":"[^"]+"/, '"id":"x"'))),
    );
    expect(added.findings[0]).toMatchObject({ kind: 'added', event: { id: 'x' } });
  });

  it('of a filtered export names the event that is missing by its proof', async () => {
    const all = await everyOwn(scene.system);
    const folder = changed(
      'filtered-ndjson',
      'events.ndjson',
      (text) => `${linesOf(text).toSpliced(4, 1).join('\n')}\n`,
    );
    const [first] = (await verified(folder)).findings;
    const event = all.find(({ stream, revision }) => stream === 'team-team-2' && revision === 5);
    expect(first?.sentence).toContain(`The event ${event?.id}, leaf `);
    expect(first).toMatchObject({ kind: 'missing', leaf: all.findIndex(({ id }) => id === event?.id) });
  });

  it('in its leaf hashes alone is told apart from changed events', async () => {
    const folder = changed('whole-ndjson', 'leaf-hashes.txt', (text) =>
      text.replace(/[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0')),
    );
    expect(await sentences(folder)).toEqual([
      'leaf-hashes.txt was changed at leaf 0. The events are as they were signed.',
      expect.stringContaining('leaf-hashes.txt has the SHA-256'),
    ]);
  });

  it('in its manifest is told', async () => {
    const count = changed('whole-ndjson', 'manifest.json', (text) =>
      text.replace('"count": 402', '"count": 401'),
    );
    expect(await sentences(count)).toEqual([
      'The manifest does not fit: count is 401; the export has 402 events.',
    ]);
    const note = changed('whole-ndjson', 'manifest.json', (text) => text.replace('\\n402\\n', '\\n401\\n'));
    expect((await sentences(note))[0]).toContain('The checkpoint of the export is not valid');
  });

  it('outside its events is told as well', async () => {
    const folder = changed('whole-csv', 'events.csv', (text) => text.replace('leaf,time', 'leaf,tine'));
    expect(await sentences(folder)).toEqual([expect.stringContaining('events.csv has the SHA-256')]);
    appendFileSync(join(folder, 'events.csv'), '\r\n');
    expect(await sentences(folder)).toHaveLength(1);
  });
});

describe('--full', () => {
  const full = async (folder: string) =>
    (await verifyFull(folder, (await verified(folder)).manifest, scene.system, () => undefined)).map(
      ({ sentence }) => sentence,
    );

  it('finds that the filter selects what the export has', async () => {
    for (const name of exports) expect(await full(join(out.path, name))).toEqual([]);
  });

  it('names what was left out together with its proof, which nothing else could show', async () => {
    const folder = changed(
      'filtered-ndjson',
      'events.ndjson',
      (text) => `${linesOf(text).toSpliced(4, 1).join('\n')}\n`,
    );
    const path = join(folder, 'proofs.ndjson');
    writeFileSync(path, `${linesOf(readFileSync(path, 'utf8')).toSpliced(4, 1).join('\n')}\n`);
    expect(await full(folder)).toEqual([
      expect.stringMatching(
        /\(team-team-2@5\), leaf \d+, is missing in the export: the filter selects it\.$/,
      ),
    ]);
  });

  it('tells an export of another log', async () => {
    const other = await signedScene(410);
    const { manifest } = await verified(join(out.path, 'whole-ndjson'));
    const [finding] = await verifyFull(
      join(out.path, 'whole-ndjson'),
      manifest,
      other.system,
      () => undefined,
    );
    expect(finding?.sentence).toMatch(/^The export is of another log than this store/);
    await other.system.close();
    other.folder.remove();
  });
});

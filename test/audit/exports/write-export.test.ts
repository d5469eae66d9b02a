import { createHash, hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reverseDns } from '../../../src/audit/exports/cloudevents.ts';
import { exportable } from '../../../src/audit/exports/exportable.ts';
import type { ExportFilter } from '../../../src/audit/exports/filter.ts';
import { writeExport } from '../../../src/audit/exports/write-export.ts';
import { openCheckpoint } from '../../../src/audit/proof-log/format/checkpoint.ts';
import { GrowingTree } from '../../../src/audit/proof-log/format/growing-tree.ts';
import { verifyInclusion } from '../../../src/audit/proof-log/format/merkle.ts';
import { fillWhole } from '../../../src/cli/target.ts';
import { exportFormat, type ExportFormat } from '../../../src/events/audit.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { everyOwn, fill, metadataAt, signedScene, signLog, type SignedScene } from '../signed-log.ts';

let scene: SignedScene;
const out = temporaryFolder();
beforeAll(async () => {
  scene = await signedScene(600);
  await fill(scene.system, 5, 1);
});
afterAll(async () => {
  await scene.system.close();
  scene.folder.remove();
  out.remove();
});

let made = 0;
async function written(filter: ExportFilter, format: ExportFormat = 'ndjson', of = scene) {
  const folder = join(out.path, `export-${made++}`);
  mkdirSync(folder);
  const from = await exportable(of.system.store, of.system.proofLog, of.key.verifier);
  const installation = await of.system.installation.ensureId();
  const manifest = await writeExport(folder, from, {
    format,
    filter,
    installation,
    domain: 'org.example.directory',
    now: new Date(0),
  });
  return { folder, manifest, text: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

describe('a whole export', () => {
  it('has every event up to the checkpoint, each line with the bytes of its leaf, and gives the root', async () => {
    const { manifest, text } = await written({});
    const lines = text('events.ndjson').trimEnd().split('\n');
    const tree = new GrowingTree();
    for (const line of lines) tree.add(hash('sha256', Buffer.from(`\0${line}`), 'buffer'));
    const checkpoint = openCheckpoint(manifest.checkpoint, scene.key.verifier);
    expect([tree.size, tree.root()]).toEqual([checkpoint.size, checkpoint.root]);
    const all = await everyOwn(scene.system);
    expect(all).toHaveLength(606);
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(
      all.slice(0, 601).map(({ id }) => id),
    );
    const sha256 = createHash('sha256').update(text('events.ndjson')).digest('hex');
    expect(manifest).toMatchObject({ count: 601, tree_size: 601, filter: {}, events: { sha256 } });
    expect(manifest.first).toMatchObject({ leaf: 0, type: 'InstallationNamed' });
    expect(manifest.last).toMatchObject({ leaf: 600, id: all[600]?.id });
    expect(JSON.parse(text('manifest.json'))).toEqual(manifest);
  });
});

describe('a filtered export', () => {
  it('has the events that the filter selects, each with its leaf and a proof that leads to the root', async () => {
    const { manifest, text } = await written({ subject: 'team:team-3', from: '2026-01-01T00:20:00Z' });
    const checkpoint = openCheckpoint(manifest.checkpoint, scene.key.verifier);
    const lines = text('events.ndjson').trimEnd().split('\n');
    const proofs = text('proofs.ndjson').trimEnd().split('\n');
    expect(lines).toHaveLength(manifest.count);
    expect(manifest.count).toBe(66);
    for (const [at, line] of lines.entries()) {
      const proof = JSON.parse(proofs[at] ?? '') as { id: string; leaf: number; hashes: string[] };
      const event = JSON.parse(line) as { id: string; stream: string };
      expect([event.stream, proof.id]).toEqual(['team-team-3', event.id]);
      const leaf = hash('sha256', Buffer.from(`\0${line}`), 'buffer');
      verifyInclusion(
        leaf,
        proof.leaf,
        checkpoint,
        proof.hashes.map((each) => Buffer.from(each, 'base64')),
      );
    }
  });

  it.each([
    [{ type: 'TeamCreated' }, 7],
    [{ stream: 'team-team-0' }, 86],
    [{ actor: 'system:test' }, 600],
    [{ actor: 'system:nobody' }, 0],
    [{ team: 'team-1' }, 86],
    [{ until: '2026-01-01T00:01:00Z', actor: 'system:test' }, 7],
    [{ type: 'TeamCreated', team: 'team-2' }, 1],
  ] as const)('by %j has %i events', async (filter, count) => {
    for (const format of exportFormat.options)
      expect((await written(filter, format)).manifest.count).toBe(count);
  });
});

describe('the formats for people and tools', () => {
  it('write CSV that a parser reads, with no formula in it', async () => {
    const formula = await signedScene(3);
    const event = {
      id: crypto.randomUUID(),
      type: 'TeamCreated',
      data: { team: 'a', name: '=1+1, "quoted"\nline' },
      metadata: metadataAt('2026-01-01T00:00:00.000Z', '＝HYPERLINK("http://example.org")'),
    };
    await formula.system.store.append('team-a', [event], 'no_stream');
    await signLog(formula.system, formula.key);
    const rows = parse<Record<string, string>>((await written({}, 'csv', formula)).text('events.csv'), {
      columns: true,
    });
    expect(rows).toHaveLength(5);
    const row = rows.at(-1) ?? {};
    expect(row).toMatchObject({
      leaf: '4',
      actor_id: `'＝HYPERLINK("http://example.org")`,
      stream: 'team-a',
      id: event.id,
    });
    expect(JSON.parse(row['data'] ?? '')).toEqual(event.data);
    await formula.system.close();
    formula.folder.remove();
  });

  it('say that who an operator claims to be is a claim', async () => {
    const claiming = await signedScene(3);
    const [ada, ben] = [crypto.randomUUID(), crypto.randomUUID()];
    const events = [
      { on_behalf_of: ada, claims_to_be: ada },
      { on_behalf_of: ben, claims_to_be: ada },
      { on_behalf_of: ben },
    ].map((of) => ({
      id: crypto.randomUUID(),
      type: 'TeamCreated',
      data: {},
      metadata: { ...metadataAt('2026-01-01T00:00:00.000Z'), actor: { kind: 'system', id: 'cli', ...of } },
    }));
    await claiming.system.store.append('team-a', events, 'no_stream');
    await signLog(claiming.system, claiming.key);
    const text = (await written({ stream: 'team-a' }, 'csv', claiming)).text('events.csv');
    const rows = parse<Record<string, string>>(text, { columns: true });
    expect(rows.map(({ on_behalf_of }) => on_behalf_of)).toEqual([
      `${ada} (claimed)`,
      `${ben}; ${ada} (claimed)`,
      ben,
    ]);
    const batch = JSON.parse(
      (await written({ stream: 'team-a' }, 'cloudevents', claiming)).text('events.json'),
    ) as Record<string, unknown>[];
    expect(batch.map(({ claimstobe }) => claimstobe)).toEqual([ada, ada, undefined]);
    await claiming.system.close();
    claiming.folder.remove();
  });

  it('write CloudEvents 1.0.2 in the JSON batch format', async () => {
    const { text } = await written({}, 'cloudevents');
    const batch = JSON.parse(text('events.json')) as Record<string, unknown>[];
    const all = await everyOwn(scene.system);
    expect(batch).toHaveLength(601);
    for (const [at, written] of batch.entries()) {
      const event = all[at];
      expect(written).toMatchObject({
        specversion: '1.0',
        id: event?.id,
        type: event?.type,
        data: event?.data,
      });
      expect(Object.keys(written).every((name) => /^[a-z0-9]{1,20}$/.test(name))).toBe(true);
      expect(written['source']).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
      expect(written['time']).toBe(event?.metadata['at']);
      expect(written['datacontenttype']).toBe('application/json');
      for (const [name, value] of Object.entries(written)) {
        if (name === 'data') continue;
        expect(['string', 'number']).toContain(typeof value);
        expect(value).not.toBe('');
        // eslint-disable-next-line no-control-regex
        expect(String(value)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\p{Noncharacter_Code_Point}]/u);
      }
      expect(JSON.parse(String(written['metadata']))).toEqual(event?.metadata);
    }
    expect(
      JSON.parse((await written({ actor: 'system:nobody' }, 'cloudevents')).text('events.json')),
    ).toEqual([]);
  });

  it('write CloudEvents with types that begin with the reversed domain, and read them back', async () => {
    const lines = async (format: ExportFormat) =>
      JSON.parse((await written({ stream: 'team-team-0' }, format)).text('events.json')) as Record<
        string,
        unknown
      >[];
    const [plain, reversed] = [await lines('cloudevents'), await lines('cloudevents-rdns')];
    expect(plain.length).toBeGreaterThan(10);
    expect(reversed).toEqual(
      plain.map((each) => ({ ...each, type: `org.example.directory.${String(each['type'])}` })),
    );
    for (const [baseUrl, domain] of [
      ['http://localhost:3000', 'localhost'],
      ['http://192.0.2.7:3000', 'localhost'],
      ['http://[2001:db8::7]', 'localhost'],
      [undefined, 'localhost'],
      ['https://bücher.example', 'example.xn--bcher-kva'],
    ] as const)
      expect([baseUrl, reverseDns(baseUrl)]).toEqual([baseUrl, domain]);
  });

  it('escape in CloudEvents what an attribute must not contain', async () => {
    const strange = await signedScene(1);
    const event = {
      id: crypto.randomUUID(),
      type: 'TeamCreated',
      data: { team: 'a', name: 'a' },
      metadata: { ...metadataAt('2026-01-01T00:00:00.000Z'), request_hash: '\u0085 \uffff \u{1fffe} \u007f' },
    };
    await strange.system.store.append('team-a', [event], 'no_stream');
    await signLog(strange.system, strange.key);
    const batch = JSON.parse((await written({}, 'cloudevents', strange)).text('events.json')) as Record<
      string,
      string
    >[];
    const metadata = batch.at(-1)?.['metadata'] ?? '';
    expect(metadata).not.toMatch(/[\u007f-\u009f\p{Noncharacter_Code_Point}]/u);
    expect((JSON.parse(metadata) as { request_hash: string }).request_hash).toBe(event.metadata.request_hash);
    await strange.system.close();
    strange.folder.remove();
  });
});

describe('what cannot be exported', () => {
  it('is an event that is not the one that was signed', async () => {
    const other = await signedScene(50);
    const from = await exportable(scene.system.store, other.system.proofLog, other.key.verifier);
    const folder = temporaryFolder();
    const options = {
      format: 'ndjson',
      filter: {},
      installation: 'i',
      domain: '',
      now: new Date(0),
    } as const;
    await expect(writeExport(folder.path, from, options)).rejects.toThrow(
      /^InstallationNamed \(installation-\S+@0\) is not the event that the proof log has as leaf 0\. Run "commonweal verify"/,
    );
    await other.system.close();
    other.folder.remove();
    folder.remove();
  });

  it('is one that is stopped: nothing of it stays', async () => {
    const folder = temporaryFolder();
    const stop = new AbortController();
    const from = await exportable(scene.system.store, scene.system.proofLog, scene.key.verifier);
    const exporting = fillWhole(join(folder.path, 'whole'), async (part) => {
      await writeExport(part, from, {
        format: 'ndjson',
        filter: {},
        installation: 'i',
        domain: '',
        now: new Date(0),
        signal: stop.signal,
        onRead: () => stop.abort(new Error('stopped')),
      });
    });
    await expect(exporting).rejects.toThrow('stopped');
    expect(readdirSync(folder.path)).toEqual([]);
    folder.remove();
  });
});

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Chance } from '../seeded-random.ts';
import { exportOf, type TamperScene } from './scene.ts';
import { flipped, type Tampering } from './store.ts';

export type ExportTampering = 'flip' | 'drop' | 'duplicate' | 'swap' | 'add' | 'flip-beside';
export const exportTamperings: readonly ExportTampering[] = [
  'flip',
  'drop',
  'duplicate',
  'swap',
  'add',
  'flip-beside',
];

/** Changes a copy of an export. Half of the time the manifest is made to fit, as an attacker would. */
export function tamperExport(
  kind: ExportTampering,
  scene: TamperScene,
  name: string,
  chance: Chance,
): Tampering & { readonly folder: string; remove(): void } {
  const folder = join(scene.path, 'copy');
  cpSync(exportOf(scene, name), folder, { recursive: true });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const file = readdirSync(folder).find((each) => each.startsWith('events.')) as string;
  const path = join(folder, file);
  if (kind === 'flip-beside') return { ...flipBeside(folder, file, chance), folder, remove };
  const text = readFileSync(path, 'utf8');
  const [begin, between, end] = {
    'events.ndjson': ['', '\n', '\n'],
    'events.csv': [text.slice(0, text.indexOf('\r\n') + 2), '\r\n', '\r\n'],
    'events.ocsf.ndjson': ['', '\n', '\n'],
    'events.json': ['[\n', ',\n', '\n]\n'],
  }[file] as [string, string, string];
  const lines = text.slice(begin.length, text.length - end.length).split(between);
  const place = chance.count(0, lines.length - 1);
  const { lines: after, ids } = edited(kind, lines, place, chance);
  writeFileSync(path, begin + after.join(between) + end, 'latin1' === file ? 'latin1' : 'utf8');
  const refitted = chance.happens(0.5);
  if (refitted) refit(folder, file, after.length);
  return {
    what: `${name}: ${kind} at event ${place + 1}${refitted ? ', manifest refitted' : ''}`,
    leaves: new Set(),
    folder,
    remove,
    // By its id where it still has one, else by the leaf or the place in the file.
    isNamed: (findings) =>
      ids.every((id) => {
        const leaf = scene.rows.find((row) => row.id === id)?.leaf;
        return findings.some(
          (each) =>
            each.event?.id === id ||
            (leaf !== undefined && each.leaf === leaf) ||
            each.sentence.includes(id) ||
            each.sentence.includes(`event ${place + 1} of ${file}`),
        );
      }),
  };
}

/** `ids`: of the events that must be named. */
function edited(
  kind: Exclude<ExportTampering, 'flip-beside'>,
  lines: readonly string[],
  place: number,
  chance: Chance,
): { readonly lines: readonly string[]; readonly ids: readonly string[] } {
  const line = lines[place] as string;
  const id = idIn(line);
  switch (kind) {
    case 'flip': {
      const bytes = Buffer.from(line);
      for (;;) {
        const other = flipped(bytes, chance);
        const text = other.toString();
        // What is no longer UTF-8 is written as another character: also a change. A line break would make two lines.
        if (text !== line && !/[\r\n]/.test(text)) return { lines: lines.with(place, text), ids: [id] };
      }
    }
    case 'drop':
      return { lines: lines.toSpliced(place, 1), ids: [id] };
    case 'duplicate':
      return { lines: lines.toSpliced(chance.count(0, lines.length - 1), 0, line), ids: [id] };
    case 'swap': {
      const other = (place + chance.count(1, lines.length - 1)) % lines.length;
      const neighbours = Math.abs(place - other) === 1;
      const swapped = lines.with(place, lines[other] as string).with(other, line);
      const both = [id, idIn(lines[other] as string)];
      // Of two neighbours, one has moved.
      return { lines: swapped, ids: neighbours ? both.slice(place < other ? 1 : 0).slice(0, 1) : both };
    }
    case 'add': {
      const forged = crypto.randomUUID();
      return { lines: lines.toSpliced(place, 0, line.replaceAll(id, forged)), ids: [forged] };
    }
  }
}

/** One byte of the manifest, of the leaf hashes or of the proofs: it must be noticed. */
function flipBeside(folder: string, events: string, chance: Chance): Tampering {
  const files = readdirSync(folder).filter((each) => each !== events);
  const file = files[chance.count(0, files.length - 1)] as string;
  const path = join(folder, file);
  const bytes = readFileSync(path);
  for (;;) {
    const other = flipped(bytes, chance);
    if (file === 'manifest.json' && !isTold(bytes.toString(), other.toString())) continue;
    writeFileSync(path, other);
    return {
      what: `${folder}: a bit of ${file}`,
      leaves: new Set(),
      isNamed: (findings) => findings.length > 0,
    };
  }
}

/** What the manifest says of itself alone, such as when it was written, nothing can prove. */
function isTold(before: string, after: string): boolean {
  try {
    const [a, b] = [before, after].map((text) => JSON.parse(text) as Record<string, unknown>);
    return ['count', 'events', 'leaf_hashes', 'proofs', 'log', 'tree_size', 'checkpoint'].some(
      (name) => JSON.stringify(a?.[name]) !== JSON.stringify(b?.[name]),
    );
  } catch {
    return true;
  }
}

const idIn = (line: string): string => /"id":"([^"]+)"/.exec(line)?.[1] ?? line.match(uuids)?.[0] ?? '';
/** In CSV the first of them is the id of the event, unless the actor has one. */
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function refit(folder: string, file: string, count: number): void {
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const bytes = readFileSync(join(folder, file));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const events = { file, bytes: bytes.length, sha256 };
  writeFileSync(path, JSON.stringify({ ...manifest, count, events }, null, 2));
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const sources = filesUnder('src').map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

/** Our own files that each file of src imports, types included, by any form of import. */
const imports: ReadonlyMap<string, readonly string[]> = new Map(
  sources.map(([file, text]) => [file, importsOf(file, text)] as const),
);

/** Those without which it cannot be loaded: types are gone by then, and a worker thread loads its own. */
const loads: ReadonlyMap<string, readonly string[]> = new Map(
  sources.map(([file, text]) => [file, loadedBy(file, text)] as const),
);

const ports = /^src\/stores\/([^/]+\/port|errors)\.ts$/;
const adapters = /^src\/stores\/(.*\/)?(embedded|mongodb|eventstoredb|memory)(\/|\.ts$)/;

/** What a room may import besides its own files: other rooms as a whole, or single files. */
interface Room {
  readonly rooms: readonly string[];
  readonly files: readonly RegExp[];
}

const rooms: Readonly<Record<string, Room | 'anything'>> = {
  events: { rooms: [], files: [] },
  stores: { rooms: [], files: [] },
  personal: { rooms: [], files: [ports, /^src\/stores\/vault\/seal\.ts$/] },
  commands: { rooms: ['events', 'personal'], files: [ports] },
  projections: { rooms: ['events'], files: [ports] },
  hsds: { rooms: ['events'], files: [] },
  dispatch: { rooms: ['commands', 'projections', 'personal', 'events'], files: [ports] },
  mail: { rooms: [], files: [ports, /^src\/stores\/vault\/seal\.ts$/] },
  api: {
    rooms: ['commands', 'projections', 'personal', 'mail', 'events'],
    files: [ports, /^src\/stores\/vault\/seal\.ts$/, /^src\/config\.ts$/],
  },
  'config.ts': { rooms: [], files: [] },
  'data-folder.ts': { rooms: ['config.ts'], files: [] },
  'container.ts': { rooms: ['stores', 'personal', 'commands', 'config.ts', 'data-folder.ts'], files: [] },
  transfer: { rooms: ['commands', 'events'], files: [ports] },
  audit: { rooms: ['commands', 'projections', 'events'], files: [ports] },
  runtime: 'anything',
  threads: 'anything',
  cli: 'anything',
  'main.ts': 'anything',
};

/** The folder, or the file, right under src. */
const roomOf = (file: string): string => file.split('/')[1] ?? '';

/** Why one file may not import another; undefined when it may. */
function objection(from: string, to: string): string | undefined {
  const room = roomOf(from);
  if (adapters.test(to) && room !== 'stores' && from !== 'src/container.ts') {
    return 'only container.ts knows which adapter is behind a port';
  }
  const may = rooms[room];
  if (may === undefined) return `nothing is said of what ${room} may import; say it here and in DESIGN 1`;
  if (may === 'anything' || roomOf(to) === room || may.rooms.includes(roomOf(to))) return undefined;
  if (may.files.some((pattern) => pattern.test(to))) return undefined;
  const allowed = [...may.rooms, ...may.files.map(String)].join(', ') || 'nothing of ours';
  return `${room} may import ${allowed}`;
}

describe('the one direction', () => {
  it('is kept by every import under src', () => {
    const violations = [...imports].flatMap(([from, targets]) =>
      targets.flatMap((to) => {
        const why = objection(from, to);
        return why === undefined ? [] : [`${from} → ${to}: ${why}`];
      }),
    );
    expect(violations).toEqual([]);
  });

  it('is no circle: no file has to be loaded before itself', () => {
    expect(cycles(loads)).toEqual([]);
  });

  it('leads only to files that there are', () => {
    const missing = [...imports].flatMap(([from, targets]) =>
      targets.filter((to) => to.startsWith('src/') && !imports.has(to)).map((to) => `${from} → ${to}`),
    );
    expect(missing).toEqual([]);
  });

  it('never leads from src to anything beside it', () => {
    const outside = [...imports].flatMap(([from, targets]) =>
      targets.filter((to) => !to.startsWith('src/')).map((to) => `${from} → ${to}`),
    );
    expect(outside).toEqual([]);
  });
});

describe('the check of the direction', () => {
  it('sees every form of import', () => {
    const text = `
      import { a } from './a.ts';
      import type { B } from '../b.ts';
      import './c.ts';
      export * from './d.ts';
      export type { E } from './e.ts';
      const f = await import('./f.ts');
      type G = import('./g.ts').G;
      const worker = new Worker(new URL('./h.ts', import.meta.url));
      import { readFileSync } from 'node:fs';
      import { z } from 'zod';
      const no = "import './not.ts'"; // import './nor.ts'
    `;
    expect(importsOf('src/events/x.ts', text).sort()).toEqual(
      ['src/b.ts', ...['a', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `src/events/${name}.ts`)].sort(),
    );
  });

  it('tells what is loaded from what is only named as a type', () => {
    const text = `
      import { a, type A } from './a.ts';
      import type { B } from './b.ts';
      export type { C } from './c.ts';
      type D = import('./d.ts').D;
      export { e } from './e.ts';
      const worker = new Worker(new URL('./f.ts', import.meta.url));
      void [a, worker];
    `;
    expect(loadedBy('src/events/x.ts', text).sort()).toEqual(['src/events/a.ts', 'src/events/e.ts']);
  });

  it.each([
    ['src/events/teams/team.ts', 'src/commands/teams/team.ts', /^events may import nothing of ours/],
    ['src/stores/sqlite.ts', 'src/events/ids.ts', /^stores may import nothing of ours/],
    ['src/personal/personal-data.ts', 'src/events/ids.ts', /^personal may import/],
    ['src/projections/accounts/people.ts', 'src/personal/personal-data.ts', /^projections may import events/],
    ['src/commands/teams/team.ts', 'src/projections/teams/teams.ts', /^commands may import events/],
    ['src/commands/teams/team.ts', 'src/stores/sqlite.ts', /^commands may import events/],
    ['src/projections/teams/teams.ts', 'src/commands/teams/team.ts', /^projections may import events/],
    ['src/hsds/record.ts', 'src/stores/errors.ts', /^hsds may import events/],
    ['src/dispatch/lane.ts', 'src/api/server.ts', /^dispatch may import/],
    ['src/api/server.ts', 'src/dispatch/lane.ts', /^api may import/],
    ['src/api/server.ts', 'src/container.ts', /^api may import/],
    ['src/container.ts', 'src/events/ids.ts', /^container.ts may import/],
    ['src/runtime/serve.ts', 'src/stores/vault/embedded.ts', /^only container.ts knows/],
    ['src/api/server.ts', 'src/stores/event-store/embedded/store.ts', /^only container.ts knows/],
    ['src/cellar/wine.ts', 'src/events/ids.ts', /^nothing is said of what cellar/],
  ])('objects to %s → %s', (from, to, why) => {
    expect(objection(from, to)).toMatch(why);
  });

  it.each([
    ['src/commands/teams/team.ts', 'src/events/teams/team.ts'],
    ['src/commands/command-handler.ts', 'src/stores/event-store/port.ts'],
    ['src/commands/command-handler.ts', 'src/stores/errors.ts'],
    ['src/personal/personal-data.ts', 'src/stores/vault/seal.ts'],
    ['src/commands/accounts/person.ts', 'src/personal/personal-data.ts'],
    ['src/api/server.ts', 'src/stores/vault/seal.ts'],
    ['src/api/server.ts', 'src/config.ts'],
    ['src/container.ts', 'src/stores/vault/embedded.ts'],
    ['src/stores/vault/embedded.ts', 'src/stores/sqlite.ts'],
    ['src/main.ts', 'src/runtime/serve.ts'],
  ])('lets %s → %s pass', (from, to) => {
    expect(objection(from, to)).toBeUndefined();
  });

  it('finds a circle and names its files', () => {
    const circle = new Map([
      ['a', ['b', 'x']],
      ['b', ['c']],
      ['c', ['a']],
      ['x', []],
      ['self', ['self']],
    ]);
    expect(cycles(circle)).toEqual(['a → b → c → a', 'self → self']);
    expect(
      cycles(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
    ).toEqual([]);
  });
});

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** What is left of the imports when types are stripped. */
function loadedBy(file: string, text: string): string[] {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ESNext,
    verbatimModuleSyntax: true,
  };
  return importsOf(file, ts.transpileModule(text, { compilerOptions }).outputText, { workers: false });
}

/** Imports as TypeScript's own parser sees them, and files named for a worker thread. */
function importsOf(file: string, text: string, options = { workers: true }): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const workers = !options.workers
    ? []
    : [...text.matchAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g)].map((match) => match[1] ?? '');
  return [...new Set([...importedFiles.map(({ fileName }) => fileName), ...workers])]
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(file), name)));
}

/** Circles in a graph of imports, each once, from where it is first met. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    if (done.has(file)) return;
    const begins = path.indexOf(file);
    if (begins !== -1) {
      found.push([...path.slice(begins), file].join(' → '));
      return;
    }
    path.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}

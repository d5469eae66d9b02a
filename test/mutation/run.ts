import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { mutantsOf, mutated, sampleOf, type Mutant } from './mutants.ts';
import { relatedTests } from './related-tests.ts';

/**
 * npm run test:mutation -- [--commit HEAD] [--count 120] [--seed 1] [--same list.txt] [--workers 2]
 *
 * Puts small faults into the deciders and read models of a commit, one at a time, and prints which of them a test
 * notices, as a sorted list. With the list of an earlier commit, the same mutants again: those that died then and
 * survive now are named, and it exits with 1. It works in a copy of the commit, and never changes this checkout.
 */
const { values } = parseArgs({
  options: {
    commit: { type: 'string', default: 'HEAD' },
    count: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    same: { type: 'string' },
    workers: { type: 'string', default: '2' },
  },
});
const root = join(import.meta.dirname, '../..');
const before = values.same === undefined ? undefined : readList(values.same);
const copy = mkdtempSync(join(tmpdir(), 'commonweal-mutation-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(2));

const archive = execFileSync('git', ['archive', values.commit], { cwd: root, maxBuffer: 2 ** 30 });
execFileSync('tar', ['-x', '-C', copy], { input: archive });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

const sources = ['src/commands', 'src/projections'].flatMap(filesUnder);
const all = mutantsOf(sources.map((file) => [file, readFileSync(join(copy, file), 'utf8')]));
const chosen = before
  ? all.filter(({ id }) => before.has(id))
  : sampleOf(all, Number(values.count), Number(values.seed));
const related = relatedTests(copy);
console.error(`${chosen.length} of ${all.length} mutants, of ${values.commit}`);

const pure = [...new Set(chosen.flatMap(({ file }) => related(file).pure))];
if (!(await pass(pure))) {
  console.error('The tests fail without any mutant.');
  process.exit(2);
}

// First the tests of the deciders and read models alone; only what survives these meets those from outside.
const died = new Map<string, boolean>();
for (const [place, mutant] of chosen.entries()) {
  const isKilled = await kills(mutant, related(mutant.file).pure);
  died.set(mutant.id, isKilled);
  console.error(`${place + 1} of ${chosen.length}: ${lineOf(mutant)}`);
}
const survivors = chosen.filter(({ id }) => died.get(id) === false);
for (const [place, mutant] of survivors.entries()) {
  died.set(mutant.id, await kills(mutant, related(mutant.file).outer, values.workers));
  console.error(`${place + 1} of ${survivors.length} survivors: ${lineOf(mutant)}`);
}
console.log(chosen.map(lineOf).sort().join('\n'));

if (before) {
  const gone = [...before].filter(([id]) => !died.has(id)).map(([, { line }]) => line);
  const lost = [...before].filter(([id, { killed }]) => killed && died.get(id) === false);
  console.log(`\n${gone.length} are gone with the code that they changed.\n${gone.join('\n')}`);
  console.log(
    `\n${lost.length} died before and survive now.\n${lost.map(([, { line }]) => line).join('\n')}`,
  );
  process.exitCode = lost.length > 0 ? 1 : 0;
}

function lineOf({ id, file, line, kind }: Mutant): string {
  return `${file}:${line} ${kind} ${died.get(id) === true ? 'killed' : 'survived'} ${id}`;
}

async function kills(mutant: Mutant, tests: readonly string[], workers?: string): Promise<boolean> {
  const path = join(copy, mutant.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, mutated(text, mutant));
  try {
    return !(await pass(tests, workers));
  } finally {
    writeFileSync(path, text);
  }
}

/** Whether these tests pass; a mutant under which they never end is noticed too. */
function pass(tests: readonly string[], workers = '1'): Promise<boolean> {
  if (tests.length === 0) return Promise.resolve(true);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const options = ['--project', 'tests', '--bail', '1', '--maxWorkers', workers, '--reporter', 'dot'];
  return new Promise((resolve) => {
    const run = spawn(process.execPath, [vitest, 'run', ...options, ...tests], {
      cwd: copy,
      stdio: 'ignore',
      timeout: 15 * 60_000,
    });
    run.once('exit', (code) => resolve(code === 0));
  });
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(copy, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(copy, join(entry.parentPath, entry.name)))
    .sort();
}

/** What an earlier run printed: the mutants by their ids, and whether they died. */
function readList(path: string): Map<string, { readonly line: string; readonly killed: boolean }> {
  if (!existsSync(path)) {
    console.error(`There is no list ${path}.`);
    process.exit(2);
  }
  const found = readFileSync(path, 'utf8').matchAll(/^\S+:\d+ \S+ (killed|survived) ([0-9a-f]{8})$/gm);
  return new Map(
    [...found].map(([line, outcome = '', id = '']) => [id, { line, killed: outcome === 'killed' }]),
  );
}

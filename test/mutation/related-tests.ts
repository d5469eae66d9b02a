import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { areaOf } from '../support/areas.ts';

/** Which tests of a checkout are about a source file, by what they import. */
export interface RelatedTests {
  /** Of the deciders and read models that import it, at most through one other file: they take a second. */
  readonly pure: readonly string[];
  /** Those that meet it from outside: pages, API and command line of its area, and others that import it. */
  readonly outer: readonly string[];
}

export function relatedTests(root: string): (file: string) => RelatedTests {
  const files = ['src', 'test'].flatMap((folder) => filesUnder(root, folder));
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const imported of importsOf(root, file))
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
  const tests = files.filter(isRun);

  return (file) => {
    const direct = importers.get(file) ?? [];
    const reached = new Set([...direct, ...direct.flatMap((each) => importers.get(each) ?? [])]);
    const area = areaOf(file);
    const pure = tests.filter((test) => ofDecisions.test(test) && reached.has(test));
    const outer = tests.filter(
      (test) =>
        !pure.includes(test) && (direct.includes(test) || (area !== undefined && areaOf(test) === area)),
    );
    return { pure, outer };
  };
}

const ofDecisions = /^test\/(commands|projections)\//;

/** By `npm test`. */
const isRun = (file: string): boolean =>
  /\.test\.ts$/.test(file) &&
  !/\.process\.test\.ts$/.test(file) &&
  !/^test\/(e2e|faults|browser|engines|mutation)\//.test(file);

const filesUnder = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();

const importsOf = (root: string, file: string): string[] =>
  ts
    .preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(file), name));

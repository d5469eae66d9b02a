import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';

import { guideFrom } from '../src/api/guides-markdown.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (file: string) => readFileSync(root + file, 'utf8');

/** A page names a test by its file and its name: `test/….test.ts` “what it says”. */
const citationsIn = (page: string) =>
  [...textOf(page).matchAll(/`(test\/[\w./-]+\.test\.ts)` “([^”]+)”/g)].map(([, file = '', name = '']) => ({
    file,
    name,
  }));

describe.each([
  ['docs/conformance.md', 50],
  ['docs/security.md', 9],
  ['docs/asvs.md', 100],
])('%s', (page, atLeast) => {
  it('names tests that exist', () => {
    const citations = citationsIn(page);
    expect(citations.length).toBeGreaterThan(atLeast);
    const missing = citations.filter(({ file, name }) => {
      if (!existsSync(root + file)) return true;
      const source = textOf(file);
      return !source.includes(`'${name}'`) && !source.includes(`\`${name}\``);
    });
    expect(missing).toEqual([]);
  });

  it('names no test in another form, which nobody would check', () => {
    const files = [...textOf(page).matchAll(/`test\/[\w./-]+\.test\.ts`(.{0,3})/g)];
    const loose = files.filter(
      ([text, behind = '']) => !behind.startsWith(' “') && !text.includes('citations'),
    );
    expect(loose.map(([text]) => text)).toEqual([]);
  });
});

it('the interface is cited by sections that docs/interface.md has', () => {
  const sections = new Set(
    [...textOf('docs/interface.md').matchAll(/^##+ ([\d.]+) /gm)].map(([, number]) => number),
  );
  const cited = ['src', 'test', 'docs'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|js|md)$/.test(file))
      .flatMap((file) =>
        [...textOf(`${folder}/${file}`).matchAll(/\binterface (\d+(?:\.\d+)?(?:, \d+(?:\.\d+)?)*)/g)].flatMap(
          ([, numbers = '']) => numbers.split(', ').map((number) => `${folder}/${file}: interface ${number}`),
        ),
      ),
  );
  expect(cited.length).toBeGreaterThan(80);
  // A rule of a section without parts is cited by its number: 5.2, 6.3.
  const missing = cited.filter((citation) => {
    const number = citation.replace(/^.* /, '');
    return !sections.has(number) && !/^[56]\.[1-7]$/.test(number);
  });
  expect(missing).toEqual([]);
});

describe('the table of the ASVS', () => {
  const table = textOf('docs/asvs.md');

  it('has every chapter, in order', () => {
    const chapters = [...table.matchAll(/^## V(\d+) /gm)].map(([, number]) => Number(number));
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
  });

  it('says of every section whether it is met, and by which test or for which reason', () => {
    const rows = [...table.matchAll(/^\| (\d+\.\d+[^|]*) \| ([^|]+) \| (.+) \|$/gm)].map((row) =>
      row.slice(1).map((cell) => cell.trim()),
    );
    expect(rows.length).toBeGreaterThan(50);
    for (const [section, state, why = ''] of rows) {
      expect([section, state]).toEqual([
        section,
        expect.stringMatching(/^(met|partly|not met: [\d., ]+|not tested|does not apply|level 3)$/),
      ]);
      // What is said to be met has a test; everything else says in words why it is not.
      if (state === 'met') expect([section, why]).toEqual([section, expect.stringContaining('“')]);
      else expect([section, why]).toEqual([section, expect.stringMatching(/[A-Z][^.]+\./)]);
    }
  });
});

describe('links of the guides and of the README', () => {
  const pages = [
    'README.md',
    ...readdirSync(`${root}docs`)
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
  ];
  const headings = new Map(pages.map((page) => [page, guideFrom(textOf(page)).sections.map(({ id }) => id)]));

  it.each(pages)('%s leads to files and headings that there are', (page) => {
    const html = MarkdownIt().render(textOf(page)) + textOf(page).replace(/^```[^]*?^```$/gm, '');
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => decodeURI(link));
    const gone = links.filter((link) => {
      if (/^(https?|mailto):/.test(link)) return false;
      const [file = '', place] = link.split('#');
      const path = file === '' ? page : join(dirname(page), file);
      if (!existsSync(root + path)) return true;
      return place !== undefined && headings.has(path) && !headings.get(path)?.includes(place);
    });
    expect(gone).toEqual([]);
  });
});

it('docs/architecture.md and docs/internals.md name files of src that exist: questions are answered by a name', () => {
  const named = ['docs/architecture.md', 'docs/internals.md'].flatMap((page) =>
    [...textOf(page).matchAll(/`([a-z][\w-]*\/[\w/.-]+\.(?:tsv?|js))`/g)].map(([, file = '']) => file),
  );
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(
    (file) => !/^(src|test|scripts)\//.test(file) && !existsSync(`${root}src/${file}`),
  );
  expect(missing).toEqual([]);
});

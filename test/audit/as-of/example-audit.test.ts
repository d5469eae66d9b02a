import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { leakKey, type LeakedKey } from './leaked-key.ts';

const page = readFileSync(new URL('../../../docs/example-audit.md', import.meta.url), 'utf8');
const folder = temporaryFolder();
let known: LeakedKey;

beforeAll(async () => {
  known = await leakKey(folder.path);
});
afterAll(() => folder.remove());

const section = page.split('# Example audit')[1] ?? '';
/** The key of the run that the page shows. */
const keyOnPage = 'xwYnXeQB1nN9';

/** The commands of the section, as they stand on the page, each with what the page says that it prints. */
const commands = [...section.matchAll(/^```sh\ncommonweal (.+)\n```\n\n```text\n([^`]+)```/gm)].map(
  ([, words = '', printed = '']) => ({ words, printed }),
);

/** What differs from run to run: times, days, ids, ports and hashes. Columns are as wide as the ids in them. */
const varying = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/^\d{4}-\d\d-\d\d(?= )/gm, 'DAY'],
  [/\b[0-9a-f]{8}-(…|[0-9a-f]{4}-[0-9a-f-]{22})/g, 'UUID'],
  [/\br_[0-9a-f]{16}/g, 'RESOURCE'],
  [/localhost:\d+/g, 'localhost:PORT'],
  [/^[\w+/]{12}(…|[\w+/]{31}=)$/gm, 'HASH'],
  [/(?<=log )[\w+/]{12}(…|[\w+/]+=*)$/gm, 'SIGNATURE'],
  [/ +/g, ' '],
] as const;
const steady = (text: string): string =>
  varying.reduce((so, [pattern, name]) => so.replace(pattern, name), text.trim());

it('the example audit of docs/example-audit.md can be followed, and its commands print what stands on the page', async () => {
  expect(commands).toHaveLength([...section.matchAll(/^commonweal /gm)].length);
  for (const { words, printed } of commands) {
    const filled = words.replace(/\$([A-Z]+)/g, (_, name: keyof LeakedKey) => known[name]);
    const { code, stdout, stderr } = await runCommandLine(filled.split(' '), folder.path);
    expect(code, `${words}: ${stderr}`).toBe(0);
    const expected = steady(printed.replaceAll(keyOnPage, known.KEY))
      .replaceAll('in …,', `in ${known.FOLDER},`)
      .replaceAll('webhook-delivery-…', 'webhook-delivery-UUID');
    expect(steady(stdout), words).toContain(expected);
  }
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../../support/command-line.ts';
import { runCommand } from '../../support/serving.ts';
import { temporaryFolder } from '../../support/folder.ts';

const page = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8');
const folder = temporaryFolder();
const known: Record<string, string> = {};

beforeAll(async () => {
  const run = (...words: string[]) => runCommand(folder.path, ...words);
  await run('teams', 'create', 'harbour', '--name', 'Harbour House');
  const made = await run(
    'keys',
    'create',
    '--kind',
    'team',
    '--team',
    'harbour',
    '--scopes',
    'resources:read',
  );
  known['KEY'] = (made as { key_id: string }).key_id;
  known['BEFORE'] = new Date().toISOString();
  await run('keys', 'revoke', known['KEY']);
  known['NOW'] = new Date().toISOString();
}, 60_000);
afterAll(() => folder.remove());

/** The commands of the section, as they stand on the page. */
const commands = [...(page.split('## Example audit')[1] ?? '').matchAll(/^commonweal (.+)$/gm)].map(
  ([, words = '']) => words,
);

it('the example audit of docs/audit.md can be followed, and its commands say what the page says', async () => {
  const said: string[] = [];
  for (const command of commands) {
    const words = command.replace(/\$([A-Z]+)/g, (_, name: string) => known[name] ?? '').split(' ');
    const { code, stdout, stderr } = await runCommandLine(words, folder.path);
    expect(code, `${command}: ${stderr}`).toBe(0);
    said.push(stdout);
  }
  const [stream = '', before = '', now = '', , directory = '', asked = ''] = said;
  expect(stream).toContain('ApiKeyCreated');
  expect(stream).toContain('not valid, revoked');
  expect(before).toContain(known['KEY']);
  expect(now).toContain('None.');
  expect(directory).toContain('0 approved');
  expect(asked.match(/AuditQueried/g)).toHaveLength(5);
}, 60_000);

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandLine } from '../../src/cli/command-line.ts';
import { commands } from '../../src/cli/program.ts';
import { startDashboard, type Dashboard } from '../api/accounts/harness.ts';

const text = readFileSync(new URL('../../docs/dashboard.md', import.meta.url), 'utf8');

/** The commands of the table below a heading, which may share a row, and what stands beside them. */
function rowsBelow(heading: string): [command: string, beside: string][] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\| (`[^|]+?)\s*\| (.*?)\s*\|$/gm)].flatMap(([, row = '', beside = '']) =>
    [...row.matchAll(/`([^`]+)`/g)].map(([, command = '']): [string, string] => [command, beside]),
  );
}

const inBrowser = rowsBelow('What the command line has, and where it is here');
const inTerminal = rowsBelow('Only on the command line');

/** Commands are described without being run. */
const unused = {} as CommandLine;

/** Commands that can be run: those without others below them, and those that take arguments of their own. */
const leaves = (command: Command, name: string): string[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [name] : []),
  ...command.commands.flatMap((each) => leaves(each, `${name} ${each.name()}`)),
];

describe('the table of what the command line has', () => {
  let dash: Dashboard;
  beforeAll(async () => {
    dash = await startDashboard();
  });
  afterAll(() => dash.stop());

  test('names every command once: with its page, or with why it has none', async () => {
    const made = await Promise.all(Object.values(commands).map((make) => make(unused)));
    const all = made.flatMap((command) => leaves(command, command.name()));
    expect([...inBrowser, ...inTerminal].map(([command]) => command).sort()).toEqual(all.sort());
    for (const [command, why] of inTerminal) expect(why.length, command).toBeGreaterThan(10);
  });

  test('leads to pages that there are', async () => {
    const admin = await dash.account({ role: 'administrator' });
    await dash.member('harbour', admin, 'admin');
    const browser = await dash.signedIn(admin);
    const paths = new Set(inBrowser.flatMap(([, pages]) => pages.match(/\/dash[\w/{}-]*/g) ?? []));
    expect(paths.size).toBeGreaterThan(5);
    for (const path of paths) {
      if (path.includes('{')) continue;
      expect((await browser.open(path)).status, path).toBe(200);
    }
    for (const [command, pages] of inBrowser) expect(pages, command).toContain('/dash');
  });
});

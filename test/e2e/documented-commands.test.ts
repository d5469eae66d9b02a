import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'src/main.js');
const run = promisify(execFile);

/** Those for whoever reads the directory or builds on it, in the order in which they are read. */
const pages = [
  'README.md',
  ...['first-call', 'sign-in', 'export', 'widget', 'forms'].map((name) => `docs/${name}.md`),
];

/** Commands that are not run here, with the reason. */
const exceptions: readonly (readonly [why: string, command: RegExp])[] = [
  ['installs the dependencies, and serves or tests, as CI does', /^npm ci && /],
  ['needs containers; test/deploy.test.ts holds what they need', /docker compose/],
  ['goes on until Ctrl-C, so the test of the README runs it beside the others', /webhooks listen/],
  ['needs an answer to a form; test/cli/forms.test.ts runs it', /forms (state|erase|mails) |\$FORM/],
];

const folder = temporaryFolder();
/** Where the commands of a page are typed. */
let work = folder.path;
let server: Serving;
/** What stands for the placeholders, from what commands have printed. */
const filled = new Map<string, string>();

/** Runs a command as a shell does, beside the server. `npm run` starts the program without npm, which takes half a second. */
const shell = (command: string) => ({
  file: 'sh',
  words: [
    '-c',
    command.replaceAll(/api_pk_…|r_…|\$KEY|http:\/\/localhost:3000/g, (found) => filled.get(found) ?? found),
  ],
  options: {
    cwd: work,
    env: {
      PATH: [join(folder.path, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
      DATA_DIR: join(folder.path, 'data'),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    },
  },
});

async function printed(command: string): Promise<string> {
  const { file, words, options } = shell(command.replace(/^curl /, 'curl --fail-with-body -sS '));
  const { stdout } = await run(file, words, options);
  for (const [, key = ''] of stdout.matchAll(/(api_pk_[0-9A-Za-z]{50})/g)) filled.set('api_pk_…', key);
  for (const [, id = ''] of stdout.matchAll(/\b(r_[0-9a-f]{16})\b/g)) filled.set('r_…', id);
  return stdout;
}

/** The commands of a page: lines of its examples for a shell, with those that they are continued by. */
const commandsOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line !== ''),
  );

const isRun = (command: string): boolean => !exceptions.some(([, those]) => those.test(command));

beforeAll(async () => {
  mkdirSync(join(folder.path, 'bin'));
  const npm = join(folder.path, 'bin', 'npm');
  const node = `exec '${process.execPath}' '${main}'`;
  writeFileSync(
    npm,
    `#!/bin/sh\ncase "$1 $2" in\n"run demo") ${node} demo;;\n"run cli") shift 3; ${node} "$@";;\nesac\nexit 1\n`,
  );
  chmodSync(npm, 0o755);
  work = folderFor('first');
  server = await startServing(join(folder.path, 'data'));
  filled.set('http://localhost:3000', server.origin);
  await printed('npm run cli -- teams create harbour --name Harbour');
  await printed('npm run cli -- teams scopes harbour --enable forms:read');
  const key = await printed('npm run cli -- keys create --kind team --team harbour --scopes forms:read');
  filled.set('$KEY', /api_tk_[0-9A-Za-z]{50}/.exec(key)?.[0] ?? '');
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** A folder with the files that the guides name. */
function folderFor(page: string): string {
  const own = join(folder.path, page.replaceAll('/', '-'));
  cpSync(join(root, 'examples/directory'), join(own, 'path/to/datapackage'), { recursive: true });
  const [, form = ''] = /```json\n([^]*?)```/.exec(readFileSync(join(root, 'docs/forms.md'), 'utf8')) ?? [];
  writeFileSync(join(own, 'volunteers.json'), form);
  return own;
}

describe('what a reader types', () => {
  test.each(pages)('as %s writes it works', async (page) => {
    const commands = commandsOf(page).filter(isRun);
    work = folderFor(page);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands)
      await expect(printed(command), command).resolves.toEqual(expect.any(String));
  });

  test('at a laptop as the README writes it prints the webhook', async () => {
    const [subscribe = '', listen = '', submit = '', approve = ''] = commandsOf('README.md').filter(
      (command) => /test-receiver|webhooks listen|resources (submit|approve)/.test(command),
    );
    await printed(subscribe);
    const { file, words, options } = shell(listen);
    // In a group of its own: the shell starts npm, and npm the program, which all end together.
    const listening = spawn(file, words, { ...options, detached: true });
    const ended = once(listening, 'close');
    let output = '';
    for (const stream of [listening.stdout, listening.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    try {
      await until(() => output.includes('Listening'));
      await printed(submit);
      await printed(approve);
      await until(() => output.includes('resource.approved') && output.includes('Corner Pantry'));
    } finally {
      if (listening.exitCode === null) process.kill(-(listening.pid ?? 0), 'SIGTERM');
      await ended;
    }
  });

  test('is left out here for a reason that still holds', () => {
    const all = pages.flatMap(commandsOf);
    for (const [why, those] of exceptions)
      expect(
        all.some((command) => those.test(command)),
        why,
      ).toBe(true);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/config.ts';
import { stopWithinMs } from '../src/runtime/operators/stopping.ts';
import { temporaryFolder } from './support/folder.ts';
import { settingNames } from './support/setting-names.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const unitText = textOf('deploy/systemd/commonweal.service');
const secretsText = textOf('deploy/systemd/secrets.conf');
const guide = textOf('docs/operations.md');

type Section = ReadonlyMap<string, readonly string[]>;

/** The sections of a unit, each with its directives and their values in order (systemd.syntax(7)). */
function unitOf(text: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Map<string, string[]>>();
  let section: Map<string, string[]> | undefined;
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, heading] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (heading !== undefined) {
      expect([...sections.keys()]).not.toContain(heading);
      sections.set(heading, (section = new Map<string, string[]>()));
      continue;
    }
    const [, name = '', value = ''] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    expect([line, name]).toEqual([line, expect.stringMatching(/./)]);
    section?.set(name, [...(section.get(name) ?? []), value]);
  }
  return sections;
}

const service = unitOf(unitText).get('Service') ?? new Map<string, readonly string[]>();
const only = (name: string): string => {
  const values = service.get(name) ?? [];
  expect([name, values]).toEqual([name, [expect.any(String)]]);
  return values[0] ?? '';
};
/** The variables that a section sets. */
const environmentOf = (section: Section): Record<string, string> =>
  Object.fromEntries(
    (section.get('Environment') ?? []).map((each): [string, string] => {
      const at = each.indexOf('=');
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );

const compose = parse(textOf('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<
    Record<string, { readonly stop_grace_period?: string; readonly mem_limit?: string }>
  >;
};

/** Why `systemd-analyze` cannot look at a unit here; undefined when it can. */
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
const analyzed = hasAnalyze ? '' : ' (skipped: systemd-analyze is not on this machine)';

describe('the systemd unit', () => {
  it('has each directive once, but those that add up', () => {
    const repeated = [...unitOf(unitText).values()].flatMap((section) =>
      [...section]
        .filter(([name, values]) => values.length > 1 && name !== 'Environment')
        .map(([name]) => name),
    );
    expect(repeated).toEqual([]);
  });

  it('sets variables that exist, in a form that is taken', () => {
    const secrets = unitOf(secretsText).get('Service') ?? new Map<string, readonly string[]>();
    const named = { ...environmentOf(service), ...environmentOf(secrets) };
    const settings = settingNames();
    const unknown = Object.keys(named).filter((name) => !name.startsWith('NODE_') && !settings.has(name));
    expect(unknown).toEqual([]);
    expect(Object.keys(named).length).toBeGreaterThan(4);
    expect(readConfig(environmentOf(service)).dataDir).toBe(`/var/lib/${only('StateDirectory')}`);
    expect(environmentOf(service)['NODE_COMPILE_CACHE']).toBe(`/var/cache/${only('CacheDirectory')}`);
  });

  it('reads each secret from a credential that it loads, and has none in the environment', () => {
    const secrets = unitOf(secretsText).get('Service') ?? new Map<string, readonly string[]>();
    const loaded = (secrets.get('LoadCredential') ?? []).map((each) => each.split(':')[0] ?? '');
    expect(loaded.length).toBeGreaterThan(1);
    expect(environmentOf(secrets)).toEqual(
      Object.fromEntries(
        loaded.map((name) => [`${name.toUpperCase().replaceAll('-', '_')}_FILE`, `%d/${name}`]),
      ),
    );
    expect(guide).toContain('deploy/systemd/secrets.conf');
  });

  it('starts the server as the image does', () => {
    const [, flags = ''] = /^ENTRYPOINT \["node", (.*), "src\/main\.js"\]$/m.exec(textOf('Dockerfile')) ?? [];
    const words = flags.split(', ').map((flag) => JSON.parse(flag) as string);
    expect(only('ExecStart')).toBe(`/usr/bin/node ${words.join(' ')} src/main.js serve`);
    expect(only('NoNewPrivileges')).toBe('yes');
    expect(only('ProtectSystem')).toBe('strict');
    expect(only('User')).toBe('commonweal');
    expect(only('CapabilityBoundingSet')).toBe('');
  });

  it('stops it in the time and within the memory that the compose file gives', () => {
    const nodes = ['api-1', 'projector', 'dispatcher'].map((name) => compose.services[name]);
    for (const node of nodes) expect(only('TimeoutStopSec')).toBe(node?.stop_grace_period);
    expect(parseInt(only('TimeoutStopSec')) * 1_000).toBeGreaterThan(stopWithinMs);
    // One process has all roles here, and each role has a limit of its own there.
    const megabytes = (text: string) => Number(/^(\d+)[mM]$/.exec(text)?.[1]);
    const limits = nodes.map((node) => megabytes(node?.mem_limit ?? ''));
    expect(megabytes(only('MemoryMax'))).toBeGreaterThanOrEqual(Math.max(...limits));
    expect(megabytes(only('MemoryMax'))).toBeLessThanOrEqual(limits.reduce((sum, each) => sum + each, 0));
    expect(guide).toContain(`\`MemoryMax=${only('MemoryMax')}\``);
  });

  it.skipIf(!hasAnalyze)(`is found right by systemd-analyze verify, with its drop-in${analyzed}`, () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const path = join(folder.path, 'commonweal.service');
    // The program has another place here, and a missing one is a finding.
    const here = (text: string) => text.replace('/usr/bin/node', process.execPath);
    writeFileSync(path, here(unitText));
    mkdirSync(`${path}.d`);
    writeFileSync(join(`${path}.d`, 'secrets.conf'), secretsText);
    const verified = () => {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
        encoding: 'utf8',
        env: { ...process.env, SYSTEMD_LOG_LEVEL: 'notice' },
      });
      // Other units of the machine are loaded with it, and may have faults of their own.
      return {
        status,
        about: `${stdout}${stderr}`.split('\n').filter((line) => line.includes('commonweal')),
      };
    };
    expect(verified()).toEqual({ status: 0, about: [] });
    // It does look at directives: a mistyped one is named.
    writeFileSync(path, here(unitText).replace('StateDirectory=', 'StateDirectroy='));
    expect(verified().about.join()).toMatch(/Unknown key (name )?'StateDirectroy'/);
  });

  it.skipIf(!hasAnalyze)(`is exposed little, by systemd-analyze security${analyzed}`, () => {
    const path = join(root, 'deploy/systemd/commonweal.service');
    const { stdout, status, stderr } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--threshold=25', '--no-pager', path],
      { encoding: 'utf8' },
    );
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  });
});

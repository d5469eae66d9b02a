import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
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

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly privileged?: boolean;
  readonly network_mode?: string;
  readonly security_opt?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
  readonly mem_limit?: string;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, object>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const composeText = textOf('docker-compose.yml');
const compose = parse(composeText, { merge: true }) as Compose;
const services = Object.entries(compose.services);
const dockerfile = textOf('Dockerfile');
/** What operators read about the compose file and the settings. */
const guides = textOf('docs/compose.md') + textOf('docs/settings.md');
const manifest = JSON.parse(textOf('package.json')) as {
  version: string;
  devDependencies: Record<string, string>;
};

/** Ours run the image that our Dockerfile makes. */
const isOurs = ([, { build }]: (typeof services)[number]) => build !== undefined;
/** Those that end by themselves: somebody waits for that, or somebody starts them by hand. */
const oneShot = new Set([
  'cli',
  'mongodb-members',
  ...services.flatMap(([, { depends_on = {} }]) =>
    Object.entries(depends_on)
      .filter(([, { condition }]) => condition === 'service_completed_successfully')
      .map(([name]) => name),
  ),
]);
/** Named between backticks. */
const explained = (name: string) => quoted.some((words) => words.includes(name));
const quoted = [...guides.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text.split(/\s+/));

const exactTag = /^[a-z0-9-]+(\/[a-z0-9-]+)?:v?\d+\.\d+\.\d+(-[a-z-]+)?$/;

describe('the compose file', () => {
  it('takes every image by an exact version, and names no registry', () => {
    expect(services.map(([, { image }]) => image).filter((image) => !exactTag.test(image))).toEqual([]);
  });

  it('has one version of each image', () => {
    const versions = Map.groupBy(
      new Set(services.map(([, { image }]) => image)),
      (image) => image.split(':')[0],
    );
    expect([...versions.values()].filter((each) => each.length > 1)).toEqual([]);
  });

  it('calls our image by the version of the package', () => {
    const images = new Set(services.filter(isOurs).map(([, { image }]) => image));
    expect([...images]).toEqual([`commonweal:${manifest.version}`]);
  });

  it('is tested with the servers that it runs', () => {
    const containers = textOf('test/support/containers.ts');
    for (const name of ['eventstore', 'mongodb']) {
      expect(containers).toContain(`'${compose.services[name]?.image ?? name}'`);
    }
  });

  it('publishes ports on the loopback alone', () => {
    const ports = services.flatMap(([, { ports: published = [] }]) => published);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(services.filter(([, { network_mode: mode }]) => mode === 'host')).toEqual([]);
  });

  it('keeps the stores on a network without a way in or out', () => {
    expect(compose.networks['stores']?.internal).toBe(true);
    const stores = services.filter(([, { image }]) => /^(eventstore\/eventstore|mongo):/.test(image));
    expect(stores.length).toBeGreaterThan(1);
    for (const [name, { networks, ports }] of stores) {
      expect([name, networks, ports]).toEqual([name, ['stores'], undefined]);
    }
  });

  it('lets our nodes reach what settings may name outside, and write where settings may name a file', () => {
    // Mail, proofs of domains, webhooks, and checkpoints, each sent by another role.
    for (const [name, { networks = [], volumes = [], read_only }] of services.filter(isOurs)) {
      const out = networks.filter((network) => compose.networks[network]?.internal !== true);
      expect([name, out]).toEqual([name, ['front']]);
      if (read_only === true)
        expect([name, volumes]).toEqual([name, expect.arrayContaining(['backups:/backups'])]);
    }
    const notes = textOf('.env.example').split(/(?<==.*)\n/);
    for (const setting of ['BACKUP_DIR', 'ERASURE_LEDGER', 'CHECKPOINT_PUSH']) {
      const note = notes.find((each) => each.includes(`\n${setting}=`) || each.startsWith(`${setting}=`));
      expect([setting, note]).toEqual([
        setting,
        expect.stringMatching(/[Ww]ith the compose file.*\/backups/s),
      ]);
    }
  });

  it('gives our nodes settings that exist, in a form that is taken', () => {
    const known = settingNames();
    for (const [name, { environment = {} }] of services.filter(isOurs)) {
      expect([name, Object.keys(environment).filter((variable) => !known.has(variable))]).toEqual([name, []]);
      const named = interpolated(environment, { ADMIN_EMAIL: 'operator@example.org' });
      const config = readConfig({ ...named, ...secretFiles() });
      expect(config.roles).toEqual([environment['ROLES']]);
      expect(config.baseUrl).toBe('http://localhost:3000');
    }
  });

  it('lets every setting be chosen that it does not fix itself', () => {
    const fixed = [
      ...['HOST', 'PORT', 'DATA_DIR', 'ROLES', 'TRUST_PROXY', 'DRAIN_SECONDS'],
      ...[
        'MASTER_KEY',
        'MASTER_KEY_PREVIOUS',
        'EVENTSTORE_URL',
        'MONGODB_URL',
        'SMTP_URL',
        'ADMIN_PASSWORD',
        'METRICS_TOKEN',
        'AUDIT_PUSH_KEY',
      ],
    ];
    const choosable = [...settingNames()].filter((name) => !fixed.includes(name.replace(/_FILE$/, '')));
    expect(choosable).toContain('SESSION_SECONDS');
    const { environment = {} } = compose.services['api-1'] ?? {};
    for (const name of choosable) {
      expect([name, String(environment[name])]).toEqual([name, expect.stringMatching(`^\\$\\{${name}:-`)]);
    }
  });

  it('gives every secret of a setting as a file', () => {
    const { environment = {}, secrets = [] } = compose.services['api-1'] ?? {};
    const files = [...settingNames()].filter((name) => name.endsWith('_FILE'));
    expect(files).toEqual(
      expect.arrayContaining(['MASTER_KEY_FILE', 'SMTP_URL_FILE', 'ADMIN_PASSWORD_FILE']),
    );
    for (const name of files) {
      expect(secrets).toContain(name.replace(/_FILE$/, '').toLowerCase());
      expect(environment[name]).toContain(`/run/secrets/${name.replace(/_FILE$/, '').toLowerCase()}`);
    }
  });

  it('takes the first administrator from .env and the password from its file', () => {
    const { environment = {} } = compose.services['api-1'] ?? {};
    const files = secretFiles();
    const named = interpolated(environment, { ADMIN_EMAIL: 'operator@example.org' });
    expect(named['ADMIN_PASSWORD_FILE']).toBe('/run/secrets/admin_password');
    const { administrator } = readConfig({ ...named, ...files });
    expect(administrator).toEqual({ email: 'operator@example.org', password: 'quiet herons wading' });
    const { ADMIN_PASSWORD_FILE: _, ...others } = files;
    expect(readConfig({ ...interpolated(environment), ...others }).administrator).toBeUndefined();
  });

  it('mails to the catcher until secrets/smtp-url names another server', () => {
    const [, catcher] = /make smtp-url echo '(.*)'/.exec(textOf('deploy/secrets.sh')) ?? [];
    expect(catcher).toBe('smtp://mail:1025');
    expect(compose.services['mail']?.networks).toEqual(['front']);
    expect(compose.services['api-1']?.networks).toContain('front');
  });

  it('bounds the memory of every service, as the guide says', () => {
    for (const [name, { mem_limit: limit = 'nothing' }] of services) {
      expect([name, limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, explained(limit)]).toEqual([name, true]);
    }
  });

  it('takes from the surroundings only settings that .env.example names', () => {
    const taken = [...composeText.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, variable]) => variable);
    const offered = new Set(
      [...textOf('.env.example').matchAll(/^(\w+)=/gm)].map(([, variable]) => variable),
    );
    expect(taken.filter((variable) => !offered.has(variable))).toEqual([]);
  });

  it('runs every role, the APIs twice, and a standby for each worker in the cluster profile', () => {
    const rolesIn = (profile: string | undefined) =>
      services
        .filter(([name, { profiles }]) => isOursByName(name) && profiles?.[0] === profile)
        .map(([, { environment = {} }]) => environment['ROLES'])
        .sort();
    expect(rolesIn(undefined)).toEqual(['api', 'api', 'dispatcher', 'projector']);
    expect(rolesIn('cluster')).toEqual(['dispatcher', 'projector']);
  });

  it('lets nodes drain for longer than the proxy takes to notice, and ends none before it has', () => {
    const [, seconds] = /health_interval (\d+)s/.exec(textOf('deploy/proxy/Caddyfile')) ?? [];
    for (const name of ['api-1', 'api-2']) {
      const { environment = {}, stop_grace_period: grace = '0s' } = compose.services[name] ?? {};
      const drain = Number(environment['DRAIN_SECONDS']);
      expect(drain).toBeGreaterThan(2 * Number(seconds));
      expect(parseInt(grace)).toBeGreaterThan(drain + stopWithinMs / 1_000);
    }
  });

  it('gives every node of ours the time that its stop may take', () => {
    for (const [name, { stop_grace_period: grace = '0s', environment = {} }] of services.filter(isOurs)) {
      expect([name, grace]).toEqual([name, expect.stringMatching(/^\d+s$/)]);
      const drain = Number(environment['DRAIN_SECONDS'] ?? 0);
      expect(parseInt(grace)).toBeGreaterThan(drain + stopWithinMs / 1_000);
    }
  });

  it('sends the proxy to the nodes that there are', () => {
    const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(textOf('deploy/proxy/Caddyfile')) ?? [];
    expect(upstreams.split(' ')).toEqual(['api-1:3000', 'api-2:3000']);
    expect(Object.keys(compose.services['proxy']?.depends_on ?? {})).toEqual(['api-1', 'api-2']);
  });

  it('watches the health of every service that goes on', () => {
    const unwatched = services.filter(([name, { healthcheck, build }]) => {
      const watched = build === undefined ? healthcheck !== undefined : dockerfile.includes('\nHEALTHCHECK ');
      return !watched && !oneShot.has(name);
    });
    expect(unwatched.map(([name]) => name)).toEqual([]);
  });

  it('says of every service when it is started again', () => {
    for (const [name, { restart }] of services) {
      const expected = name === 'cli' ? 'no' : oneShot.has(name) ? 'on-failure' : 'unless-stopped';
      expect([name, restart]).toEqual([name, expected]);
    }
  });

  it('makes everybody wait for services that there are, in a way that can be met', () => {
    for (const [name, { depends_on = {} }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const expected = oneShot.has(other) ? 'service_completed_successfully' : 'service_healthy';
        expect([name, other, condition]).toEqual([name, other, expected]);
        // Who runs always could not wait for somebody who runs only at times.
        const profiles = compose.services[other]?.profiles;
        if (profiles) expect([name, compose.services[name]?.profiles]).toEqual([name, profiles]);
      }
    }
  });

  it('gives nobody more rights than needed', () => {
    for (const [name, service] of services) {
      expect([name, service.privileged, service.cap_drop, service.security_opt, service.read_only]).toEqual([
        name,
        undefined,
        ['ALL'],
        ['no-new-privileges:true'],
        true,
      ]);
      expect((service.volumes ?? []).filter((volume) => volume.includes('docker.sock'))).toEqual([]);
    }
  });

  it('has every secret in a file under ./secrets, and none in a variable', () => {
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\/[a-z-]+$/);
    const variables = services.flatMap(([, { environment = {} }]) => Object.entries(environment));
    const secret = variables.filter(
      ([name, value]) =>
        (/PASSWORD|SECRET|(MASTER|API)_KEY|_URL/.test(name) || /:\/\/[^/]*@/.test(String(value))) &&
        !/^(\$\{\w+:\+)?\/run\/secrets\//.test(String(value)) &&
        name !== 'BASE_URL' &&
        name !== 'AUTH_URL',
    );
    expect(secret).toEqual([]);
    const used = new Set(services.flatMap(([, { secrets = [] }]) => secrets));
    expect([...used].sort()).toEqual(Object.keys(compose.secrets).sort());
  });

  it('keeps secrets out of version control', () => {
    expect(textOf('.gitignore').split('\n')).toContain('secrets/');
  });

  it('sends the engine nothing but what the image holds', () => {
    const [first, ...allowed] = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(allowed.sort()).toEqual([
      '!LICENSE',
      '!docs',
      '!examples',
      '!package-lock.json',
      '!package.json',
      '!src',
    ]);
  });

  it('gives file systems in memory to whoever writes there', () => {
    const owned = services.flatMap(([name, { user, tmpfs = [] }]) =>
      tmpfs
        .filter((mount) => !/^\/(tmp|config)$/.test(mount))
        .map((mount) => [name, mount, user?.split(':')[0] ?? '1000'] as const),
    );
    expect(owned.length).toBeGreaterThan(5);
    for (const [name, mount, user] of owned)
      expect([name, mount]).toEqual([name, expect.stringContaining(`uid=${user},`)]);
  });

  it('mounts files that are there and volumes that are declared', () => {
    for (const volume of services.flatMap(([, { volumes = [] }]) => volumes)) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./')) expect([source, existsSync(join(root, source))]).toEqual([source, true]);
      else expect(Object.keys(compose.volumes)).toContain(source);
    }
  });

  it('is explained: every service, image, port, variable, volume, network and secret', () => {
    const names = [
      ...services.flatMap(([name, { image, environment = {} }]) => [
        name,
        image,
        ...Object.keys(environment),
      ]),
      ...services
        .flatMap(([, { ports = [] }]) => ports)
        .map((port) => port.replace(/\$\{\w+:-(\d+)\}/, '$1').replace(/:\d+$/, '')),
      ...Object.keys(compose.volumes).filter((name) => name !== 'eventstore-2-data'),
      ...Object.keys(compose.networks),
      ...Object.values(compose.secrets).map(({ file }) => file.slice(2)),
      /^FROM (\S+)/m.exec(dockerfile)?.[1] ?? 'no base image',
    ];
    expect(names.filter((name) => !explained(name))).toEqual([]);
  });
});

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
describe.skipIf(!hasCompose)('docker compose, where it is installed,', () => {
  it.each([[[]], [['--profile', 'cluster']], [['--profile', '*']]])('accepts the file with %j', (profile) => {
    const { status, stderr } = spawnSync('docker', ['compose', ...profile, 'config', '--quiet'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('the image', () => {
  const stages = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);

  it('stands, in each stage, on the Node that the tests run on', () => {
    expect(stages).toEqual(Array(2).fill(`node:${manifest.devDependencies['node'] ?? ''}-bookworm-slim`));
  });

  it('runs without root, tells its health, and ends when it is told to', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER 1000:1000$/m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toMatch(
      /^ENTRYPOINT \["node", "--min-semi-space-size=4", "--max-semi-space-size=8", "src\/main\.js"\]\nCMD \["serve"\]$/m,
    );
    expect(last).toContain(`org.opencontainers.image.version="${manifest.version}"`);
  });

  it('copies nothing but what is sent to the engine', () => {
    const sent = textOf('.dockerignore');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) =>
      from.split(' '),
    );
    expect(copied.length).toBeGreaterThan(3);
    for (const file of copied) expect(sent).toContain(`!${file}\n`);
    // What the service reads beside its code: its guides, and the example to import.
    expect(copied).toEqual(expect.arrayContaining(['docs', 'examples', 'src']));
  });

  it('asks itself for its health in a way that answers', async () => {
    const [, check = '[]'] = /^ +CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const [, ...argv] = JSON.parse(check) as string[];
    let status = 200;
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const exit = () =>
      new Promise<number | null>((resolve) =>
        spawn(process.execPath, argv, { env: { ...process.env, PORT: String(port) } }).once('exit', resolve),
      );
    expect(await exit()).toBe(0);
    status = 503;
    expect(await exit()).toBe(1);
    server.close();
    server.closeAllConnections();
    expect(await exit()).toBe(1);
    expect(asked).toEqual(['/healthz', '/healthz']);
  });
});

describe('deploy/secrets.sh', () => {
  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

  it.skipIf(!hasOpenssl)('makes every secret, for its owner, and keeps what is there', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'deploy'));
    writeFileSync(join(folder, 'deploy', 'secrets.sh'), textOf('deploy/secrets.sh'));
    const run = (...mode: string[]) =>
      spawnSync('sh', [join(folder, 'deploy', 'secrets.sh'), ...mode]).status;
    const secrets = join(folder, 'secrets');
    const all = () =>
      Object.fromEntries(
        readdirSync(secrets).map((name) => [name, readFileSync(join(secrets, name), 'utf8').trim()]),
      );

    expect(run()).toBe(0);
    const first = all();
    expect(Object.keys(first).sort()).toEqual(
      Object.values(compose.secrets)
        .map(({ file }) => file.replace('./secrets/', ''))
        .sort(),
    );
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    for (const name of Object.keys(first)) expect(statSync(join(secrets, name)).mode & 0o777).toBe(0o444);
    expect(settingsOf(secrets).eventStoreUrl).toBe('esdb://eventstore:2113?tls=false');

    expect(run('cluster')).toBe(0);
    const second = all();
    const changed = Object.keys(first).filter((name) => first[name] !== second[name]);
    expect(changed.sort()).toEqual(['eventstore-url', 'mongodb-url']);
    const hosts = /@([^?]*)\?/.exec(settingsOf(secrets).eventStoreUrl ?? '')?.[1]?.split(',') ?? [];
    expect(hosts).toEqual(['eventstore-1:2113', 'eventstore-2:2113', 'eventstore-3:2113']);
    for (const host of hosts) expect(Object.keys(compose.services)).toContain(host.split(':')[0]);

    expect(run()).toBe(0);
    expect(all()).toEqual(first);
    expect(run('elsewhere')).toBe(2);
  });
});

function isOursByName(name: string): boolean {
  return compose.services[name]?.build !== undefined && name !== 'cli';
}

/** As Compose fills them in from the surroundings. */
function interpolated(
  environment: Readonly<Record<string, string | number>>,
  surroundings: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const fill = (text: string): string => {
    const filled = text.replace(
      /\$\{(\w+):([-+])([^${}]*)\}/g,
      (_, name: string, kind: string, words: string) => {
        const given = surroundings[name] ?? '';
        return kind === '+' ? (given === '' ? '' : words) : given || words;
      },
    );
    return filled === text ? text : fill(filled);
  };
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(String(value))]));
}

function newFolder(): string {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  return path;
}

function secretFiles(): Record<string, string> {
  const folder = newFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return {
    MASTER_KEY_FILE: file('key', Buffer.alloc(32, 1).toString('base64')),
    EVENTSTORE_URL_FILE: file('eventstore', 'esdb://eventstore:2113?tls=false'),
    MONGODB_URL_FILE: file('mongodb', 'mongodb://mongodb:27017/commonweal'),
    SMTP_URL_FILE: file('smtp', 'smtp://mail:1025'),
    ADMIN_PASSWORD_FILE: file('password', 'quiet herons wading'),
    METRICS_TOKEN_FILE: file('metrics', 'a-token-of-many-characters'),
  };
}

function settingsOf(secrets: string) {
  return readConfig({
    MASTER_KEY_FILE: join(secrets, 'master-key'),
    EVENTSTORE_URL_FILE: join(secrets, 'eventstore-url'),
    MONGODB_URL_FILE: join(secrets, 'mongodb-url'),
  });
}

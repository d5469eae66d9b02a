import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, placesOf, readConfig } from '../src/config.ts';
import { temporaryFolder } from './support/folder.ts';

/** Of an Armored Witness, and of one in the tests of transparency-dev/tessera (as a key for notes). */
const witnessKeys = [
  'ArmoredWitness-floral-sky+c7cf0b6d+BOkCmTmKTTnQMNqIigkj7PFnhogawSJD23PJ8M8qLYDm',
  'Wit1+55ee4561+AVhZSmQj9+SoL+p/nN0Hh76xXmF7QcHfytUrI1XfSClk',
] as const;

describe('the settings', () => {
  it('run embedded, on the loopback, with nothing set', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      roles: ['api', 'projector', 'dispatcher'],
      limits: { key: 120, search: 300, 'refreshes-grant': 240, 'refreshes-person': 960 },
      legacyAfterSunset: 'serve',
      allowPrivateWebhooks: false,
    });
  });

  it('take an empty variable for an unset one', () => {
    expect(readConfig({ PORT: '', BASE_URL: '' })).toEqual(readConfig({}));
  });

  it('keep codes, tokens and sessions as long as is usual', () => {
    expect(readConfig({}).lifetimes).toEqual({
      code: 600,
      access: 3_600,
      refreshIdle: 30 * 86_400,
      refresh: 180 * 86_400,
      sessionIdle: 30 * 86_400,
      session: 90 * 86_400,
    });
    expect(readConfig({ AUTH_URL: 'http://localhost:3000' }).authUrl).toBe('http://localhost:3000');
  });

  it('sign a checkpoint a minute, and send it where it is wanted', () => {
    expect(readConfig({}).checkpoints).toEqual({ everyMs: 60_000, push: undefined });
    for (const push of ['https://auditor.example/in?token=x', '/mnt/auditor/checkpoints.txt'])
      expect(readConfig({ CHECKPOINT_PUSH: push }).checkpoints.push).toBe(push);
  });

  it('name witnesses of the proof log, more than half of which must cosign', () => {
    expect(readConfig({}).witnesses).toEqual({ named: [], quorum: 0 });
    const [first, second] = witnessKeys;
    const settings = { WITNESSES: `${first} https://one.example/w/, ${second}  http://10.0.0.7:7380` };
    const named = [
      { vkey: first, url: 'https://one.example/w' },
      { vkey: second, url: 'http://10.0.0.7:7380' },
    ];
    expect(readConfig(settings).witnesses).toEqual({ named, quorum: 2 });
    expect(readConfig({ ...settings, WITNESS_QUORUM: '1' }).witnesses.quorum).toBe(1);
    expect(() => readConfig({ ...settings, WITNESS_QUORUM: '3' })).toThrow(/^WITNESS_QUORUM is 3/);
  });

  it('name peers, each of which is a witness and a log that is witnessed', () => {
    const [first, second] = witnessKeys;
    const log = second;
    const peers = { WITNESS_PEERS: `${log} ${first} https://one.example/witness/` };
    expect(readConfig({}).cosignedLogs).toEqual([]);
    expect(readConfig(peers)).toMatchObject({
      witnesses: { named: [{ vkey: first, url: 'https://one.example/witness' }], quorum: 1 },
      cosignedLogs: [log],
    });
    expect(readConfig({ ...peers, WITNESS_FOR: log }).cosignedLogs).toEqual([log]);
    expect(readConfig({ WITNESS_FOR: log }).witnesses.named).toEqual([]);
    expect(() => readConfig({ ...peers, WITNESSES: `${first} https://two.example` })).toThrow(
      'WITNESSES and WITNESS_PEERS name a witness twice.',
    );
  });

  it('send traces where the variables of OpenTelemetry say, and nowhere when they do not', () => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base?token=x' };
    const traces = (settings: Readonly<Record<string, string>>) => readConfig(settings).traces;
    expect(traces({})).toBeUndefined();
    expect(traces({ ...collector, OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_SAMPLER: 'x' })).toBeUndefined();
    expect(traces({ ...collector, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
    expect(traces({ ...collector, OTEL_SDK_DISABLED: 'no' })).toEqual({
      address: 'http://collector:4318',
      ratio: 1,
      queue: { size: 2_048, batch: 512, everyMs: 5_000 },
    });
    expect(
      traces({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/v1/traces',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
        OTEL_BSP_MAX_QUEUE_SIZE: '100',
      }),
    ).toEqual({
      address: 'https://traces.example',
      ratio: 0.25,
      queue: { size: 100, batch: 100, everyMs: 5_000 },
    });
  });

  it.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https/,
    ],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'x' }, /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an http/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf/],
    [{ OTEL_TRACES_EXPORTER: 'jaeger' }, /^OTEL_TRACES_EXPORTER must be otlp or none/],
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /^OTEL_TRACES_SAMPLER must be always_on/],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '25%' },
      /^OTEL_TRACES_SAMPLER_ARG must be/,
    ],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '0' }, /^OTEL_BSP_MAX_QUEUE_SIZE must be/],
  ] as const)('refuse %j, which would leave an operator without traces', (settings, sentence) => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
    expect(() => readConfig({ ...collector, ...settings })).toThrow(sentence);
  });

  it('bring an address to its origin, and lists to their parts', () => {
    expect(readConfig({ BASE_URL: 'https://Example.org:443/' }).baseUrl).toBe('https://example.org');
    expect(readConfig({ ROLES: 'api, dispatcher' }).roles).toEqual(['api', 'dispatcher']);
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1,loopback' }).trustProxy).toHaveLength(3);
    expect(readConfig({ WEBHOOK_SCHEDULE: '0,0.5' }).webhookSchedule).toEqual([0, 0.5]);
  });

  it('refuse an address that can be listened in on, unless asked for', () => {
    const address = 'http://directory.example';
    expect(() => readConfig({ BASE_URL: address })).toThrow(
      /^BASE_URL is http: [^\n]*ALLOW_PLAIN_HTTP=true[^\n]*$/,
    );
    expect(() => readConfig({ BASE_URL: 'http://192.168.0.7:3000' })).toThrow(ConfigError);
    expect(() => readConfig({ BASE_URL: 'http://localhost.example' })).toThrow(ConfigError);
    expect(() => readConfig({ BASE_URL: address, AUTH_URL: 'https://id.example' })).toThrow(ConfigError);
    expect(readConfig({ BASE_URL: address, ALLOW_PLAIN_HTTP: 'true' }).baseUrl).toBe(address);
    for (const own of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:80', 'http://a.localhost'])
      expect(readConfig({ BASE_URL: own }).baseUrl).toBe(new URL(own).origin);
  });

  it.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['BASE_URL', 'example.org'],
    ['BASE_URL', 'ftp://example.org'],
    ['BASE_URL', 'https://example.org/path'],
    ['AUTH_URL', 'http://id.example'],
    ['AUTH_URL', 'https://id.example/path'],
    ['TIME_ZONE', 'Mars/Olympus'],
    ['TIME_ZONE', '-05:00'],
    ['CODE_SECONDS', '601'],
    ['ACCESS_TOKEN_SECONDS', '0'],
    ['SESSION_SECONDS', 'never'],
    ['MASTER_KEY', 'c2hvcnQ='],
    ['MASTER_KEY_PREVIOUS', 'c2hvcnQ='],
    ['MASTER_KEY_PREVIOUS', randomBytes(32).toString('base64')],
    ['EVENTSTORE_URL', 'http://127.0.0.1:2113'],
    ['EVENTSTORE_NAMESPACE', 'Two Words'],
    ['MONGODB_URL', 'localhost:27017'],
    ['DRAIN_SECONDS', '301'],
    ['ROLES', 'api,cook'],
    ['ROLES', ','],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['SEARCHES_PER_MINUTE', '0'],
    ['LEGACY_AFTER_SUNSET', 'maybe'],
    ['ALLOW_PRIVATE_WEBHOOKS', 'yes'],
    ['WEBHOOK_SCHEDULE', '1,soon'],
    ['WEBHOOK_SUBSCRIPTIONS_PER_TEAM', '0'],
    ['BACKUP_KEEP_DAYS', '0'],
    ['CHECKPOINT_SECONDS', '0'],
    ['CHECKPOINT_PUSH', 'http://auditor.example/'],
    ['CHECKPOINT_PUSH', 'checkpoints.txt'],
    ['AUDIT_PUSH', 'http://siem.example/'],
    ['AUDIT_PUSH', 'https://user:password@siem.example/'],
    ['AUDIT_PUSH', 'siem.example'],
    ['AUDIT_PUSH', 'https://siem.example/'],
    ['AUDIT_PUSH_FORMAT', 'csv'],
    ['AUDIT_PUSH_KEY', 'whsec_short'],
    ['AUDIT_PUSH_FROM', 'yesterday'],
    ['WITNESSES', 'https://witness.example'],
    ['WITNESSES', witnessKeys[0]],
    ['WITNESSES', `${witnessKeys[0]} ftp://witness.example`],
    ['WITNESSES', `${witnessKeys[0].replace('c7', 'c8')} https://witness.example`],
    ['WITNESSES', `${witnessKeys[0]} https://witness.example https://other.example`],
    ['WITNESSES', `${witnessKeys[0]} https://one.example,${witnessKeys[0]} https://two.example`],
    ['WITNESS_QUORUM', '1'],
    ['WITNESS_FOR', 'directory.example/audit/log'],
    ['WITNESS_FOR', `${witnessKeys[1]}x`],
    ['WITNESS_PEERS', `${witnessKeys[0]} https://one.example/witness`],
    ['WITNESS_PEERS', `${witnessKeys[1]} ${witnessKeys[0]}`],
    ['WITNESS_PEERS', `${witnessKeys[1]} ${witnessKeys[0]} ftp://one.example`],
    ['METRICS_PORT', '0'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'sixteen or more, but with spaces'],
    ['LOG_LEVEL', 'loud'],
  ])('refuse %s=%s in one line that names it', (name, value) => {
    const reading = () => readConfig({ [name]: value });
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow(new RegExp(`^${name} [^\\n]+$`));
  });

  it('open the port for operators only when asked, and beyond this machine only with a token', () => {
    expect(readConfig({ METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined();
    expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({
      host: '127.0.0.1',
      port: 9464,
      token: undefined,
    });
    for (const host of ['0.0.0.0', '::', '10.0.0.7', 'localhost.example'])
      expect(() => readConfig({ METRICS_PORT: '9464', METRICS_HOST: host })).toThrow(
        /^METRICS_HOST [^ ]+ can be reached from other machines: set METRICS_TOKEN/,
      );
    const METRICS_TOKEN = 'a-token-of-many-characters';
    expect(
      readConfig({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0', METRICS_TOKEN }).metrics,
    ).toMatchObject({ token: METRICS_TOKEN });
  });

  describe('on engines of their own', () => {
    const MASTER_KEY = randomBytes(32).toString('base64');

    it.each([
      ['EVENTSTORE_URL', 'esdb://127.0.0.1:2113?tls=false'],
      ['EVENTSTORE_URL', 'esdb+discover://admin:changeit@one.example.org:2113'],
      ['MONGODB_URL', 'mongodb://one.example.org,two.example.org:27017/commonweal?replicaSet=rs0'],
    ])('need the master key with %s=%s, which every node must have', (name, value) => {
      expect(() => readConfig({ [name]: value })).toThrow(/^MASTER_KEY must be set/);
      expect(readConfig({ [name]: value, MASTER_KEY })).toMatchObject({ masterKey: MASTER_KEY });
    });

    it('tell people where everything is, and never a password', () => {
      const places = placesOf(
        readConfig({
          EVENTSTORE_URL: 'esdb+discover://admin:p%40ss@one:2113,two:2113?tls=true',
          EVENTSTORE_NAMESPACE: 'north',
          MONGODB_URL: 'mongodb://user:p@ss@three:27017,four/commonweal?replicaSet=rs0',
          MASTER_KEY,
        }),
      );
      expect(places).toEqual({
        log: 'EventStoreDB at one:2113,two:2113, namespace north',
        readModels: 'MongoDB at three:27017,four',
      });
    });

    it('refuse a namespace where there is no EventStoreDB', () => {
      expect(() => readConfig({ EVENTSTORE_NAMESPACE: 'two' })).toThrow(/^EVENTSTORE_NAMESPACE /);
    });

    it('take a secret from the file that NAME_FILE names, without its line end', () => {
      const folder = temporaryFolder();
      const path = join(folder.path, 'secret');
      writeFileSync(path, `${MASTER_KEY}\n`);
      expect(readConfig({ MASTER_KEY_FILE: path }).masterKey).toBe(MASTER_KEY);
      expect(() => readConfig({ MASTER_KEY_FILE: path, MASTER_KEY })).toThrow(
        /^MASTER_KEY and MASTER_KEY_FILE/,
      );
      expect(() => readConfig({ MASTER_KEY_FILE: `${path}-none` })).toThrow(
        /^MASTER_KEY_FILE .* cannot be read/,
      );
      writeFileSync(path, '\n');
      expect(() => readConfig({ MONGODB_URL_FILE: path })).toThrow(/^MONGODB_URL_FILE .* is empty/);
      folder.remove();
    });

    it.each([
      ['MASTER_KEY', MASTER_KEY, { masterKey: MASTER_KEY }],
      ['EVENTSTORE_URL', 'esdb://u:p@one:2113', { eventStoreUrl: 'esdb://u:p@one:2113' }],
      ['MONGODB_URL', 'mongodb://u:p@one/commonweal', { mongoUrl: 'mongodb://u:p@one/commonweal' }],
      ['SMTP_URL', 'smtps://u:p@one:465', { smtpUrl: 'smtps://u:p@one:465' }],
      [
        'ADMIN_PASSWORD',
        'quiet herons wading',
        { administrator: { email: 'a@example.org', password: 'quiet herons wading' } },
      ],
    ])('take %s from a file', (name, value, expected) => {
      const folder = temporaryFolder();
      const path = join(folder.path, 'secret');
      writeFileSync(path, `${value}\n`);
      const beside = {
        ...(name === 'MASTER_KEY' ? {} : { MASTER_KEY }),
        ...(name === 'ADMIN_PASSWORD' ? { ADMIN_EMAIL: 'a@example.org' } : {}),
      };
      expect(readConfig({ ...beside, [`${name}_FILE`]: path })).toMatchObject(expected);
      folder.remove();
    });
  });
});

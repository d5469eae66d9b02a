/**
 * Every setting, read from the environment: one schema, each knob with its default and its reason.
 * Over 300 lines: one schema is read in one place.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';

/** A setting that is wrong: one line that names it, and the start ends there. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** In seconds. */
const days = 86_400;

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, { message: 'must be a whole number' })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, { message: `must be ${minimum} to ${maximum}` });
const flag = z
  .enum(['true', 'false'], { message: 'must be true or false' })
  .transform((value) => value === 'true');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''),
);
const origin = z
  .string()
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    message: 'must be an http or https address',
  })
  .transform((value) => new URL(value))
  .refine((value) => value.pathname === '/' && value.search === '' && value.hash === '', {
    message: 'must be an address without a path',
  })
  .transform((value) => value.origin);

/** An address, a network in CIDR form, or one of the names that Fastify knows. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

const roles = ['api', 'projector', 'dispatcher'] as const;
export type Role = (typeof roles)[number];

/** Every knob: what it is for, what it is when unset and why. An empty variable is an unset one. */
const environment = z.object({
  /** The address to listen on. Loopback unless told otherwise: a fresh start is nobody else's business. */
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3000),
  /** Where the service is reached from outside; links and the https rule of the legacy endpoint rest on it. */
  BASE_URL: origin.optional(),
  /** Lets BASE_URL be http on another host than this machine: cookies, keys and passwords can then be read on the way. */
  ALLOW_PLAIN_HTTP: flag.default(false),
  /** Where people sign in, and what tokens name as their issuer. Changing it makes every client's tokens foreign. */
  AUTH_URL: origin
    .refine((value) => value.startsWith('https:') || new URL(value).hostname === 'localhost', {
      message: 'must be an https address, or http://localhost for development',
    })
    .optional(),
  /** Everything embedded lies here. */
  DATA_DIR: z.string().default('./data'),
  /** EventStoreDB, as its clients are told: esdb://user:password@host:2113?tls=true, or esdb+discover:// for a cluster. */
  EVENTSTORE_URL: z
    .string()
    .regex(/^esdb(\+discover)?:\/\/./, { message: 'must begin with esdb:// or esdb+discover://' })
    .optional(),
  /**
   * What the names of our streams begin with in EventStoreDB, so that several installations can share one. Not
   * to be changed later: under another name there is another log.
   */
  EVENTSTORE_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,47}$/, { message: 'must be 1–48 lower-case letters, digits and hyphens' })
    .optional(),
  /** MongoDB with the name of a database: mongodb://host:27017/commonweal, or mongodb+srv://. */
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/./, { message: 'must begin with mongodb:// or mongodb+srv://' })
    .optional(),
  /** 32 bytes in base64 that seal the vault; made in DATA_DIR at the first embedded start when unset. */
  MASTER_KEY: z
    .string()
    .refine((value) => Buffer.from(value, 'base64').length === 32, { message: 'must be 32 bytes in base64' })
    .optional(),
  /** What this process does; several processes may share the work. */
  ROLES: list
    .refine(
      (names) => names.length > 0 && names.every((name) => (roles as readonly string[]).includes(name)),
      {
        message: `must name some of ${roles.join(', ')}`,
      },
    )
    .transform((names) => names as Role[])
    .default([...roles]),
  /** Proxies whose X-Forwarded-For is believed: addresses or networks. None: the peer is the client. */
  TRUST_PROXY: list
    .refine((proxies) => proxies.every(isNetwork), {
      message: 'must be addresses or networks such as 10.0.0.0/8',
    })
    .default([]),
  /** Requests a key may make in a minute at the service API. High enough for a busy site, low enough to notice a loop. */
  RATE_LIMIT_PER_MINUTE: integer(1, 100_000_000).default(120),
  /** Life of an authorization code: interface 8 says ten minutes; shorter for the cautious. */
  CODE_SECONDS: integer(10, 600).default(600),
  /** Life of an access token. A revocation does not wait for it: this only bounds what was forgotten. */
  ACCESS_TOKEN_SECONDS: integer(60, 86_400).default(3_600),
  /** After so long without use a refresh token is void: an abandoned sign-in dies out. */
  REFRESH_IDLE_SECONDS: integer(60, 400 * days).default(30 * days),
  /** However often it is refreshed, a sign-in at a site ends after this, and the person signs in again. */
  REFRESH_SECONDS: integer(60, 400 * days).default(180 * days),
  /** After so long without use a browser is signed out of ours. */
  SESSION_IDLE_SECONDS: integer(60, 400 * days).default(30 * days),
  /** However often it is used, a browser is signed out of ours after this. */
  SESSION_SECONDS: integer(60, 400 * days).default(90 * days),
  /** Where mails are handed over: smtps://user:password@host:465. Unset: they wait at /dash/outbox. */
  SMTP_URL: z
    .string()
    .refine((value) => URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol), {
      message: 'must be an smtp:// or smtps:// address',
    })
    .optional(),
  /** Whom mails come from; unset: no-reply at the host where people sign in, which many a receiver distrusts. */
  MAIL_FROM: z
    .string()
    .refine((value) => /^[^\r\n]*[^\s@<>]@[^\s@<>]+>?$/.test(value), { message: 'must be an email address' })
    .optional(),
  /** The first administrator. Unset: the first start gives out a one-time link instead. */
  ADMIN_EMAIL: z
    .string()
    .refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), { message: 'must be an email address' })
    .optional(),
  /** Looked at until there is an administrator; better taken out of the environment then. */
  ADMIN_PASSWORD: z
    .string()
    .refine((value) => Array.from(value.normalize('NFKC')).length >= 12, {
      message: 'must have at least 12 characters',
    })
    .optional(),
  /** What the legacy endpoint does after its sunset: widgets in the wild depend on it, so it goes on serving. */
  LEGACY_AFTER_SUNSET: z.enum(['serve', 'gone'], { message: 'must be serve or gone' }).default('serve'),
  /** Lets webhooks go to http and private addresses. For development only. */
  ALLOW_PRIVATE_WEBHOOKS: flag.default(false),
  /** Pauses between the attempts of a delivery, in seconds, overriding the schedule; for tests and demonstrations. */
  WEBHOOK_SCHEDULE: list
    .transform((values) => values.map(Number))
    .refine((values) => values.length > 0 && values.every((value) => Number.isFinite(value) && value >= 0), {
      message: 'must be seconds separated by commas',
    })
    .optional(),
  /** Connections held at once; beyond, those that have been silent longest make room. */
  MAX_CONNECTIONS: integer(10, 1_000_000).optional(),
  /** How long a server told to stop still serves while /readyz says 503, so that a proxy sends nothing more. */
  DRAIN_SECONDS: integer(0, 300).default(0),
  /** Log lines go to stderr as JSON. warn: only what needs somebody; debug: every request too. */
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      message: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('warn'),
});

type Environment = z.output<typeof environment>;

/** Plain data, so that a thread can be given it. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Undefined when it is wherever we happen to listen. */
  readonly baseUrl: string | undefined;
  /** Undefined when it is the base address. */
  readonly authUrl: string | undefined;
  readonly dataDir: string;
  /** Undefined: the embedded event store in the data folder. */
  readonly eventStoreUrl: string | undefined;
  readonly eventStoreNamespace: string | undefined;
  /** Undefined: read models, vault, leases and side tables in the data folder. */
  readonly mongoUrl: string | undefined;
  readonly masterKey: string | undefined;
  readonly roles: readonly Role[];
  readonly trustProxy: readonly string[];
  readonly rateLimitPerMinute: number;
  /** Of codes, tokens and sessions, in seconds. */
  readonly lifetimes: {
    readonly code: number;
    readonly access: number;
    readonly refreshIdle: number;
    readonly refresh: number;
    readonly sessionIdle: number;
    readonly session: number;
  };
  /** Undefined: mails wait in the outbox. */
  readonly smtpUrl: string | undefined;
  /** Undefined: no-reply at the host of the sign-in address. */
  readonly mailFrom: string | undefined;
  /** The first administrator; undefined: a one-time link. */
  readonly administrator: { readonly email: string; readonly password: string } | undefined;
  readonly legacyAfterSunset: 'serve' | 'gone';
  readonly allowPrivateWebhooks: boolean;
  readonly webhookSchedule: readonly number[] | undefined;
  /** Undefined: as many as the system's limit leaves room for. */
  readonly maxConnections: number | undefined;
  readonly drainMs: number;
  readonly logLevel: Environment['LOG_LEVEL'];
}

/** Settings that may lie in a file, which NAME_FILE names: what an orchestrator hands over as a secret. */
const secrets = ['EVENTSTORE_URL', 'MONGODB_URL', 'MASTER_KEY', 'SMTP_URL', 'ADMIN_PASSWORD'] as const;

/** @throws ConfigError naming the first setting that is wrong. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(
    Object.entries(withSecrets(variables)).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(`${String(issue?.path[0])} ${issue?.message ?? 'is wrong'}`);
  }
  const is = parsed.data;
  if ((is.EVENTSTORE_URL ?? is.MONGODB_URL) && is.MASTER_KEY === undefined) {
    throw new ConfigError(
      'MASTER_KEY must be set where EVENTSTORE_URL or MONGODB_URL is: every node needs the same one. For a log that began embedded it is in DATA_DIR/master.key.',
    );
  }
  if (is.EVENTSTORE_NAMESPACE !== undefined && is.EVENTSTORE_URL === undefined) {
    throw new ConfigError('EVENTSTORE_NAMESPACE means nothing without EVENTSTORE_URL; unset it.');
  }
  if (is.BASE_URL !== undefined && !is.ALLOW_PLAIN_HTTP && isPlainHttp(is.BASE_URL)) {
    throw new ConfigError(
      'BASE_URL is http: cookies, keys and passwords could be read on the way. Set it to the https address of a proxy, or set ALLOW_PLAIN_HTTP=true in a network of your own.',
    );
  }
  return {
    host: is.HOST,
    port: is.PORT,
    baseUrl: is.BASE_URL,
    authUrl: is.AUTH_URL,
    dataDir: is.DATA_DIR,
    eventStoreUrl: is.EVENTSTORE_URL,
    eventStoreNamespace: is.EVENTSTORE_NAMESPACE,
    mongoUrl: is.MONGODB_URL,
    masterKey: is.MASTER_KEY,
    roles: is.ROLES,
    trustProxy: is.TRUST_PROXY,
    rateLimitPerMinute: is.RATE_LIMIT_PER_MINUTE,
    lifetimes: {
      code: is.CODE_SECONDS,
      access: is.ACCESS_TOKEN_SECONDS,
      refreshIdle: is.REFRESH_IDLE_SECONDS,
      refresh: is.REFRESH_SECONDS,
      sessionIdle: is.SESSION_IDLE_SECONDS,
      session: is.SESSION_SECONDS,
    },
    smtpUrl: is.SMTP_URL,
    mailFrom: is.MAIL_FROM,
    administrator: administratorOf(is),
    legacyAfterSunset: is.LEGACY_AFTER_SUNSET,
    allowPrivateWebhooks: is.ALLOW_PRIVATE_WEBHOOKS,
    webhookSchedule: is.WEBHOOK_SCHEDULE,
    maxConnections: is.MAX_CONNECTIONS,
    drainMs: is.DRAIN_SECONDS * 1_000,
    logLevel: is.LOG_LEVEL,
  };
}

/** Whether what goes to an address can be read on the way: http to anywhere but this machine. */
function isPlainHttp(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function withSecrets(variables: Readonly<Record<string, string | undefined>>) {
  const settings = { ...variables };
  for (const name of secrets) {
    const path = settings[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (settings[name]) throw new ConfigError(`${name} and ${name}_FILE are both set; unset one.`);
    try {
      settings[name] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      throw new ConfigError(`${name}_FILE ${path} cannot be read: ${(error as Error).message}`);
    }
    if (settings[name] === '') throw new ConfigError(`${name}_FILE ${path} is empty.`);
  }
  return settings;
}

/** Where the log and the read models are, for people: without user names or passwords. */
export function placesOf({ eventStoreUrl, eventStoreNamespace, mongoUrl, dataDir }: Config): {
  readonly log: string;
  readonly readModels: string;
} {
  const namespace = eventStoreNamespace === undefined ? '' : `, namespace ${eventStoreNamespace}`;
  return {
    log: eventStoreUrl === undefined ? dataDir : `EventStoreDB at ${hostsOf(eventStoreUrl)}${namespace}`,
    readModels: mongoUrl === undefined ? dataDir : `MongoDB at ${hostsOf(mongoUrl)}`,
  };
}

const hostsOf = (url: string): string => url.replace(/^[^/]*\/\/(.*@)?/, '').replace(/[/?].*$/, '');
function administratorOf({
  ADMIN_EMAIL: email,
  ADMIN_PASSWORD: password,
}: Environment): Config['administrator'] {
  if (email === undefined && password === undefined) return undefined;
  if (password === undefined) throw new ConfigError('ADMIN_EMAIL needs ADMIN_PASSWORD beside it');
  if (email === undefined) throw new ConfigError('ADMIN_PASSWORD needs ADMIN_EMAIL beside it');
  return { email, password };
}

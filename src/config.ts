/**
 * Every setting, read from the environment: one schema, each knob with its default and its reason.
 * Over 300 lines: one schema is read in one place.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { isTimeZone, timeZoneMessage } from './tables/time-zone.ts';
import { languageCodes } from './tables/language-codes.ts';
import { limitNumbers, limitTable, type LimitNumbers } from './tables/limits.ts';

/** A wrong setting. The message names it in one line, and the process does not start. */
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

const isWitnessAddress = (url: string): boolean =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && !/[?#]/.test(url);

/** A witness of the proof log, as it is named in WITNESSES: `<vkey> <address>`. */
const witness = z.string().transform((value, context) => {
  const [vkey = '', url = '', ...rest] = value.split(/\s+/);
  const isWhole = isCosignerKey(vkey) && isWitnessAddress(url) && rest.length === 0;
  if (isWhole) return { vkey, url: url.replace(/\/+$/, '') };
  const message = isCosignerKey(vkey)
    ? 'must have after each vkey a space and an http or https address, and commas between witnesses'
    : 'must have vkeys of witnesses, as "commonweal witness" shows them: name+hash+key';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** An installation that witnesses this one and is witnessed by it: `<vkey of its log> <vkey of its witness> <address>`. */
const peer = z.string().transform((value, context) => {
  const [log = '', vkey = '', url = '', ...rest] = value.split(/\s+/);
  const isWhole = isLogKey(log) && isCosignerKey(vkey) && isWitnessAddress(url) && rest.length === 0;
  if (isWhole) return { log, vkey, url: url.replace(/\/+$/, '') };
  const message =
    'must have, as "commonweal audit log peer" shows it to each peer, the vkey of its log, the vkey of its witness, and an http or https address, with spaces between them, and commas between peers';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const logVkey = z.string().refine(isLogKey, {
  message: 'must have vkeys of logs, as /audit/log/vkey shows them: name+hash+key',
});

/** The vkey of an Ed25519 key (C2SP signed-note) of type 0x04, or 0x01, as some witnesses publish theirs. */
function isCosignerKey(vkey: string): boolean {
  return isKeyOf([0x01, 0x04], vkey);
}

function isLogKey(vkey: string): boolean {
  return isKeyOf([0x01], vkey);
}

function isKeyOf(types: readonly number[], vkey: string): boolean {
  const [, name = '', id, base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/]{44})$/.exec(vkey) ?? [];
  const key = Buffer.from(base64, 'base64');
  const named = Buffer.concat([Buffer.from(`${name}\n`), key]);
  return types.includes(key[0] ?? 0) && hash('sha256', named, 'hex').slice(0, 8) === id;
}

/** What grows stale, and after how many days where nothing else is said. */
const staleDefaults = { record: 730, hours: 183, phones: 365, places: 365 } as const;
type Stale = keyof typeof staleDefaults;

/** `hours 90, record 365` */
const staleAfterDays = list.transform((parts, context) => {
  const after: Record<Stale, number> = { ...staleDefaults };
  for (const part of parts) {
    const [, name = '', count = ''] = /^([a-z]+)\s+(\d{1,5})$/.exec(part) ?? [];
    if (Object.hasOwn(after, name) && Number(count) > 0) after[name as Stale] = Number(count);
    else {
      const message =
        'must name record, hours, phones or places, each with a number of days, and commas between them';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  }
  return after;
});

/** The forms of an export of the audit log in which it can be pushed: those of which parts can be read alone. */
const pushFormats = ['ocsf', 'cloudevents', 'cloudevents-rdns', 'ndjson'] as const;

function isPushAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && !isPlainHttp(text));
}

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

/** Where the embedded stores are, relative to where a command is run. */
export const defaultDataDir = './data';

/** Every setting with its purpose, its default and the reason for it. An empty variable counts as unset. */
const environment = z.object({
  /** The address to listen on. Default loopback, so that a new installation is not reachable from outside. */
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3000),
  /** The public address of the service. Used for links and for the https rule of the legacy endpoint. */
  BASE_URL: origin.optional(),
  /**
   * Allows an http BASE_URL on a host other than localhost. Cookies, keys and passwords are then sent unencrypted.
   */
  ALLOW_PLAIN_HTTP: flag.default(false),
  /** Where people sign in, and the issuer of tokens. Changing it invalidates all issued tokens. */
  AUTH_URL: origin
    .refine((value) => value.startsWith('https:') || new URL(value).hostname === 'localhost', {
      message: 'must be an https address, or http://localhost for development',
    })
    .optional(),
  /** The folder of the embedded stores. */
  DATA_DIR: z.string().default(defaultDataDir),
  /**
   * A folder for a backup every day. Unset: none is taken by itself. It belongs on another device than DATA_DIR, or a lost
   * disk takes both.
   */
  BACKUP_DIR: z.string().optional(),
  /**
   * After how many days a backup in BACKUP_DIR is removed: a month is long enough to notice damage. A backup still has the
   * data keys of people who were erased after it, so this is also how long an erasure takes to reach every copy.
   */
  BACKUP_KEEP_DAYS: integer(1, 3_650).default(30),
  /**
   * A program that copies each backup in BACKUP_DIR to another place, and its arguments: an absolute path, then words between
   * spaces. No shell reads it. The folder of the backup is the last argument.
   */
  BACKUP_AFTER: z
    .string()
    .transform((value) => value.trim().split(/\s+/))
    .refine(([program = '']) => isAbsolute(program), {
      message: 'must begin with the absolute path of a program; quotes and variables belong in a script',
    })
    .optional(),
  /** How long BACKUP_AFTER may take before it is stopped. Six hours: a large backup over a slow line. */
  BACKUP_AFTER_SECONDS: integer(1, days).default(6 * 3_600),
  /** Whether the newest backup in BACKUP_DIR is restored into a temporary folder and verified every week. */
  BACKUP_DRILL: z.enum(['weekly', 'never'], { message: 'must be weekly or never' }).default('weekly'),
  /**
   * The connection string of EventStoreDB: esdb://user:password@host:2113?tls=true, or esdb+discover:// for a
   * cluster.
   */
  EVENTSTORE_URL: z
    .string()
    .regex(/^esdb(\+discover)?:\/\/./, { message: 'must begin with esdb:// or esdb+discover://' })
    .optional(),
  /**
   * The prefix of our streams in EventStoreDB, so that several installations can share a server. Do not change it
   * later: another prefix is another log.
   */
  EVENTSTORE_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,47}$/, { message: 'must be 1–48 lower-case letters, digits and hyphens' })
    .optional(),
  /**
   * The connection string of MongoDB, with the name of a database: mongodb://host:27017/commonweal, or
   * mongodb+srv://.
   */
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/./, { message: 'must begin with mongodb:// or mongodb+srv://' })
    .optional(),
  /** 32 bytes in base64 that encrypt the vault. When unset, created in DATA_DIR at the first embedded start. */
  MASTER_KEY: z
    .string()
    .refine((value) => Buffer.from(value, 'base64').length === 32, { message: 'must be 32 bytes in base64' })
    .optional(),
  /**
   * Another master key that opens what MASTER_KEY does not, while the master key is rotated. Nothing is sealed under it.
   */
  MASTER_KEY_PREVIOUS: z
    .string()
    .refine((value) => Buffer.from(value, 'base64').length === 32, { message: 'must be 32 bytes in base64' })
    .optional(),
  /**
   * The time zone of records that do not tell theirs, nor where they are, and whose team has none: an IANA name. Unset:
   * of such a record nobody knows whether it is open.
   */
  TIME_ZONE: z.string().refine(isTimeZone, { message: timeZoneMessage }).optional(),
  /** The roles of this process. Several processes can share the work. */
  ROLES: list
    .refine(
      (names) => names.length > 0 && names.every((name) => (roles as readonly string[]).includes(name)),
      {
        message: `must name some of ${roles.join(', ')}`,
      },
    )
    .transform((names) => names as Role[])
    .default([...roles]),
  /** Proxies whose X-Forwarded-For is trusted: addresses or networks. When empty, the peer is the client. */
  TRUST_PROXY: list
    .refine((proxies) => proxies.every(isNetwork), {
      message: 'must be addresses or networks such as 10.0.0.0/8',
    })
    .default([]),
  /** Requests a key may make in a minute at the service API. High enough for a busy site, low enough to notice a loop. */
  RATE_LIMIT_PER_MINUTE: integer(1, 100_000_000).default(limitTable.key.points),
  /** Searches of one network on the public pages in a minute. A library or a shelter shares one network. */
  SEARCHES_PER_MINUTE: integer(1, 100_000_000).default(limitTable.search.points),
  /** Lifetime of an authorization code: ten minutes (interface 8), or less. */
  CODE_SECONDS: integer(10, 600).default(600),
  /** Lifetime of an access token. Revocation takes effect at once and does not depend on it. */
  ACCESS_TOKEN_SECONDS: integer(60, 86_400).default(3_600),
  /** An unused refresh token expires after this. */
  REFRESH_IDLE_SECONDS: integer(60, 400 * days).default(30 * days),
  /** A sign-in at a site ends after this, however often it is refreshed. */
  REFRESH_SECONDS: integer(60, 400 * days).default(180 * days),
  /**
   * Authorization codes of one person at one site in an hour. They are events, which stay for ever. Far above what a site
   * needs that signs people in silently, so that only a loop or an attack meets it.
   */
  CODES_PER_HOUR: integer(1, 1_000_000).default(limitTable.codes.points),
  /** Refreshes of one sign-in at a site in an hour, and four times as many of one person at the site. As above. */
  REFRESHES_PER_HOUR: integer(1, 1_000_000).default(limitTable['refreshes-grant'].points),
  /**
   * Forms by which one person changes something, and views that are recorded, in an hour. Each is an event, which stays
   * for ever. One every 3 seconds for an hour: nobody works so fast by hand.
   */
  CHANGES_PER_HOUR: integer(1, 1_000_000).default(limitTable['person-changes'].points),
  /** Sign-ins to one account that succeed in an hour. Those that fail have limits of their own. As above. */
  SIGN_INS_PER_HOUR: integer(1, 1_000_000).default(limitTable['person-sign-ins'].points),
  /** An unused browser session ends after this. */
  SESSION_IDLE_SECONDS: integer(60, 400 * days).default(30 * days),
  /** A browser session ends after this, however often it is used. */
  SESSION_SECONDS: integer(60, 400 * days).default(90 * days),
  /** How long an invitation to a team can be used: a week, so that somebody who is away for some days finds it. */
  INVITATION_SECONDS: integer(60, 30 * days).default(7 * days),
  /** Invitations that a team may send in a day. They are events, which stay for ever, and emails to strangers. */
  INVITATIONS_PER_DAY: integer(1, 100_000).default(limitTable['invitations-team'].points),
  /** How long a request to erase an account can be withdrawn. A week: long enough to notice that somebody else asked. */
  ERASURE_GRACE_SECONDS: integer(0, 90 * days).default(7 * days),
  /**
   * The file that says which data keys were destroyed, so that no backup brings anybody back. Default: erasures.log in
   * DATA_DIR, or with MONGODB_URL a collection alone. Set it to a file on another disk, which no restore replaces.
   */
  ERASURE_LEDGER: z.string().optional(),
  /**
   * Accounts whose address was never verified are erased after this, when mail is sent (SMTP_URL). A month: a link to
   * verify lasts for a day, and can be asked for again.
   */
  UNVERIFIED_ACCOUNT_SECONDS: integer(1 * days, 3_650 * days).default(30 * days),
  /** The mail server: smtps://user:password@host:465. When unset, mails wait at /dash/outbox. */
  SMTP_URL: z
    .string()
    .refine((value) => URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol), {
      message: 'must be an smtp:// or smtps:// address',
    })
    .optional(),
  /** The sender of mails. Default: no-reply at the sign-in host, which many receivers distrust. */
  MAIL_FROM: z
    .string()
    .refine((value) => /^[^\r\n]*[^\s@<>]@[^\s@<>]+>?$/.test(value), { message: 'must be an email address' })
    .optional(),
  /** The first administrator. When unset, the first start shows a one-time link instead. */
  ADMIN_EMAIL: z
    .string()
    .refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), { message: 'must be an email address' })
    .optional(),
  /** Used only until there is an administrator. Remove it from the environment afterwards. */
  ADMIN_PASSWORD: z
    .string()
    .refine((value) => Array.from(value.normalize('NFKC')).length >= 12, {
      message: 'must have at least 12 characters',
    })
    .optional(),
  /** What the legacy endpoint does after its sunset. Default serve, because existing widgets depend on it. */
  LEGACY_AFTER_SUNSET: z.enum(['serve', 'gone'], { message: 'must be serve or gone' }).default('serve'),
  /**
   * The sentence at the top of public pages about emergencies and mental health. Default: a sentence that names 911 and
   * 988, which are numbers of the United States and Canada. `off`: no such sentence. Empty means the default, as for every
   * setting: nobody loses the sentence by an empty line in a file.
   */
  CRISIS_TEXT: z.string().max(500).optional(),
  /** The same for pages in another language, by its code. Default: CRISIS_TEXT where that is set. */
  CRISIS_TEXT_ES: z.string().max(500).optional(),
  CRISIS_TEXT_HT: z.string().max(500).optional(),
  /**
   * Where the link leads that lets somebody leave a public page quickly. It must not tell what they were looking for.
   * `off`: no such link.
   */
  QUICK_EXIT: z
    .union([
      z.literal('off'),
      z.string().refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
        message: 'must be an http or https address',
      }),
    ])
    .default('https://www.weather.gov/'),
  /**
   * The tiles of the map of results: an https address with {z}, {x} and {y}. Unset: there is no map. Whoever presses "Show
   * map" tells this server where they look, so choose one that you trust.
   */
  MAP_TILES: z
    .string()
    .max(500)
    .refine(
      (value) =>
        URL.canParse(value) &&
        /^https?:/.test(value) &&
        /\{z\}.*\{x\}.*\{y\}|\{z\}.*\{y\}.*\{x\}/.test(value),
      {
        message: 'must be an address with {z}, {x} and {y}, such as https://tiles.example/{z}/{x}/{y}.png',
      },
    )
    .optional(),
  /** Whom the map names, as providers of maps ask: "© OpenStreetMap contributors". */
  MAP_ATTRIBUTION: z.string().max(200).optional(),
  /**
   * The most submissions that a form takes in a day (UTC), unless the form names another number. The log keeps each for
   * ever. 500 is more than a form of a community organization gets in a week.
   */
  FORM_DAILY_CAP: integer(1, 100_000).default(limitTable['form-day'].points),
  /** The most submissions that all forms of a team take in a day (UTC), whatever the forms say. */
  TEAM_FORMS_DAILY_CAP: integer(1, 1_000_000).default(limitTable['team-forms-day'].points),
  /** Lets webhooks go to http and private addresses. For development only. */
  ALLOW_PRIVATE_WEBHOOKS: flag.default(false),
  /**
   * Delays between the attempts of a delivery, in seconds. Overrides the schedule, for tests and demonstrations.
   */
  WEBHOOK_SCHEDULE: list
    .transform((values) => values.map(Number))
    .refine((values) => values.length > 0 && values.every((value) => Number.isFinite(value) && value >= 0), {
      message: 'must be seconds separated by commas',
    })
    .optional(),
  /**
   * How many days a delivery waits while its subscription is paused. Then it expires. Default a month, in which somebody
   * comes back who can resume it.
   */
  WEBHOOK_HELD_DAYS: integer(1, 3_650).default(30),
  /**
   * The most webhooks under way in one dispatcher. One team has at most half of them. More serve many slow receivers at
   * once; fewer let a busy dispatcher come sooner to what another team sends (see attemptsUnderWay in policy.ts).
   */
  WEBHOOK_CONCURRENCY: integer(2, 10_000).default(200),
  /**
   * The most webhook subscriptions of one team, deleted ones not counted: an event is sent to each, so they bound what one
   * event costs. Default 1000, more than a team has systems of its own.
   */
  WEBHOOK_SUBSCRIPTIONS_PER_TEAM: integer(1, 1_000_000).optional(),
  /**
   * How often a checkpoint of the proof log is signed while there are new events, in seconds. An event can be proved from
   * the next checkpoint on. A minute: each checkpoint is kept for ever, and makes half a million of them a year at most.
   */
  CHECKPOINT_SECONDS: integer(1, 86_400).default(60),
  /**
   * Where each checkpoint of the proof log is sent: an https address, by POST, or the absolute path of a file, to which it
   * is appended. Choose a place that nobody who operates this service can change: otherwise they could rewrite the log and
   * its proof together. Unset: nowhere.
   */
  CHECKPOINT_PUSH: z
    .string()
    .refine((value) => isAbsolute(value) || (URL.canParse(value) && new URL(value).protocol === 'https:'), {
      message: 'must be an https address or the absolute path of a file',
    })
    .optional(),
  /**
   * Where the events of the audit log are sent, such as a SIEM: an https address, by POST, signed with AUDIT_PUSH_KEY. http
   * only on this machine. Unset: nowhere.
   */
  AUDIT_PUSH: z
    .string()
    .refine(isPushAddress, {
      message: 'must be an https address, or http on this machine, without a user name or password',
    })
    .optional(),
  /** The form of the events, as of an export of the audit log. */
  AUDIT_PUSH_FORMAT: z
    .enum(pushFormats, { message: `must be one of ${pushFormats.join(', ')}` })
    .default('ocsf'),
  /** The key of the signatures (Standard Webhooks): whsec_ and 32 random bytes in base64. */
  AUDIT_PUSH_KEY: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/, {
      message: 'must be whsec_ and 32 bytes in base64, as `echo "whsec_$(openssl rand -base64 32)"` makes it',
    })
    .optional(),
  /** Where the first start with AUDIT_PUSH begins: with what is recorded from then on, or with the first event. */
  AUDIT_PUSH_FROM: z.enum(['now', 'beginning'], { message: 'must be now or beginning' }).default('now'),
  /**
   * Who cosigns each checkpoint of the proof log (C2SP tlog-witness), separated by commas, each as its vkey, a space, and the
   * address under which it has `add-checkpoint`. Choose witnesses that nobody who operates this service can change. Unset:
   * none.
   */
  WITNESSES: list.pipe(z.array(witness)).optional(),
  /**
   * The logs of which this server is a witness, by their vkeys, separated by commas: it cosigns their checkpoints under
   * /witness/ (C2SP tlog-witness). A log may be there with two vkeys while its key is rotated. Unset: none.
   */
  WITNESS_FOR: list.pipe(z.array(logVkey)).optional(),
  /**
   * Installations with which this one is a witness and is witnessed, separated by commas, each as `commonweal audit log
   * peer` shows it there: the vkey of its log, that of its witness, and the address of its witness. Each is a witness as if
   * it were in WITNESSES, and a log as if it were in WITNESS_FOR. Unset: none.
   */
  WITNESS_PEERS: list.pipe(z.array(peer)).optional(),
  /** How many of the witnesses must cosign. Default: more than half. */
  WITNESS_QUORUM: integer(1, 100).optional(),
  /**
   * After how many days without a confirmation a record is stale, and earlier what ages faster: people are told to call first.
   * Opening hours change with the season, places and phone numbers within a year.
   */
  STALE_AFTER_DAYS: staleAfterDays.prefault(''),
  /**
   * Whether what people look for on the public pages is counted: words that the search knows, kind of help and place, shown
   * once ten networks of a day asked (docs/security.md).
   */
  COUNT_SEARCHES: flag.default(true),
  /**
   * How often a directory that a team follows is read, in seconds. A minute: nobody there or here waits for it, and an answer
   * without changes costs little.
   */
  FOLLOW_SECONDS: integer(1, 86_400).default(60),
  /**
   * After how many days a followed directory counts as silent, that does not answer or has signed no new checkpoint. Default two
   * weeks: a directory in which nothing happens for longer is left alone.
   */
  FOLLOW_SILENT_DAYS: integer(1, 3_650).default(14),
  /** The most open connections. Above it, the longest idle ones are closed. */
  MAX_CONNECTIONS: integer(10, 1_000_000).optional(),
  /** How long a stopping server still serves while /readyz answers 503, so that proxies stop sending requests. */
  DRAIN_SECONDS: integer(0, 300).default(0),
  /**
   * The port for operators: metrics, status, health. When unset, there is none. A port of its own, so that no proxy of
   * the service can pass requests to it by mistake.
   */
  METRICS_PORT: integer(1, 65_535).optional(),
  /** Where that port listens. Default loopback. Another address needs METRICS_TOKEN. */
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Every request to that port must then send it as a bearer token. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, { message: 'must have at least 16 characters, of ASCII and without spaces' })
    .optional(),
  /** Log lines go to stderr as JSON. warn: only what needs attention; debug: every request too. */
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      message: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('warn'),
  /**
   * Traces go to this collector by OTLP over HTTP, at `/v1/traces` under the address, as OpenTelemetry says. This and the
   * variables below have the names and meanings of the standard. Unset: there are no traces, and OpenTelemetry is not loaded.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  /** The same for traces alone, and as a whole address: nothing is added to it. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
  /** http/protobuf, which every collector takes; there is no other. */
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  /** The same for traces alone. */
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
  /** otlp, or none: no traces, whatever the addresses say. */
  OTEL_TRACES_EXPORTER: z.string().optional(),
  /** true: no traces, whatever else is set. */
  OTEL_SDK_DISABLED: z.string().optional(),
  /**
   * Which traces are recorded: always_on, always_off or traceidratio, each also with parentbased_ before it, which is the same
   * here: a trace begins with us. Default: all.
   */
  OTEL_TRACES_SAMPLER: z.string().optional(),
  /** The share of traces for traceidratio, from 0 to 1. Set it alike on all nodes. Default 1. */
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
  /** The most spans of a thread that wait for the collector. Further ones are dropped and counted. Default 2048. */
  OTEL_BSP_MAX_QUEUE_SIZE: integer(1, 100_000).default(2_048),
  /** The most spans in one request to the collector. Default 512. */
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: integer(1, 100_000).default(512),
  /** How long spans wait for others before they are sent, in milliseconds. Default 5000. */
  OTEL_BSP_SCHEDULE_DELAY: integer(1, 600_000).default(5_000),
  /** What the exporter reads itself: headers such as the token of a collector, gzip, and its time limit in milliseconds. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_EXPORTER_OTLP_COMPRESSION: z.string().optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.string().optional(),
  /** The name of the service in traces, and further attributes of it. Default: commonweal. */
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
});

type Environment = z.output<typeof environment>;

/** The settings as plain data, so that they can be passed to threads. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Undefined: the listening address. */
  readonly baseUrl: string | undefined;
  /** Undefined: the same as baseUrl. */
  readonly authUrl: string | undefined;
  readonly dataDir: string;
  /** Undefined: no backup is taken by itself. */
  readonly backupDir: string | undefined;
  readonly backupKeepDays: number;
  /** What copies each backup in it to another place. Undefined: nothing does. */
  readonly backupAfter: BackupAfter | undefined;
  /** Whether the newest backup in it is tried every week. */
  readonly backupDrill: 'weekly' | 'never';
  /** Undefined: the embedded event store in the data folder. */
  readonly eventStoreUrl: string | undefined;
  readonly eventStoreNamespace: string | undefined;
  /** Undefined: read models, vault, leases and side tables in the data folder. */
  readonly mongoUrl: string | undefined;
  readonly masterKey: string | undefined;
  /** Also opens what is sealed, while the master key is rotated. */
  readonly masterKeyPrevious: string | undefined;
  readonly roles: readonly Role[];
  readonly trustProxy: readonly string[];
  readonly limits: LimitNumbers;
  /** Of codes, tokens and sessions, in seconds. */
  readonly lifetimes: {
    readonly code: number;
    readonly access: number;
    readonly refreshIdle: number;
    readonly refresh: number;
    readonly sessionIdle: number;
    readonly session: number;
  };
  /** Of records of which nothing tells the time zone. */
  readonly timeZone: string | undefined;
  /** How long an invitation to a team can be used. */
  readonly invitationSeconds: number;
  /** How long a request to erase an account can be withdrawn, in seconds. */
  readonly erasureGraceSeconds: number;
  /** Undefined: in the data folder, or with MongoDB in a collection alone. */
  readonly erasureLedger: string | undefined;
  readonly unverifiedAccountSeconds: number;
  /** Undefined: mails wait in the outbox. */
  readonly smtpUrl: string | undefined;
  /** Undefined: no-reply at the host of the sign-in address. */
  readonly mailFrom: string | undefined;
  /** The first administrator; undefined: a one-time link. */
  readonly administrator: { readonly email: string; readonly password: string } | undefined;
  readonly legacyAfterSunset: 'serve' | 'gone';
  /** The sentence about emergencies, by language. Undefined: our own. `off`: none. */
  readonly crisisText: ReadonlyMap<string, string | undefined>;
  /** `off`: there is no link to leave quickly. */
  readonly quickExit: string;
  /** Undefined: results are on no map. */
  readonly map: { readonly tiles: string; readonly attribution: string } | undefined;
  readonly allowPrivateWebhooks: boolean;
  readonly webhookSchedule: readonly number[] | undefined;
  readonly webhookHeldMs: number;
  readonly webhookConcurrency: number;
  /** Undefined: as the policy of webhooks says. */
  readonly webhookSubscriptionsPerTeam: number | undefined;
  /** Of the proof log. `push`: where they are sent, an https address or a path; undefined: nowhere. */
  readonly checkpoints: { readonly everyMs: number; readonly push: string | undefined };
  /** Of the proof log. */
  readonly witnesses: Witnesses;
  /** The vkeys of the logs of others that this server cosigns. */
  readonly cosignedLogs: readonly string[];
  /** After how many days without a confirmation a record and its parts are stale. */
  readonly staleAfterDays: Readonly<Record<Stale, number>>;
  /** Whether what people look for on the public pages is counted, without telling whom. */
  readonly countSearches: boolean;
  /** Of directories that teams follow: how often they are read, and after how long they are silent. */
  readonly following: { readonly everyMs: number; readonly silentMs: number };
  /** Undefined: the audit log is pushed nowhere. */
  readonly auditPush: AuditPush | undefined;
  /** Undefined: derived from the limit of file descriptors. */
  readonly maxConnections: number | undefined;
  readonly drainMs: number;
  /** The port for operators. Undefined: there is none. */
  readonly metrics: MetricsPort | undefined;
  readonly logLevel: Environment['LOG_LEVEL'];
  /** Undefined: there are no traces. */
  readonly traces: Traces | undefined;
}

/** The traces of OpenTelemetry. What else the exporter needs, such as headers, it reads from the environment itself. */
export interface Traces {
  /** The collector, without user, path and query. */
  readonly address: string;
  /** Which share of all traces is recorded, from 0 to 1. */
  readonly ratio: number;
  readonly queue: { readonly size: number; readonly batch: number; readonly everyMs: number };
}

/** A program that copies a backup. */
export interface BackupAfter {
  /** Its path and its arguments. The folder of the backup follows. */
  readonly command: readonly string[];
  readonly longestMs: number;
}

/** A witness of the proof log. */
export interface NamedWitness {
  readonly vkey: string;
  /** Under which it has `add-checkpoint`, without a slash at its end. */
  readonly url: string;
}

/** Where the audit log is pushed. */
export interface AuditPush {
  readonly url: string;
  readonly format: (typeof pushFormats)[number];
  /** `whsec_…`: the key of the signatures. */
  readonly key: string;
  /** Where the first start begins. */
  readonly from: 'now' | 'beginning';
}

export interface Witnesses {
  readonly named: readonly NamedWitness[];
  /** How many of them must cosign. 0: there are none. */
  readonly quorum: number;
}

/** More than half of so many witnesses. */
export const majority = (count: number): number => (count === 0 ? 0 : Math.floor(count / 2) + 1);

/** Where metrics, status and health are served to operators. */
export interface MetricsPort {
  readonly host: string;
  readonly port: number;
  /** Undefined only on the loopback: whoever is on this machine may ask. */
  readonly token: string | undefined;
}

/** Settings that may be in a file named by NAME_FILE, as orchestrators provide secrets. */
const secrets = [
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'MASTER_KEY',
  'MASTER_KEY_PREVIOUS',
  'SMTP_URL',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'AUDIT_PUSH_KEY',
] as const;

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
      'MASTER_KEY must be set when EVENTSTORE_URL or MONGODB_URL is set: every node needs the same one. For a log that began embedded it is in DATA_DIR/master.key.',
    );
  }
  if (is.MASTER_KEY_PREVIOUS !== undefined && is.MASTER_KEY === undefined) {
    throw new ConfigError(
      'MASTER_KEY_PREVIOUS has no effect without MASTER_KEY; unset it. In DATA_DIR the previous key is in master.key.previous.',
    );
  }
  if (is.BACKUP_AFTER !== undefined && is.BACKUP_DIR === undefined) {
    throw new ConfigError('BACKUP_AFTER copies what is in BACKUP_DIR; set that too, or unset it.');
  }
  if (is.EVENTSTORE_NAMESPACE !== undefined && is.EVENTSTORE_URL === undefined) {
    throw new ConfigError('EVENTSTORE_NAMESPACE has no effect without EVENTSTORE_URL; unset it.');
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
    backupDir: is.BACKUP_DIR,
    backupKeepDays: is.BACKUP_KEEP_DAYS,
    backupAfter:
      is.BACKUP_AFTER === undefined
        ? undefined
        : { command: is.BACKUP_AFTER, longestMs: is.BACKUP_AFTER_SECONDS * 1_000 },
    backupDrill: is.BACKUP_DRILL,
    eventStoreUrl: is.EVENTSTORE_URL,
    eventStoreNamespace: is.EVENTSTORE_NAMESPACE,
    mongoUrl: is.MONGODB_URL,
    masterKey: is.MASTER_KEY,
    masterKeyPrevious: is.MASTER_KEY_PREVIOUS,
    roles: is.ROLES,
    trustProxy: is.TRUST_PROXY,
    limits: limitNumbers(is),
    lifetimes: {
      code: is.CODE_SECONDS,
      access: is.ACCESS_TOKEN_SECONDS,
      refreshIdle: is.REFRESH_IDLE_SECONDS,
      refresh: is.REFRESH_SECONDS,
      sessionIdle: is.SESSION_IDLE_SECONDS,
      session: is.SESSION_SECONDS,
    },
    timeZone: is.TIME_ZONE,
    invitationSeconds: is.INVITATION_SECONDS,
    erasureGraceSeconds: is.ERASURE_GRACE_SECONDS,
    erasureLedger: is.ERASURE_LEDGER,
    unverifiedAccountSeconds: is.UNVERIFIED_ACCOUNT_SECONDS,
    smtpUrl: is.SMTP_URL,
    mailFrom: is.MAIL_FROM,
    administrator: administratorOf(is),
    legacyAfterSunset: is.LEGACY_AFTER_SUNSET,
    crisisText: new Map(
      languageCodes.map((code) => [code, set[`CRISIS_TEXT_${code.toUpperCase()}`] ?? is.CRISIS_TEXT]),
    ),
    quickExit: is.QUICK_EXIT,
    map: mapOf(is),
    allowPrivateWebhooks: is.ALLOW_PRIVATE_WEBHOOKS,
    webhookSchedule: is.WEBHOOK_SCHEDULE,
    webhookConcurrency: is.WEBHOOK_CONCURRENCY,
    webhookHeldMs: is.WEBHOOK_HELD_DAYS * days * 1_000,
    webhookSubscriptionsPerTeam: is.WEBHOOK_SUBSCRIPTIONS_PER_TEAM,
    staleAfterDays: is.STALE_AFTER_DAYS,
    countSearches: is.COUNT_SEARCHES,
    following: { everyMs: is.FOLLOW_SECONDS * 1_000, silentMs: is.FOLLOW_SILENT_DAYS * 86_400_000 },
    checkpoints: { everyMs: is.CHECKPOINT_SECONDS * 1_000, push: is.CHECKPOINT_PUSH },
    witnesses: witnessesOf(is),
    cosignedLogs: [
      ...new Set([...(is.WITNESS_FOR ?? []), ...(is.WITNESS_PEERS ?? []).map(({ log }) => log)]),
    ],
    auditPush: auditPushOf(is),
    maxConnections: is.MAX_CONNECTIONS,
    drainMs: is.DRAIN_SECONDS * 1_000,
    metrics: metricsOf(is),
    logLevel: is.LOG_LEVEL,
    traces: tracesOf(is),
  };
}

/** @throws ConfigError for what would leave an operator without the traces that the variables ask for */
function tracesOf(is: Environment): Traces | undefined {
  const variable = is.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
    ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
    : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const endpoint = is[variable];
  const exporters = is.OTEL_TRACES_EXPORTER ?? 'otlp';
  if (endpoint === undefined || exporters === 'none' || /^true$/i.test(is.OTEL_SDK_DISABLED ?? ''))
    return undefined;
  if (exporters !== 'otlp') throw new ConfigError('OTEL_TRACES_EXPORTER must be otlp or none');
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new ConfigError(
      `${variable} must be an http or https address, such as http://localhost:4318; OTEL_SDK_DISABLED=true turns traces off`,
    );
  const protocol = is.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? is.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol !== undefined && protocol !== 'http/protobuf')
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, which collectors take at port 4318; OTEL_SDK_DISABLED=true turns traces off`,
    );
  return {
    address: new URL(endpoint).origin,
    ratio: sampledShareOf(is),
    queue: {
      size: is.OTEL_BSP_MAX_QUEUE_SIZE,
      batch: Math.min(is.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, is.OTEL_BSP_MAX_QUEUE_SIZE),
      everyMs: is.OTEL_BSP_SCHEDULE_DELAY,
    },
  };
}

/** @throws ConfigError */
function sampledShareOf({
  OTEL_TRACES_SAMPLER: sampler,
  OTEL_TRACES_SAMPLER_ARG: share,
}: Environment): number {
  switch (sampler?.replace(/^parentbased_/, '')) {
    case undefined:
    case 'always_on':
      return 1;
    case 'always_off':
      return 0;
    case 'traceidratio': {
      const ratio = Number(share ?? 1);
      if (ratio >= 0 && ratio <= 1) return ratio;
      throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be 0 to 1');
    }
    default:
      throw new ConfigError(
        'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, each also with parentbased_ before it',
      );
  }
}

/** @throws ConfigError */
function witnessesOf({ WITNESSES = [], WITNESS_PEERS = [], WITNESS_QUORUM }: Environment): Witnesses {
  const named = [...WITNESSES, ...WITNESS_PEERS.map(({ vkey, url }) => ({ vkey, url }))];
  const names = named.map(({ vkey }) => vkey.split('+')[0]);
  if (new Set(names).size < names.length)
    throw new ConfigError(
      `${WITNESS_PEERS.length === 0 ? 'WITNESSES names' : 'WITNESSES and WITNESS_PEERS name'} a witness twice.`,
    );
  const quorum = WITNESS_QUORUM ?? majority(named.length);
  if (quorum > named.length)
    throw new ConfigError(
      `WITNESS_QUORUM is ${quorum}, and ${WITNESS_PEERS.length === 0 ? 'WITNESSES names' : 'WITNESSES and WITNESS_PEERS name'} ${named.length}.`,
    );
  return { named, quorum };
}

/** @throws ConfigError */
function auditPushOf(is: Environment): AuditPush | undefined {
  const { AUDIT_PUSH: url, AUDIT_PUSH_KEY: key, AUDIT_PUSH_FORMAT: format, AUDIT_PUSH_FROM: from } = is;
  if (url === undefined) return undefined;
  if (key === undefined) {
    throw new ConfigError(
      'AUDIT_PUSH needs AUDIT_PUSH_KEY, with which requests are signed: `echo "whsec_$(openssl rand -base64 32)"` makes one.',
    );
  }
  return { url, key, format, from };
}

/** Whether traffic to an address is unencrypted: http to a host other than localhost. */
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

/** Where the log and the read models are stored, for display: without user names or passwords. */
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

/** The name of an erasure ledger in DATA_DIR, in BACKUP_DIR and in a backup. */
export const ledgerName = 'erasures.log';

/** A file of the erasure ledger, and the setting that places it. */
export interface LedgerFile {
  readonly path: string;
  readonly setting: 'ERASURE_LEDGER' | 'BACKUP_DIR';
}

/**
 * The files of the erasure ledger. One of them is beside the backups, so that it is there after the data folder is lost.
 * With MongoDB there is also a collection.
 */
export function ledgerFilesOf({
  dataDir,
  mongoUrl,
  erasureLedger,
  backupDir,
}: Config): readonly LedgerFile[] {
  const files: LedgerFile[] = [];
  const ofStores = erasureLedger ?? (mongoUrl === undefined ? join(dataDir, ledgerName) : undefined);
  if (ofStores !== undefined) files.push({ path: ofStores, setting: 'ERASURE_LEDGER' });
  if (backupDir !== undefined) files.push({ path: join(backupDir, ledgerName), setting: 'BACKUP_DIR' });
  return files;
}

/** Whether an address can be reached from this machine only. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);

function metricsOf({
  METRICS_PORT: port,
  METRICS_HOST: host,
  METRICS_TOKEN: token,
}: Environment): MetricsPort | undefined {
  if (port === undefined) return undefined;
  if (token === undefined && !isLoopback(host)) {
    throw new ConfigError(
      `METRICS_HOST ${host} can be reached from other machines: set METRICS_TOKEN, or listen on 127.0.0.1.`,
    );
  }
  return { host, port, token };
}

/** Where results are shown on a map, and whom the map names. */
function mapOf({ MAP_TILES: tiles, MAP_ATTRIBUTION: attribution }: Environment): Config['map'] {
  if (tiles === undefined) return undefined;
  if (attribution === undefined)
    throw new ConfigError(
      'MAP_ATTRIBUTION must be set when MAP_TILES is set: providers of maps ask to be named.',
    );
  return { tiles, attribution };
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

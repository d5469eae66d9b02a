import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start, type Running } from '../faults/processes.ts';
import { dropDatabase, isEmbedded, keepsViewsInFolder, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { administrator, fullRun, person } from './sign-in-full-run.ts';

/** What people say of themselves or type, by a piece that occurs nowhere else. */
const pieces: Readonly<Record<string, string>> = {
  'her address': 'philomena.quist',
  'the host of her address': 'mailbox.example',
  'her new address': 'quist.moved',
  'the host of her new address': 'elsewhere.example',
  'her given name': 'Philomena',
  'her family name': 'Özdemir-Quist',
  'her username': 'quistling',
  'her telephone number': '202 555 0143',
  'her telephone number without spaces': '12025550143',
  'the address of her picture': 'portraits.example',
  'her password': person.password,
  'her second password': person.secondPassword,
  'her third password': person.thirdPassword,
  'a wrong password': person.wrongPassword,
  'the address of the administrator': 'head.gardener',
  'the password of the administrator': administrator.password,
};

/** What somebody could look through. */
interface Place {
  readonly name: string;
  /** A character for each byte, in lower case, so that no change of case hides anything. */
  readonly text: string;
}

describe.skipIf(missing)(onEngines('after a full run of the sign-in provider'), () => {
  const folder = temporaryFolder();
  const secrets = new Map<string, string>();
  let known: { readonly user: string; readonly client: string };
  let types: readonly string[];
  let events: Place;
  let written: readonly Place[];
  let files: readonly Place[];
  beforeAll(async () => {
    for (const [what, value] of Object.entries(pieces)) keep(what, value);
    const server = start('src/main.js', ['serve', '--json'], folder.path, {
      LOG_LEVEL: 'trace',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    });
    try {
      known = await fullRun({ base: await baseOf(server), dataDir: folder.path, keep });
    } finally {
      await server.stop();
    }
    const { code, stdout, stderr } = await server.ended;
    expect(code).toBe(0);
    written = [placeOf('stdout', stdout), placeOf('stderr', stderr)];
    const log = await start('src/main.js', ['events', '--json'], folder.path).ended;
    expect(log).toMatchObject({ code: 0, stderr: '' });
    events = placeOf('the events', log.stdout);
    types = log.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    // By now no process has them open.
    files = readdirSync(folder.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => placeOf(name, readFileSync(join(parentPath, name))));
  }, 120_000);
  afterAll(async () => {
    await dropDatabase(folder.path);
    folder.remove();
  });

  test('everything has happened that there is to tell of', () => {
    expect(everyType.filter((type) => !types.includes(type))).toEqual([]);
    expect([...new Set(secrets.values())]).toEqual(expect.arrayContaining([...everyKind]));
  });

  test('the search finds what is known to be there, and a secret in whatever guise', () => {
    const places = [events, ...written, ...files];
    const holding = (value: string) =>
      new Set(places.filter((place) => holds(place, value)).map(({ name }) => name.replace(/-wal$/, '')));
    const inFolder = (...names: string[]) => (keepsViewsInFolder ? names : []);
    // Why sign-ins of a site were refused stands in side.db for a week, once its write was due.
    const refusals = keepsViewsInFolder ? 'side.db' : '';
    const ofSite = holding(known.client);
    ofSite.delete(refusals);
    expect(ofSite).toEqual(
      new Set(['the events', 'stderr', ...(isEmbedded ? ['events.db'] : []), ...inFolder('views.db')]),
    );
    expect(holding(known.user)).toEqual(
      new Set(['the events', ...(isEmbedded ? ['events.db'] : []), ...inFolder('vault.db', 'views.db')]),
    );
    // Mails wait there, sealed, under their times: 15 digits of milliseconds.
    expect(holding('mail001')).toEqual(new Set(inFolder('side.db')));
    for (const guise of guises) {
      const trap = placeOf('a trap', `before ${guise('Özdemir-Quist')} behind`);
      expect(foundIn(trap), trap.text).toEqual(['her family name']);
    }
  });

  test('no event holds a secret or anything about a person in clear', () => {
    expect(foundIn(events)).toEqual([]);
  });

  test('nor does a file of the data folder', () => {
    for (const file of files) expect(foundIn(file), file.name).toEqual([]);
  });

  test('nor does a line that the server has written, at the chattiest level', () => {
    for (const output of written) expect(foundIn(output), output.name).toEqual([]);
  });

  function keep(what: string, value: string): void {
    // What is too short would be found anywhere.
    if (value.length < 8) throw new Error(`${what} is too short.`);
    // It stays what it was first: the field of a page may hold a link.
    if (!secrets.has(value)) secrets.set(value, what);
  }

  const foundIn = (place: Place): string[] => [
    ...new Set([...secrets].filter(([value]) => holds(place, value)).map(([, what]) => what)),
  ];
});

/** What the run must have come by. */
const everyKind = [
  ...Object.keys(pieces),
  'a code',
  'a verifier',
  'a state',
  'a nonce',
  'an access token',
  'a refresh token',
  'the signature of an id_token',
  'a link',
  'the cookie commonweal',
  'the cookie commonweal-browser',
  'the field token',
  'the field continue',
];

const everyType = [
  'ClientRegistered',
  'UserRegistered',
  'UserProfileChanged',
  'UserEmailChanged',
  'UserEmailVerified',
  'UserPasswordChanged',
  'SessionStarted',
  'SessionEnded',
  'ConsentGranted',
  'ConsentRevoked',
  'AuthorizationCodeIssued',
  'TokensIssued',
  'TokensRefreshed',
  'TokenRevoked',
  'GrantRevoked',
];

/** Where it listens, as people address it, as soon as it is ready. */
async function baseOf(server: Running): Promise<string> {
  const ended = server.ended.then(({ code, stderr }) => {
    throw new Error(`The server ended with ${String(code)} before it was ready: ${stderr}`);
  });
  const ready = until(async () => {
    const line = /^{.*}$/m.exec(server.written())?.[0];
    if (line === undefined) return undefined;
    const { base } = JSON.parse(line) as { base: string };
    return (await fetch(`${base}/readyz`)).ok && base;
  });
  return Promise.race([ready, ended]);
}

const placeOf = (name: string, content: string | Buffer): Place => ({
  name,
  text: Buffer.from(content).toString('latin1').toLowerCase(),
});

const holds = ({ text }: Place, value: string): boolean =>
  writings(value).some((writing) => text.includes(writing));

/** How a text can stand somewhere and still be read by whoever looks. */
const guises: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams({ '': text }).toString().slice(1),
  (text) => text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (text) => Buffer.from(text).toString('hex'),
  (text) => [...Buffer.from(text)].join(),
  ...['', 'x', 'xy'].flatMap((before) =>
    (['base64', 'base64url'] as const).map(
      (encoding) => (text: string) => inner(before.length, Buffer.from(before + text), encoding),
    ),
  ),
];

/** The digits that depend on nothing but the text, behind so many bytes of something else. */
const inner = (before: number, bytes: Buffer, encoding: 'base64' | 'base64url'): string =>
  bytes.toString(encoding).slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));

const writings = (text: string): readonly string[] => guises.map((guise) => placeOf('', guise(text)).text);

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldsOf } from '../../scripts/events-page.ts';
import { payloadSchema } from '../../src/events/webhooks/payload.ts';
import { firesWhen } from '../../src/events/webhooks/payload.ts';
import { exampleBody, schemaPath } from '../../src/events/webhooks/published-schema.ts';
import { choosableEvents, type WebhookEvent } from '../../src/events/webhooks/webhook-events.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { temporaryFolder } from '../support/folder.ts';
import { attemptedAt, realDelivery, type RealDelivery } from './real-delivery.ts';

const page = new URL('../../docs/webhooks.md', import.meta.url);
const begin = '<!-- catalogue -->';
const end = '<!-- end of catalogue -->';

const section = (event: WebhookEvent): string =>
  [
    `### ${event}`,
    `${firesWhen[event]} Schema: \`${schemaPath(event)}\`.`,
    fieldsOf(payloadSchema(event).shape.data),
    `\`\`\`json\n${JSON.stringify(exampleBody(event).data, null, 2)}\n\`\`\``,
  ].join('\n\n');

test('docs/webhooks.md lists every event as its schema says', async () => {
  const text = readFileSync(page, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const [, after = ''] = rest.split(end);
  const catalogue = choosableEvents.map(section).join('\n\n');
  const config = await resolveConfig(page);
  const expected = await format(`${before}${begin}\n\n${catalogue}\n\n${end}${after}`, {
    ...config,
    parser: 'markdown',
  });
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, expected);
  expect(readFileSync(page, 'utf8'), 'run the tests with UPDATE_DOCS=1 to write it').toBe(expected);
});

/** The code of a language on the page. */
function snippet(language: string): string {
  const [, code] =
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(page, 'utf8')) ?? [];
  if (code === undefined) throw new Error(`The page has no ${language}.`);
  return code;
}

interface Request {
  readonly secret: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}
/** What the functions of a snippet answer for a request. */
type Check = (request: Request) => Promise<{ readonly signed: boolean; readonly recent: boolean }>;

const folder = temporaryFolder();
let delivery: RealDelivery;
beforeAll(async () => {
  delivery = await realDelivery();
});
afterAll(() => {
  folder.remove();
});

const inNode: Check = async ({ secret, body, headers }) => {
  const file = join(folder.path, 'verify.mjs');
  writeFileSync(file, snippet('js'));
  const { isSigned, isSignedAndRecent } = (await import(pathToFileURL(file).href)) as {
    isSigned: (secret: string, signature: string, body: Buffer) => boolean;
    isSignedAndRecent: (secret: string, standard: object, body: Buffer) => boolean;
  };
  const standard = {
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signatures: headers['webhook-signature'],
  };
  return {
    signed: isSigned(secret, headers['x-service-signature'] ?? '', body),
    recent: isSignedAndRecent(secret, standard, body),
  };
};

/** Runs a snippet of another language, with what asks it: that reads the request from its input. */
const through =
  (command: string, file: string, code: () => string): Check =>
  async ({ secret, body, headers }) => {
    const path = join(folder.path, file);
    writeFileSync(path, code());
    const input = JSON.stringify({ secret, body: body.toString('base64'), headers });
    const { status, stdout, stderr } = spawnSync(command, [path], { input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
    return JSON.parse(stdout) as { signed: boolean; recent: boolean };
  };

const inPython = through(
  'python3',
  'verify.py',
  () => `${snippet('python')}

import json
import sys

given = json.load(sys.stdin)
headers = given["headers"]
body = base64.b64decode(given["body"])
print(json.dumps({
    "signed": is_signed(given["secret"], headers["x-service-signature"], body),
    "recent": is_signed_and_recent(
        given["secret"], headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"], body
    ),
}))
`,
);

const inPhp = through(
  'php',
  'verify.php',
  () => `${snippet('php')}
$given = json_decode(file_get_contents('php://stdin'), true);
$headers = $given['headers'];
$body = base64_decode($given['body']);
echo json_encode([
    'signed' => is_signed($given['secret'], $headers['x-service-signature'], $body),
    'recent' => is_signed_and_recent(
        $given['secret'], $headers['webhook-id'], $headers['webhook-timestamp'], $headers['webhook-signature'], $body
    ),
]);
`,
);

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

describe.each([
  ['Node', true, inNode],
  ['Python', isThere('python3'), inPython],
  ['PHP', isThere('php'), inPhp],
] as const)('the check in %s', (_, there, check) => {
  const header = (name: string, value: string) => ({
    ...delivery,
    headers: { ...delivery.headers, [name]: value },
  });

  test.runIf(there)('accepts a real delivery, by both signatures', async () => {
    expect(await check(delivery)).toEqual({ signed: true, recent: true });
  });

  test.runIf(there)('accepts a signature among several', async () => {
    const several = `v1,${'A'.repeat(43)}= ${delivery.headers['webhook-signature'] ?? ''}`;
    expect(await check(header('webhook-signature', several))).toMatchObject({ recent: true });
  });

  test.runIf(there)('refuses another body, another secret and a missing signature', async () => {
    const body = Buffer.from(delivery.body);
    body[body.length - 2] = (body[body.length - 2] ?? 0) ^ 1;
    const refused = { signed: false, recent: false };
    expect(await check({ ...delivery, body })).toEqual(refused);
    const secret = newSigningSecret((size) => Buffer.alloc(size, 7));
    expect(await check({ ...delivery, secret })).toEqual(refused);
    expect(await check(header('x-service-signature', ''))).toMatchObject({ signed: false });
    expect(await check(header('webhook-signature', ''))).toMatchObject({ recent: false });
    expect(await check(header('webhook-signature', 'v1,ä'))).toMatchObject({ recent: false });
  });

  test.runIf(there)('refuses what is old, and an old request with a new time', async () => {
    const old = attemptedAt(delivery, new Date(Date.now() - 6 * 60_000));
    expect(await check({ ...delivery, headers: old })).toEqual({ signed: true, recent: false });
    const now = String(Math.floor(Date.now() / 1_000));
    expect(await check({ ...delivery, headers: { ...old, 'webhook-timestamp': now } })).toMatchObject({
      recent: false,
    });
    expect(await check(header('webhook-timestamp', 'soon'))).toMatchObject({ recent: false });
  });
});

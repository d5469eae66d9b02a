import { hash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import fastify from 'fastify';
import { cursors } from '../src/api/directory/cursor.ts';
import { securityHeaders } from '../src/api/http/security-headers.ts';
import { resources } from '../src/projections/directory/resources.ts';

/**
 * The v1 list as one would write it by hand, with care, and nothing else: Fastify, a table of records as they are sent, an
 * index for each order, prepared statements. Each request looks its key up by the hash, counts against its limit, opens the
 * cursor, reads the page and makes its validator. The answers are ours, byte for byte.
 * Arguments: the views.db that the records come from, the file for its own, the key, the master key in base64.
 */
const [views = '', file = '', key = '', masterKey = ''] = process.argv.slice(2);
const path = '/dash/api/v1/resources';
const limit = { points: 100_000_000, windowMs: 60_000 };

const db = new DatabaseSync(file);
db.exec('PRAGMA journal_mode = WAL');
db.prepare('ATTACH ? AS views').run(views);
const { generation } = db
  .prepare('SELECT generation FROM views.generations WHERE name = ? AND serving = 1')
  .get(resources.collection.name) as { generation: number };
db.exec(`
  CREATE TABLE keys (sha256 TEXT PRIMARY KEY, id TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE records (number INTEGER PRIMARY KEY, category TEXT NOT NULL, body TEXT NOT NULL);
  INSERT INTO records SELECT number, category, '{' || card || ',"updated_at":"' || updated_at || '"}'
    FROM views."${resources.collection.name}.${generation}" WHERE listed = 1;
  CREATE INDEX records_by_category ON records (category, number);
`);
const sha256 = (text: string) => hash('sha256', text);
db.prepare('INSERT INTO keys VALUES (?, ?)').run(sha256(key), 'reader');

const keyOf = db.prepare('SELECT id FROM keys WHERE sha256 = ?');
const page = (condition: string): StatementSync => {
  const statement = db.prepare(
    `SELECT number, body FROM records WHERE ${condition} number > ? ORDER BY number LIMIT +?`,
  );
  statement.setReturnArrays(true);
  return statement;
};
const pageOfAll = page('');
const pageOfCategory = page('category = ? AND');
const sealing = cursors(Buffer.from(masterKey, 'base64'));

interface Query {
  readonly limit: number;
  readonly cursor?: string;
  readonly category?: string;
}

const querystring = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    cursor: { type: 'string' },
    category: { type: 'string' },
  },
} as const;

const windows = new Map<string, { used: number; readonly endsAt: number }>();

/** Counts a request. Returns how many are left, and the seconds until there are more. */
function countedFor(id: string): { readonly left: number; readonly seconds: number } {
  const now = Date.now();
  let window = windows.get(id);
  if (window === undefined || window.endsAt <= now)
    windows.set(id, (window = { used: 0, endsAt: now + limit.windowMs }));
  window.used += 1;
  return { left: limit.points - window.used, seconds: Math.ceil((window.endsAt - now) / 1_000) };
}

const server = fastify();
server.get<{ Querystring: Query }>(path, { schema: { querystring } }, (request, reply) => {
  const { authorization = '' } = request.headers;
  const caller = keyOf.get(sha256(authorization.slice('Bearer '.length))) as { id: string } | undefined;
  if (caller === undefined) return reply.code(401).send({ code: 'invalid_token' });
  const { left, seconds } = countedFor(caller.id);
  if (left < 0) return reply.code(429).send({ code: 'rate_limited' });
  const { limit: size, cursor: sealed } = request.query;
  const cursor = sealed === undefined ? undefined : sealing.open(sealed);
  if (sealed !== undefined && cursor === undefined) return reply.code(400).send({ code: 'invalid_cursor' });
  const category = cursor?.filter.category ?? request.query.category;
  const [after = 0] = cursor?.place ?? [];
  const rows = (category === undefined
    ? pageOfAll.all(after, size + 1)
    : pageOfCategory.all(category, after, size + 1)) as unknown as [number, string][];
  const shown = rows.slice(0, size);
  const last = rows.length > size ? shown.at(-1) : undefined;
  const next = last && sealing.seal({ filter: { category }, place: [last[0]] });
  const end = next === undefined ? 'false,"next_cursor":null' : `true,"next_cursor":"${next}"`;
  const body = `{"data":[${shown.map(([, record]) => record).join(',')}],"has_more":${end}}`;
  const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
  reply.headers({
    ...securityHeaders,
    'x-request-id': randomUUID(),
    'ratelimit-policy': `"key";q=${limit.points};w=60`,
    ratelimit: `"key";r=${left};t=${seconds}`,
    vary: 'authorization, accept-encoding, origin',
    'cache-control': 'private, no-cache',
    etag,
    ...(next === undefined ? {} : { link: `<${path}?limit=${size}&cursor=${next}>; rel="next"` }),
    'content-type': 'application/json; charset=utf-8',
  });
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body);
});
await server.listen({ host: '127.0.0.1', port: 0 });
console.log((server.server.address() as AddressInfo).port);
process.on('SIGTERM', () => void server.close());

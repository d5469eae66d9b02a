import { createHmac, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';

const maximumAgeSeconds = 5 * 60;

/**
 * A receiver of webhooks. `handle` gets each event once. When it throws, the answer is 500 and the delivery comes again
 * later. `handled` knows the deliveries of this process: a real receiver keeps their ids where its data is.
 */
export function receiver({ secret, handle, handled = new Map(), logger = false }) {
  const server = Fastify({ logger });
  // The signature is of the bytes as they came, so nothing parses them before it is checked.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body));

  server.post('/webhooks', async ({ headers, body }, reply) => {
    if (!Buffer.isBuffer(body) || !isSigned(secret, headers, body))
      return reply.code(401).send('The signature is not valid.\n');
    const age = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']));
    if (!(age <= maximumAgeSeconds)) return reply.code(400).send('The request is too old.\n');

    const id = headers['webhook-id'];
    if (!handled.has(id)) handled.set(id, (async () => handle(JSON.parse(body)))());
    // A repeated delivery waits for the first one, and is acknowledged when that one has succeeded.
    await handled.get(id).catch((error) => {
      handled.delete(id);
      throw error;
    });
    return reply.code(204).send();
  });
  return server;
}

/** Standard Webhooks: HMAC-SHA256 of id, time and body, so none of them can be changed. Compared in constant time. */
function isSigned(secret, headers, body) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const hmac = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`);
  const expected = Buffer.from(`v1,${hmac.update(body).digest('base64')}`);
  const given = String(headers['webhook-signature'])
    .split(' ')
    .map((each) => Buffer.from(each));
  return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}

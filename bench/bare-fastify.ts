import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

/** The least that Fastify can do: a route that sends bytes made ready beforehand. Argument: the file that holds them. */
const body = readFileSync(process.argv[2] ?? '');
const server = fastify();
server.get('/dash/api/v1/resources', (_request, reply) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body),
);
await server.listen({ host: '127.0.0.1', port: 0 });
console.log((server.server.address() as AddressInfo).port);
process.on('SIGTERM', () => void server.close());

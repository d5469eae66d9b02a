import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { publishedSchema } from '../../src/events/webhooks/published-schema.ts';
import { choosableEvents } from '../../src/events/webhooks/webhook-events.ts';
import { problemsBySchema } from '../support/json-schema.ts';
import type { Certificate } from './certificate.ts';

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** How many connections were ever made to it. */
  connections(): number;
  /** Resolves when a connection that was made has closed again. */
  readonly closed: Promise<void>;
}

export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A web server that answers as told once it has the whole request. */
export function receiver(answer: (response: ServerResponse, request: Received) => void): Promise<Receiver> {
  return listen(createServer(wholeRequests(answer)), 'http');
}

export function tlsReceiver(certificate: Certificate): Promise<Receiver> {
  return listen(
    createTlsServer(
      certificate,
      wholeRequests((response) => response.end('over TLS')),
    ),
    'https',
  );
}

/** A server that speaks TCP only, told of each connection when its first bytes have come. */
export function rawReceiver(answer: (socket: Socket) => void): Promise<Receiver> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  return listen(server, 'http');
}

/** A port on which nobody listens. */
export async function deadPort(): Promise<number> {
  await using gone = await rawReceiver((socket) => socket.destroy());
  return gone.port;
}

const problemsOf = new Map(
  choosableEvents.map((event) => [event as string, problemsBySchema(publishedSchema(event, ''))] as const),
);

/** Every delivery that a test receives is as the published schema of its event says. Otherwise the test run fails. */
function requireAsPublished({ 'x-service-event': event }: IncomingMessage['headers'], body: Buffer): void {
  const problems =
    typeof event === 'string' ? problemsOf.get(event)?.(JSON.parse(body.toString())) : undefined;
  if (problems !== undefined && problems.length > 0)
    throw new Error(`A body of ${String(event)} is not as published: ${JSON.stringify(problems)}`);
}

function wholeRequests(answer: (response: ServerResponse, request: Received) => void): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      const body = Buffer.concat(chunks);
      requireAsPublished(headers, body);
      answer(response, { method, path, headers, body });
    });
  };
}

async function listen(server: Server, scheme: string): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const closed = Promise.withResolvers<undefined>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      closed.resolve(undefined);
    });
  });
  const ready = Promise.withResolvers<undefined>();
  server.listen(0, '127.0.0.1', () => ready.resolve(undefined));
  await ready.promise;
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}/hook`,
    connections: () => connections,
    closed: closed.promise,
    [Symbol.asyncDispose]: () => {
      const done = Promise.withResolvers<undefined>();
      server.close(() => done.resolve(undefined));
      for (const socket of sockets) socket.destroy();
      return done.promise;
    },
  };
}

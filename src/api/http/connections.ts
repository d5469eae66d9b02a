import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long the head of a request may take to arrive, and how long all of it; looked at every five seconds. */
const timeouts = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
} as const;
/** How long a connection may stand still in the middle of an answer: its client reads no more. */
const stillMs = 60_000;
/** How long a connection is kept for the next request: longer than proxies keep theirs, so that they close first. */
const keepAliveTimeout = 72_000;
/** Where room is needed, nobody goes who has been in this state for less: his bytes may be on their way. */
const settledMs = 1_000;
/** How long those who are about to send a request have for it when we stop, and how long answers may take then. */
const partingMs = 1_000;
const finishMs = 10_000;

/** Longest first in a flood: who has said nothing, who says nothing more, whose body has not come yet. */
const dispensable = ['silent', 'idle', 'receiving'] as const;
type State = (typeof dispensable)[number] | 'answering';

interface Connection {
  readonly socket: Socket;
  state: State;
  since: number;
  /** Of the requests that have come and are not answered: pipelining lets a connection have several. */
  requests: number;
  /** To the newest request, as long as it or its answer is under way. */
  answer: ServerResponse | undefined;
}

/**
 * The connections of a server: no more than `maximum`, and at the end none cut off. When there are too many, those
 * that have been silent longest make room, so that others are served while somebody opens thousands of
 * connections and says nothing. An answer that is being made is never cut off.
 */
export class Connections {
  readonly #maximum: number;
  #finishing = false;
  readonly #servers: Server[] = [];
  readonly #of = new Map<Socket, Connection>();
  /** In each state, the one that has been in it longest first. */
  readonly #in: Readonly<Record<State, Set<Connection>>> = {
    silent: new Set(),
    idle: new Set(),
    receiving: new Set(),
    answering: new Set(),
  };
  #emptied: () => void = () => undefined;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** A server whose connections are these. */
  server(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
    const server = createServer({ ...timeouts, keepAliveTimeout }, (request, response) => {
      this.#take(request, response);
      handle(request, response);
    });
    server.setTimeout(stillMs);
    server.on('connection', (socket: Socket) => this.#open(socket));
    this.#servers.push(server);
    return server;
  }

  /** Whether nothing may be written: an answer to what is being received has begun. */
  isAnswered(socket: Socket): boolean {
    return this.#of.get(socket)?.answer?.headersSent === true;
  }

  /**
   * Accepts nobody any more, lets what is under way end, and resolves when no connection is left. `patient`: also
   * waits a moment for requests that are on their way.
   */
  async finish({ patient }: { readonly patient: boolean }): Promise<void> {
    // http.Server.close would cut off who is about to send a request, and stop looking at the time limits.
    for (const server of this.#servers) if (server.listening) NetServer.prototype.close.call(server);
    // Not before: whoever is asked to close comes back at once, and would meet a port that is being closed.
    this.#finishing = true;
    for (const { answer } of this.#of.values()) if (answer && !answer.headersSent) askToClose(answer);
    const emptied = new Promise<void>((resolve) => (this.#emptied = resolve));
    if (this.#of.size === 0) return;
    if (patient) await within(partingMs, emptied);
    for (const { socket } of [...this.#in.silent, ...this.#in.idle]) socket.destroy();
    await within(finishMs, emptied);
    for (const socket of this.#of.keys()) socket.destroy();
  }

  #open(socket: Socket): void {
    const connection: Connection = {
      socket,
      state: 'silent',
      since: performance.now(),
      requests: 0,
      answer: undefined,
    };
    this.#of.set(socket, connection);
    this.#in.silent.add(connection);
    socket.once('close', () => this.#forget(connection));
    if (this.#of.size > this.#maximum) this.#makeRoom(connection);
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#of.get(request.socket);
    if (!connection) return;
    connection.requests += 1;
    connection.answer = response;
    if (this.#finishing) askToClose(response);
    if (hasBody(request)) {
      this.#move(connection, 'receiving');
      request.once('end', () => this.#move(connection, 'answering'));
    } else this.#move(connection, 'answering');
    response.once('close', () => {
      connection.requests -= 1;
      if (connection.requests > 0) return;
      if (request.complete) connection.answer = undefined;
      this.#move(connection, request.complete ? 'idle' : 'receiving');
    });
  }

  #move(connection: Connection, state: State): void {
    if (!this.#of.has(connection.socket)) return;
    this.#in[connection.state].delete(connection);
    connection.state = state;
    connection.since = performance.now();
    this.#in[state].add(connection);
  }

  #makeRoom(newest: Connection): void {
    const before = performance.now() - settledMs;
    const longest = dispensable.map((state) => this.#in[state].values().next().value);
    const leaves =
      longest.find((each) => each !== undefined && each.since < before) ??
      longest.find((each) => each !== undefined) ??
      newest;
    // At once: the next one may have to find room before this one's end is heard of.
    this.#forget(leaves);
    leaves.socket.destroy();
  }

  #forget(connection: Connection): void {
    this.#of.delete(connection.socket);
    this.#in[connection.state].delete(connection);
    if (this.#of.size === 0) this.#emptied();
  }
}

/** RFC 9112 section 9.6. */
const askToClose = (answer: ServerResponse): void => void answer.setHeader('connection', 'close');

/** RFC 9112 section 6.3: what says that a body follows. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function within(ms: number, promise: Promise<void>): Promise<void> {
  const early = new AbortController();
  await Promise.race([promise, sleep(ms, undefined, { signal: early.signal }).catch(() => undefined)]);
  early.abort();
}

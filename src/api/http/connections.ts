import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { pause } from '../../ground/back-off.ts';

// An import of values would read all of its exports, and so load the client behind `fetch`.
const { createServer } = process.getBuiltinModule('node:http');

/** How long the headers of a request, and the whole request, may take to arrive, in milliseconds. */
export interface ArrivalTimes {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
}
const publicTimes: ArrivalTimes = { headersTimeout: 15_000, requestTimeout: 30_000 };
/** How often these times are checked. A connection that sends nothing counts as one whose headers are late. */
const connectionsCheckingInterval = 5_000;
/** How long a client may read nothing in the middle of a response. */
const stillMs = 60_000;
/** How long an idle connection is kept: longer than proxies keep theirs, so that the proxy closes first. */
const keepAliveTimeout = 72_000;
/** A connection is not closed to make room within this time in its state: bytes may be on their way. */
const settledMs = 1_000;
/** On shutdown: how long to wait for requests that are about to be sent, and for responses. */
const partingMs = 1_000;
const finishMs = 10_000;

/**
 * The connections that are closed to make room, in this order: without a request yet, idle, with an incomplete
 * request.
 */
const dispensable = ['silent', 'idle', 'receiving'] as const;
type State = (typeof dispensable)[number] | 'answering';

interface Connection {
  readonly socket: Socket;
  state: State;
  since: number;
  /** Requests that have arrived and are not answered. With pipelining there may be several. */
  requests: number;
  /** The response to the newest request, until it is sent. */
  answer: ServerResponse | undefined;
}

/**
 * The connections of a server. There are at most `maximum`, and none is cut off on shutdown. When there are too many,
 * those that were silent for longest are closed, so that others are served while somebody opens thousands of idle
 * connections. A response in progress is never cut off.
 */
export class Connections {
  readonly #maximum: number;
  readonly #times: ArrivalTimes;
  #finishing = false;
  readonly #servers: Server[] = [];
  readonly #of = new Map<Socket, Connection>();
  /** In each state, longest first. */
  readonly #in: Readonly<Record<State, Set<Connection>>> = {
    silent: new Set(),
    idle: new Set(),
    receiving: new Set(),
    answering: new Set(),
  };
  #emptied: () => void = () => undefined;

  constructor(maximum: number, times = publicTimes) {
    this.#maximum = maximum;
    this.#times = times;
  }

  /** A server that uses these connections. */
  server(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
    const server = createServer(
      { ...this.#times, connectionsCheckingInterval, keepAliveTimeout },
      (request, response) => {
        this.#take(request, response);
        handle(request, response);
      },
    );
    server.setTimeout(stillMs);
    server.on('connection', (socket: Socket) => this.#open(socket));
    this.#servers.push(server);
    return server;
  }

  /** Whether a response to the incomplete request has begun, so that nothing else may be written. */
  isAnswered(socket: Socket): boolean {
    return this.#of.get(socket)?.answer?.headersSent === true;
  }

  /**
   * Accepts no more connections, finishes requests in progress, and resolves when no connection is left. `patient`:
   * also waits a moment for requests that are on their way. When `hurried` aborts, whatever is left is cut off.
   */
  async finish({
    patient,
    hurried = new AbortController().signal,
  }: {
    readonly patient: boolean;
    readonly hurried?: AbortSignal | undefined;
  }): Promise<void> {
    // http.Server.close would cut off clients that are about to send a request, and stop checking the time limits.
    for (const server of this.#servers) if (server.listening) NetServer.prototype.close.call(server);
    // Not earlier: a client that is asked to close reconnects at once, and would meet a port that is being closed.
    this.#finishing = true;
    for (const { answer } of this.#of.values()) if (answer && !answer.headersSent) askToClose(answer);
    const emptied = new Promise<void>((resolve) => (this.#emptied = resolve));
    if (this.#of.size === 0) return;
    if (patient) await within(partingMs, emptied, hurried);
    for (const { socket } of [...this.#in.silent, ...this.#in.idle]) socket.destroy();
    await within(finishMs, emptied, hurried);
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
      // Some answers are sent before the body has arrived, such as one that refuses it.
      request.once('end', () => this.#move(connection, connection.requests > 0 ? 'answering' : 'idle'));
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
    // At once: the next connection may need room before the close event of this one.
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

/** RFC 9112 section 6.3: headers that announce a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function within(ms: number, promise: Promise<void>, hurried: AbortSignal): Promise<void> {
  const early = new AbortController();
  await Promise.race([promise, pause(ms, AbortSignal.any([early.signal, hurried]))]);
  early.abort();
}

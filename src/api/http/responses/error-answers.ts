import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { commonProblem } from './errors.ts';
import { bodyLimitOf } from '../forms.ts';
import { pagePolicy, secure, securityHeaders } from '../security-headers.ts';
import { html } from '../../pages/html.ts';
import { docsPath } from '../../pages/paths.ts';
import { page } from '../../pages/frame/page-frame.ts';
import { problemBody, problemType, type Problem } from './problem.ts';
import { isFault, outageOf, problemOf } from './problem-of.ts';
import type { StoreError, StoreErrorCode } from '../../../stores/errors.ts';

/** Answers errors and unknown addresses as problem+json (RFC 9457). A browser that asks for a page gets one. */
export function answerProblems(server: FastifyInstance): void {
  server.setErrorHandler((error, request, reply) => sendProblem(problemAndLog(error, request), reply));
  const nothing = noPage('/', 'Go to the home page');
  const noGuide = noPage(docsPath, 'See all guides');
  server.setNotFoundHandler((request, reply) => {
    reply.header('vary', 'accept');
    return asksForPage(request)
      ? reply
          .code(404)
          .headers({ 'cache-control': 'no-store', 'content-security-policy': pagePolicy })
          .type('text/html; charset=utf-8')
          .send(request.url.startsWith(`${docsPath}/`) ? noGuide : nothing)
      : sendProblem(commonProblem('not_found', `There is nothing at this address.`), reply);
  });
}

/** Browsers name text/html when a person opens an address. Programs name JSON, or accept everything. */
function asksForPage({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  const wanted = accept
    .split(',')
    .some((range) => /^\s*text\/html\s*(;(?!.*\bq=0(\.0*)?\s*$)|$)/i.test(range));
  return (method === 'GET' || method === 'HEAD') && wanted;
}

const noPage = (to: string, label: string): string =>
  page({
    title: 'Not found',
    shape: 'narrow',
    content: html`<p>
        There is no page at this address. Check it for typing errors; the page may also have moved.
      </p>
      <p><a class="button primary" href="${to}">${label}</a></p>`,
  });

/** The problem of an error. A fault of the service is logged with its details, an outage of a store in one line. */
export function problemAndLog(error: unknown, request: FastifyRequest): Problem {
  const problem = isTooLong(error) ? tooLong(request) : problemOf(error);
  const outage = outageOf(problem);
  if (outage) logOutage(outage, request);
  else if (isFault(problem))
    request.log.error({ err: problem.cause ?? error, reqId: request.id }, problem.message);
  return problem;
}

const isTooLong = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';

/** Limits differ, so the answer names the one that the request has exceeded. */
const tooLong = (request: FastifyRequest): Problem =>
  commonProblem(
    'payload_too_large',
    `The request is too large: at most ${bodyLimitOf(request) / 1_024} KiB can be sent here.`,
  );

export function sendProblem(problem: Problem, reply: FastifyReply): FastifyReply {
  reply.request.refusedWith = problem.code;
  return reply
    .removeHeader('etag')
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...problem.headers })
    .type(problemType)
    .send(Buffer.from(problemBody(problem)));
}

/** For requests that never reach a route, because their address cannot be decoded. */
export const answerFrameworkError =
  (config: Parameters<typeof secure>[2]) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    secure(request, reply, config);
    void sendProblem(problemAndLog(error, request), reply);
  };

/** How long a client has to read why its connection is closed. */
const closingMs = 1_000;

/** For requests that are not HTTP, too large or too slow: answered on the socket, which is then closed. */
export function answerClientError(
  error: Error & { readonly code?: string },
  socket: Socket,
  { isAnswered }: { readonly isAnswered: boolean },
): void {
  // A client that has sent nothing expects no answer: browsers open connections in advance.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  // The other side may never close its half.
  const late = setTimeout(() => socket.destroy(), closingMs);
  socket.once('close', () => clearTimeout(late));
  if (isAnswered) socket.end();
  else socket.end(rawAnswer(clientProblem(error.code)));
}

function rawAnswer(problem: Problem): string {
  const body = problemBody(problem);
  const headers = {
    ...securityHeaders,
    'content-type': problemType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\n${head.join('')}\r\n${body}`;
}

function clientProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return commonProblem('headers_too_large', 'The address and all headers together may have 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return commonProblem('request_timeout', 'The request did not arrive in time.');
    case undefined:
    default:
      return commonProblem('bad_request', 'This is not a valid HTTP request.');
  }
}

/** While a store is away every request fails: one line a minute says so, and how many more there were. */
const againAfterMs = 60_000;

type Logged = Map<StoreErrorCode, { readonly at: number; since: number }>;
/** By the HTTP server that the parts of an application share. */
const loggedOf = new WeakMap<FastifyRequest['server']['server'], Logged>();

/** Logs that a store was away, busy or full, without a stack: it is no fault of the code. */
function logOutage({ code, message }: StoreError, request: FastifyRequest): void {
  const { server } = request.server;
  const logged: Logged = loggedOf.get(server) ?? new Map<StoreErrorCode, { at: number; since: number }>();
  loggedOf.set(server, logged);
  const last = logged.get(code);
  const now = performance.now();
  if (last && now - last.at < againAfterMs) {
    last.since += 1;
    return;
  }
  logged.set(code, { at: now, since: 0 });
  request.log.warn(
    { reqId: request.id, store: code, ...(last?.since ? { more: last.since } : {}) },
    `A store failed: ${message}`,
  );
}

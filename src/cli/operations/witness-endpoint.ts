import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  addCheckpoint,
  cosignedCheckpoint,
  type Witness,
} from '../../audit/proof-log/format/add-checkpoint.ts';
import { messageOf } from '../../ground/store-error.ts';
import { StoreError } from '../../stores/errors.ts';

/** A checkpoint with 16 signatures of the longest type and 63 lines of proof has some 60 kB. */
const mostBytes = 65_536;
/** A request of a few kilobytes that takes longer than this is not waited for. */
const requestMs = 10_000;
const mostConnections = 500;

export interface RunningWitness {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * The endpoint of a witness: `POST /add-checkpoint` and `GET /<origin hash>/checkpoint` of C2SP tlog-witness, both under
 * the root. Port 0 takes a free one.
 */
export async function startWitness(
  witness: Witness,
  { host, port }: { readonly host: string; readonly port: number },
  onFault: (message: string) => void,
): Promise<RunningWitness> {
  const server = createServer(
    { requestTimeout: requestMs, headersTimeout: requestMs },
    (request, response) => {
      respond(witness, request, response).catch((error: unknown) => {
        onFault(messageOf(error));
        const why =
          error instanceof StoreError ? 'The store of the witness does not answer' : 'The witness failed';
        send(response, 503, `${why}. Nothing was cosigned; try again.\n`);
      });
    },
  );
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const { address, family, port: open } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${open}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

async function respond(witness: Witness, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?');
  const { status, body, type } = await answerTo(witness, path, request);
  if (status === 405) response.setHeader('allow', 'POST');
  // The rest of what is too large is not read.
  if (status === 413) response.setHeader('connection', 'close');
  send(response, status, body, type);
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

async function answerTo(witness: Witness, path: string, request: IncomingMessage): Promise<Answer> {
  if (path === '/add-checkpoint') {
    if (request.method !== 'POST') return { status: 405, body: 'A checkpoint is sent by POST.\n' };
    const body = await bodyOf(request);
    return typeof body === 'string' ? addCheckpoint(witness, body) : body;
  }
  const [, originHash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
  const note = originHash === undefined ? undefined : await cosignedCheckpoint(witness, originHash);
  if (note !== undefined && request.method === 'GET') return { status: 200, body: note };
  return {
    status: 404,
    body: 'There is POST /add-checkpoint, and GET /<origin hash>/checkpoint of each log that was cosigned.\n',
  };
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(body);
}

/** The body, or why there is none. */
async function bodyOf(request: IncomingMessage): Promise<string | Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) return { status: 413, body: `A request has at most ${mostBytes} bytes.\n` };
      chunks.push(chunk);
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    return { status: 400, body: 'The request is not in UTF-8, or was broken off.\n' };
  }
}

import { pipeline, Readable } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest, RawServerBase, RawServerDefault } from 'fastify';
import type { CachedResponse } from './cached-response.ts';
import { acceptedEncoding, isCompressible, type Encoding } from './content-encoding.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The response whose compressed form should be cached. */
    sending: CachedResponse | undefined;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  interface RouteShorthandOptions<RawServer extends RawServerBase = RawServerDefault> {
    /** False: the answers of this route are sent as they are. */
    compress?: false;
  }
}

/** Below this size, compressing costs more than it saves. */
const fromBytes = 1_024;
/** Up to this size a response is compressed at once. Larger ones are streamed. */
const atOnceBytes = 128 * 1_024;
/** The most compressed forms of one response. A browser and a library send different headers; others are rare. */
const formsKept = 2;

/** Quality 11, that of Node, takes a hundred times as long for a tenth less. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressors = {
  br: {
    atOnce: (body: Buffer) => brotliCompressSync(body, brotli),
    stream: () => createBrotliCompress(brotli),
  },
  gzip: { atOnce: (body: Buffer) => gzipSync(body), stream: () => createGzip() },
} as const;

/**
 * br and gzip, by what the client accepts. A cached response is compressed once, not for each request. @fastify/compress
 * asks of each answer whether it is a `Response` of fetch, for which Node loads its HTTP client: 13 MB and, with what it
 * loads itself, a tenth of a start.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.decorateRequest('sending', undefined);
  server.addHook('onRoute', (route) => {
    if (route.compress === false) return;
    route.onSend = [...(route.onSend === undefined ? [] : [route.onSend].flat()), compressAnswer];
  });
}

function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const encoding = encodingFor(request, reply);
  const isStream = payload instanceof Readable;
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
  const bytes = isWhole ? Buffer.byteLength(payload) : Infinity;
  if (encoding === undefined || bytes < fromBytes || !(isStream || isWhole)) {
    done(null, payload);
    return;
  }
  addToVary(reply);
  reply.header('content-encoding', encoding);
  if (isWhole && bytes <= atOnceBytes) {
    const body = compressors[encoding].atOnce(typeof payload === 'string' ? Buffer.from(payload) : payload);
    reply.header('content-length', body.length);
    keepForm(request, encoding, body);
    done(null, body);
    return;
  }
  reply.removeHeader('content-length');
  const source = isStream ? payload : Readable.from([payload], { objectMode: false });
  const compressed = pipeline(source, compressors[encoding].stream(), (error) => {
    // A client that goes away is no fault.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') reply.log.error(error);
  });
  done(null, compressed);
}

/** How this answer is encoded. Undefined: as it is. */
function encodingFor({ headers }: FastifyRequest, reply: FastifyReply): Encoding | undefined {
  const { 'accept-encoding': accepted } = headers;
  if (accepted === undefined || headers['x-no-compression'] !== undefined) return undefined;
  const existing = reply.getHeader('content-encoding');
  if (existing !== undefined && existing !== 'identity') return undefined;
  // Content-Range counts bytes that are not encoded.
  if (reply.statusCode === 206 || reply.hasHeader('content-range')) return undefined;
  const mediaType = reply.getHeader('content-type');
  if (!isCompressible(typeof mediaType === 'string' ? mediaType : 'application/json')) return undefined;
  return acceptedEncoding(accepted);
}

function addToVary(reply: FastifyReply): void {
  const vary = [reply.getHeader('vary') ?? []].flat().map(String);
  if (!vary.some((each) => each.includes('accept-encoding')))
    reply.header('vary', [...vary, 'accept-encoding'].join(', '));
}

/** The cached compressed form of a response. When there is none, the next one is cached. */
export function keptForm(
  answer: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Buffer | undefined {
  const accepted = request.headers['accept-encoding'];
  if (typeof accepted !== 'string' || !answer.forms) return undefined;
  const form = answer.forms.get(accepted);
  if (form) reply.header('content-encoding', form.encoding);
  else request.sending = answer;
  return form?.body;
}

function keepForm(request: FastifyRequest, encoding: Encoding, body: Buffer): void {
  const forms = request.sending?.forms;
  const { 'accept-encoding': accepted } = request.headers;
  if (forms && forms.size < formsKept && typeof accepted === 'string' && accepted.length <= 200)
    forms.set(accepted, { encoding, body });
}

import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CachedResponse } from './cached-response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The response whose compressed form should be cached. */
    sending: CachedResponse | undefined;
  }
}

/** Below this size, compressing costs more than it saves. */
const fromBytes = 1_024;
/** Up to this size a response is compressed at once. Larger ones are streamed. */
const atOnceBytes = 128 * 1_024;
/** The most compressed forms of one response. A browser and a library send different headers; others are rare. */
const formsKept = 2;

/** br and gzip, by what the client accepts. A cached response is compressed once, not for each request. */
export async function compressAnswers(server: FastifyInstance): Promise<void> {
  await server.register(compress, {
    threshold: fromBytes,
    syncThreshold: atOnceBytes,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  });
  server.decorateRequest('sending', undefined);
  // Registered after the plugin's hook, so that it sees the compressed answer.
  server.addHook('onRoute', (route) => {
    const before = route.onSend === undefined ? [] : [route.onSend].flat();
    route.onSend = [...before, keepForm];
  });
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

function keepForm(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const forms = request.sending?.forms;
  if (forms && Buffer.isBuffer(payload) && forms.size < formsKept) {
    const encoding = reply.getHeader('content-encoding');
    const accepted = request.headers['accept-encoding'];
    if (typeof encoding === 'string' && typeof accepted === 'string' && accepted.length <= 200) {
      forms.set(accepted, { encoding, body: payload });
    }
  }
  done(null, payload);
}

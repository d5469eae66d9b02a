import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CachedResponse } from './cached-response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer being sent, whose compressed form is worth keeping. */
    sending: CachedResponse | undefined;
  }
}

/** Below this, compressing costs more than it saves. */
const fromBytes = 1_024;
/** Up to this it is done at once; larger answers are streamed. */
const atOnceBytes = 128 * 1_024;
/** Forms kept of one answer; a browser and a library ask differently, hardly anybody else does. */
const formsKept = 2;

/** br and gzip by what the client accepts. A finished answer is compressed once, not once for each request. */
export async function compressAnswers(server: FastifyInstance): Promise<void> {
  await server.register(compress, {
    threshold: fromBytes,
    syncThreshold: atOnceBytes,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  });
  server.decorateRequest('sending', undefined);
  // Registered after the plugin's own, so that it sees what the plugin made of the answer.
  server.addHook('onRoute', (route) => {
    const before = route.onSend === undefined ? [] : [route.onSend].flat();
    route.onSend = [...before, keepForm];
  });
}

/** The compressed form kept of an answer, if there is one; else asks for it to be kept. */
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

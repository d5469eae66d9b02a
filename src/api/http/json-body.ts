import type { FastifyInstance } from 'fastify';
import { commonProblem } from './responses/errors.ts';

/** The most bytes that a body may have. */
export const bodyLimit = 256 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Accepts JSON only. */
export function takeJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  takeJson(server);
}

/** Accepts JSON in UTF-8 (RFC 8259 section 8.1). The parser refuses members that would change a prototype. */
export function takeJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch {
      done(commonProblem('invalid_json', 'The body is not UTF-8.'));
      return;
    }
    void parse(request, text, done);
  });
}

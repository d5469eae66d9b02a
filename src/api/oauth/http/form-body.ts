import type { FastifyInstance } from 'fastify';
import { OAuthProblem } from '../errors.ts';

/** The media type of every body here (RFC 6749 appendix B). */
export const formType = 'application/x-www-form-urlencoded';

/** The most bytes that a form may have: tokens, codes and addresses are short. */
const formLimit = 16 * 1024;

/** Takes forms and nothing else, as the text they are: each endpoint reads the parameters that it knows. */
export function takeFormsOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: formLimit }, (_request, body, done) =>
    done(null, body),
  );
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(new OAuthProblem('invalid_request', `The body is ${formType} (RFC 6749 appendix B).`));
  });
}

/** The text of the form; a request without a body has sent no parameter. */
export const formOf = ({ body }: { readonly body: unknown }): string =>
  typeof body === 'string' ? body : '';

import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The media type of forms (RFC 6749 appendix B; HTML, section 4.10.22.6). */
export const formType = 'application/x-www-form-urlencoded';

interface FormRules {
  /** The most bytes that a form may have. */
  readonly limit: number;
  /** The error for a body of another type. */
  readonly otherType: () => Error;
}

interface FormBody {
  readonly text: unknown;
}

/**
 * Accepts forms only, as text: the endpoints of the sign-in provider refuse repeated parameters and broken
 * percent-encoding, which a parsed object would hide.
 */
export function takeForms(scope: FastifyInstance, { limit, otherType }: FormRules): void {
  scope.removeAllContentTypeParsers();
  scope.decorate(formLimit, limit);
  void scope.register(formbody, { bodyLimit: limit, parser: (text) => ({ text }) });
  scope.addContentTypeParser('*', (_request, _payload, done) => done(otherType()));
}

const formLimit = 'formLimit';

/** The most bytes that the body of a request may have: the limit of its route, of its forms, or of the server. */
export function bodyLimitOf({ server, routeOptions, headers }: FastifyRequest): number {
  const ofRoute = routeOptions.bodyLimit;
  if (ofRoute !== server.initialConfig.bodyLimit || headers['content-type']?.startsWith(formType) !== true)
    return ofRoute;
  return server.hasDecorator(formLimit) ? server.getDecorator<number>(formLimit) : ofRoute;
}

/** The text of the form. Empty for a request without a body, and for JSON. */
export function formOf({ body }: { readonly body: unknown }): string {
  const text = (body as Partial<FormBody> | undefined | null)?.text;
  return typeof text === 'string' ? text : '';
}

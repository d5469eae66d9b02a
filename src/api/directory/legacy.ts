import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { problemAndLog } from '../http/responses/error-answers.ts';
import type { Outcome } from '../../audit/request-kinds.ts';
import type { KeyUsageCounts } from '../../audit/key-usage-counts.ts';
import { countUse } from '../http/key-usage.ts';
import { Callers, isEnded } from '../http/key-lookup.ts';
import { baseOf, type ServerDependencies } from '../dependencies.ts';
import { allowsOrigin, originOf } from '../http/request-origin.ts';
import { documentedOnly } from '../http/read-parameters.ts';
import type { Gate } from '../http/ready-gate.ts';
import { parseKey } from '../../events/keys-format.ts';
import { sendResponse } from '../http/responses/send-response.ts';
import { LegacyRefusal, sendLegacyError, type LegacyError } from './legacy-errors.ts';
import { legacyListOf, type LegacyAnswer } from './legacy-list.ts';
import { readLegacyQuery, type LegacyQuery } from './legacy-query.ts';
import type { SearchCounting } from './upkeep/search-counting.ts';
import { legacyShape } from './legacy-shape.ts';
import { listPath, sunset } from '../read-api.ts';

const methods = 'GET, HEAD, OPTIONS';
const vary = 'x-api-key, accept-encoding, origin';

/**
 * The legacy list (interface 4.3, 7.3). Register it under its path. Every answer, errors too, has the deprecation
 * headers and can be read from any origin.
 */
export const resourcesLegacy: FastifyPluginCallback<
  ServerDependencies & {
    readonly keyUsage: KeyUsageCounts;
    readonly gate: Gate;
    readonly searches: SearchCounting;
  }
> = (scope, dependencies, done) => {
  const { config, documents, gate, keyUsage, searches, now = () => new Date() } = dependencies;
  const everywhere = headersOf(baseOf(dependencies));
  const callers = new Callers(documents, now);
  const list = legacyListOf(dependencies);

  scope.addHook('onRequest', (request, reply, next) => {
    reply.headers(everywhere);
    if (config.baseUrl?.startsWith('https:') === true && request.protocol !== 'https')
      throw new LegacyRefusal('https');
    next();
  });
  scope.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  scope.setNotFoundHandler((_request, reply) => sendLegacyError(reply, 404, 'Not found'));

  scope.get('', {
    validatorCompiler: documentedOnly,
    schema: legacyShape,
    handler: async (request, reply) => {
      if (config.legacyAfterSunset === 'gone' && now() >= sunset) throw new LegacyRefusal('gone');
      if (!gate.open) await gate.pass();
      const query = readLegacyQuery(request.raw.url ?? '');
      await admit(request, query.key);
      const answer = await list(query);
      await countWidgetSearch(query, answer, request);
      return sendResponse(answer, vary, request, reply);
    },
  });
  scope.options('', {
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .code(204)
        .headers({
          allow: methods,
          'access-control-allow-methods': methods,
          'access-control-allow-headers': 'X-API-Key, Content-Type',
          'access-control-max-age': '86400',
        })
        .send(),
  });
  done();

  /** What people type into the widget is counted; what its site chose, and what programs ask for, is not. */
  async function countWidgetSearch(
    { text, near, category, language, offset }: LegacyQuery,
    { searched }: LegacyAnswer,
    request: FastifyRequest,
  ): Promise<void> {
    const isTyped = text !== undefined && offset === 0;
    if (searched && isTyped && language !== undefined && isFromWebPage(request.headers))
      await searches.inWidget(request, { text, near, category, ...searched });
  }

  async function admit(request: FastifyRequest, parameter: string | undefined): Promise<void> {
    const { headers, raw } = request;
    const header = headers['x-api-key'];
    const key = (typeof header === 'string' ? header : '') || (parameter ?? '');
    if (key === '') throw new LegacyRefusal('key_required');
    const caller = await callers.of(key, raw.socket);
    if (caller === 'unknown') {
      if (parseKey(key)) await gate.passUnlessLost();
      throw new LegacyRefusal('key_invalid');
    }
    const kind = isFromWebPage(headers) ? 'widget' : 'legacy';
    if (isEnded(caller)) {
      countUse(keyUsage, request, caller.endedKeyId, kind, caller.because);
      throw new LegacyRefusal('key_invalid');
    }
    const refused = (outcome: Outcome, error: LegacyError): LegacyRefusal => {
      countUse(keyUsage, request, caller.keyId, kind, outcome);
      return new LegacyRefusal(error);
    };
    if (caller.domains.length > 0) {
      const origin = originOf(headers);
      if (origin === undefined || !allowsOrigin(caller.domains, origin))
        throw refused('domain_not_allowed', 'domain');
    }
    if (!caller.scopes.has('resources:read')) {
      if (caller.team !== undefined) await gate.passUnlessLost();
      throw refused('insufficient_scope', 'scope');
    }
    countUse(keyUsage, request, caller.keyId, kind, 'accepted');
  }
};

/**
 * Browsers add one of these headers to what a script of a page asks, such as the widget. Programs that run in Node and ask by
 * fetch send Sec-Fetch-Mode, but neither of these.
 */
const isFromWebPage = (headers: IncomingHttpHeaders): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

function headersOf(base: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'X-Service-Deprecated, Deprecation, Sunset, Link, ETag, X-Request-Id',
    'x-service-deprecated': 'true',
    // RFC 9745: since when, as a structured date.
    deprecation: `@${sunset.getTime() / 1_000}`,
    // RFC 8594.
    sunset: sunset.toUTCString(),
    link: `<${base}${listPath}>; rel="successor-version"`,
  };
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof LegacyRefusal) return sendLegacyError(reply, error.status, error.message);
  const problem = problemAndLog(error, request);
  reply.headers(problem.headers);
  return sendLegacyError(
    reply,
    problem.status,
    problem.status === 405 ? 'Method not allowed' : problem.message,
  );
}

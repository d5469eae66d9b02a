import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { answerClientError, answerFrameworkError, answerProblems } from './http/responses/error-answers.ts';
import { BulkJobs } from '../imports/bulk-jobs.ts';
import { ImportJobs } from '../imports/import-jobs.ts';
import { withTeamAsParameter } from './pages/paths.ts';
import { serveAssets } from './pages/assets/assets.ts';
import { auditSearch } from './audit/events.ts';
import { proofLog } from './audit/proof-log.ts';
import { witness } from './audit/witness.ts';
import { compressAnswers } from './http/responses/compression.ts';
import { Connections } from './http/connections.ts';
import { dashboard } from './dashboard.ts';
import type { ServerDependencies } from './dependencies.ts';
import { describeRoutes, docs } from './reference.ts';
import { guardOf } from './http/key-guard.ts';
import { countKeyUsage } from './http/key-usage.ts';
import { gateOf, type Gate } from './http/ready-gate.ts';
import { secureEveryAnswer } from './http/security-headers.ts';
import { bodyLimit, takeJsonOnly } from './http/json-body.ts';
import { mayBeSlow } from './http/sent-file.ts';
import { traceRequests } from './http/responses/trace-requests.ts';
import { acceptEveryMethod, routeEveryMethod } from './http/methods.ts';
import { issuerOf, type SignInDependencies } from './sign-in-dependencies.ts';
import { interactionOf } from './pages/interaction.ts';
import { RecentRefusals } from './oauth/recent-refusals.ts';
import { signInProvider } from './oauth/provider.ts';
import { health } from './health.ts';
import { redacted } from './http/redact.ts';
import { resourcesLegacy } from './directory/legacy.ts';
import { countSearches } from './directory/upkeep/search-counting.ts';
import { legacyPath } from './read-api.ts';
import { publicForms } from './forms/public-forms.ts';
import { publicPages } from './directory/pages/public-pages.ts';
import { resourcesV1 } from './directory/v1/endpoints.ts';
import { teamApi } from './team-api.ts';
import { serveWebhookSchemas } from './webhooks/schemas.ts';
import { serveWidget } from './directory/widget/widget.ts';
import type { RequestDurations } from '../status/request-durations.ts';

/** The HTTP server with all surfaces, ready to listen. Without the role `api` it serves health only. */
export async function buildServer(dependencies: ServerDependencies): Promise<FastifyInstance> {
  const { config, logger = false, maximumConnections = 10_000, stopping, hurried } = dependencies;
  const connections = new Connections(maximumConnections);
  const server = Fastify({
    serverFactory: (handle) => connections.server(handle),
    logger:
      logger === false ? false : { ...(logger === true ? {} : logger), serializers: { req: loggedRequest } },
    // Two log lines for each request would cost more than the request.
    logController: new LogController({ disableRequestLogging: !showsRequests(logger) }),
    // A logger for each request costs too. What is logged names the request itself.
    ...(showsRequests(logger) ? {} : { childLoggerFactory: (parent: FastifyBaseLogger) => parent }),
    bodyLimit,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // Requests on open connections are served while the server stops.
    return503OnClosing: false,
    genReqId: () => crypto.randomUUID(),
    requestIdHeader: false,
    rewriteUrl: (request) => withTeamAsParameter(routeEveryMethod(request)),
    // A text that is too long to be an id is not found, like any other unknown id.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: answerFrameworkError(config),
    // Given here, Fastify does not load its own: 250 modules, a fifth of what a server loads. Its types name only those.
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler as never,
        buildSerializer: () => serializerCompiler as never,
      },
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayBeSlow(socket)) return;
      answerClientError(error, socket, { isAnswered: connections.isAnswered(socket) });
    },
  });
  server.addHook('preClose', () => connections.finish({ patient: stopping?.aborted === true, hurried }));
  const refuseOtherMethods = acceptEveryMethod(server);
  takeJsonOnly(server);
  secureEveryAnswer(server, config);
  traceRequests(server);
  if (dependencies.requestDurations) measureRequests(server, dependencies.requestDurations);
  answerProblems(server);
  compressAnswers(server);
  // Whoever asks first opens it for all: a node that has said that it is ready serves every request.
  const gate = gateOf(dependencies);
  const { ready } = gate;
  if (!config.roles.includes('api')) {
    await server.register(health, { ...dependencies, ready });
    refuseOtherMethods();
    return server;
  }
  await describeRoutes(server, dependencies);
  const keyUsage = countKeyUsage(server, dependencies);
  const searches = countSearches(server, dependencies);
  const jobs = jobsOf(dependencies, server);
  const counted = { ...dependencies, keyUsage, ...jobs };
  const guarded = { ...counted, guard: guardOf({ ...counted, gate }) };
  await server.register(resourcesV1, guarded);
  await server.register(auditSearch, guarded);
  await server.register(proofLog, guarded);
  await server.register(witness, dependencies);
  await server.register(teamApi, guarded);
  await server.register(resourcesLegacy, { ...counted, gate, searches, prefix: legacyPath });
  const signIn = signInOf(dependencies, gate, server);
  await server.register(signInProvider, signIn);
  await server.register(dashboard, { ...signIn, keyUsage, ...jobs });
  await server.register(publicPages, { ...dependencies, searches });
  await server.register(publicForms, dependencies);
  serveAssets(server);
  serveWidget(server);
  serveWebhookSchemas(server, dependencies);
  await server.register(health, { ...dependencies, ready });
  await server.register(docs, dependencies);
  refuseOtherMethods();
  return server;
}

/** What people and keys begin and do not wait for. It stops with the server. */
function jobsOf(dependencies: ServerDependencies, server: FastifyInstance) {
  const onFault = (error: unknown) => server.log.error(error, 'An import or a bulk action ended early.');
  const imports = dependencies.imports ?? new ImportJobs({ ...dependencies, onFault });
  const bulk = dependencies.bulk ?? new BulkJobs({ ...dependencies, onFault });
  server.addHook('onClose', async () => {
    await Promise.all([imports.stop(), bulk.stop()]);
  });
  return { imports, bulk };
}

function signInOf(dependencies: ServerDependencies, gate: Gate, server: FastifyInstance): SignInDependencies {
  const { config, now = () => new Date() } = dependencies;
  const issuer = issuerOf(config, server);
  const interaction = interactionOf({ ...dependencies, gate, issuer, now });
  const refusals = new RecentRefusals({ ...dependencies, now });
  return { ...dependencies, now, issuer, interaction, refusals, gate };
}

function showsRequests(logger: ServerDependencies['logger']): boolean {
  return typeof logger === 'object' && (logger.level === 'debug' || logger.level === 'trace');
}

function loggedRequest({ method, originalUrl, ip }: FastifyRequest) {
  return { method, url: redacted(originalUrl), remoteAddress: ip };
}

/** Measures every request by the pattern of its route. */
function measureRequests(server: FastifyInstance, durations: RequestDurations): void {
  server.addHook('onResponse', (request, reply, done) => {
    durations.observe(request.routeOptions.url, request.method, reply.statusCode, reply.elapsedTime / 1_000);
    done();
  });
}

import type { FastifyPluginCallback } from 'fastify';
import { baseOf, type ServerDependencies } from './dependencies.ts';
import { serveForms } from './forms/v1.ts';
import type { Guard } from './http/bearer/guard.ts';
import { commandContexts } from './http/idempotency.ts';
import { servePayments } from './payments/payments.ts';
import { serveWebhooks } from './webhooks/webhooks.ts';
import { serveMembers } from './teams/members.ts';

/** The service API of what belongs to one team, for its keys. */
export const teamApi: FastifyPluginCallback<ServerDependencies & { readonly guard: Guard }> = (
  scope,
  dependencies,
  done,
) => {
  const contexts = commandContexts(dependencies.masterKey, dependencies.now ?? (() => new Date()));
  const parts = { ...dependencies, contexts, base: baseOf(dependencies) };

  scope.decorateRequest('caller', undefined);
  serveForms(scope, parts);
  serveMembers(scope, parts);
  servePayments(scope, parts);
  serveWebhooks(scope, parts);
  done();
};

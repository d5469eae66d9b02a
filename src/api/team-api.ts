import type { FastifyPluginCallback } from 'fastify';
import { baseOf, type ServerDependencies } from './dependencies.ts';
import { serveForms } from './forms/v1.ts';
import type { Guard } from './http/key-guard.ts';
import { commandContexts } from './http/idempotency.ts';
import { serveListedMembers, servePayments } from './payments/payments.ts';
import { serveWebhooks } from './webhooks/webhooks.ts';
import { serveMembers } from './teams/members.ts';
import { serveTeam } from './teams/team-v1.ts';
import { serveAsOf } from './audit/as-of.ts';
import { serveExport } from './audit/export.ts';
import { serveKeyUsage } from './audit/key-usage.ts';
import type { KeyUsageCounts } from '../audit/key-usage-counts.ts';

/** The service API of what belongs to one team, for its keys, and the audit log for keys with audit:read. */
export const teamApi: FastifyPluginCallback<
  ServerDependencies & { readonly guard: Guard; readonly keyUsage: KeyUsageCounts }
> = (scope, dependencies, done) => {
  const contexts = commandContexts(dependencies.masterKey, dependencies.now ?? (() => new Date()));
  const parts = { ...dependencies, contexts, base: baseOf(dependencies) };

  scope.decorateRequest('caller', undefined);
  serveForms(scope, parts);
  serveTeam(scope, parts);
  serveMembers(scope, parts);
  servePayments(scope, parts);
  serveListedMembers(scope, parts);
  serveWebhooks(scope, parts);
  serveAsOf(scope, parts);
  serveExport(scope, parts);
  serveKeyUsage(scope, parts);
  done();
};

import type { FastifyPluginCallback } from 'fastify';
import { serveAsOf } from './audit/as-of.ts';
import { serveExport } from './audit/export.ts';
import { serveKeyUsage } from './audit/key-usage.ts';
import type { KeyUsageCounts } from '../audit/key-usage-counts.ts';
import { baseOf, type ServerDependencies } from './dependencies.ts';
import type { Guard } from './http/bearer/guard.ts';
import { commandContexts } from './http/idempotency.ts';

/** The audit log, for keys with audit:read. */
export const auditApi: FastifyPluginCallback<
  ServerDependencies & { readonly guard: Guard; readonly keyUsage: KeyUsageCounts }
> = (scope, dependencies, done) => {
  const contexts = commandContexts(dependencies.masterKey, dependencies.now ?? (() => new Date()));
  const parts = { ...dependencies, contexts, base: baseOf(dependencies) };

  scope.decorateRequest('caller', undefined);
  serveAsOf(scope, parts);
  serveExport(scope, parts);
  serveKeyUsage(scope, parts);
  done();
};

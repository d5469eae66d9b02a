import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Outcome, RequestKind } from '../../audit/request-kinds.ts';
import { flushSeconds, KeyUsageCounts } from '../../audit/key-usage-counts.ts';
import type { ServerDependencies } from '../dependencies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that was sent, when it is one of ours, and what was decided on it. */
    usedKey: { readonly keyId: string; readonly outcome: Outcome } | undefined;
    /** The code of the error that was answered. */
    refusedWith: string | undefined;
  }
}

/** Counts a use of a key by what was decided on it. The request is noted with its status when it is answered. */
export function countUse(
  counts: KeyUsageCounts,
  request: FastifyRequest,
  keyId: string,
  kind: RequestKind,
  outcome: Outcome,
): void {
  request.usedKey = { keyId, outcome };
  counts.count(keyId, kind, outcome);
}

const v1 = '/dash/api/v1';

/** What a request of a key counts as, by its route. HEAD counts as GET. */
const kinds: Readonly<Record<string, Readonly<Record<string, RequestKind>>>> = {
  [`${v1}/resources`]: { GET: 'list', POST: 'submit' },
  [`${v1}/resources/:svc_id`]: { GET: 'read', PATCH: 'manage' },
  [`${v1}/resources/:svc_id/approve`]: { POST: 'manage' },
  [`${v1}/resources/:svc_id/reject`]: { POST: 'manage' },
  [`${v1}/resources/:svc_id/deactivate`]: { POST: 'manage' },
  [`${v1}/resources/:svc_id/confirm`]: { POST: 'manage' },
  [`${v1}/resources/:svc_id/reactivate`]: { POST: 'manage' },
  [`${v1}/resources/:svc_id/people`]: { GET: 'people' },
  [`${v1}/resources/:svc_id/people/:id`]: { DELETE: 'manage' },
  [`${v1}/organizations`]: { GET: 'list', POST: 'manage' },
  [`${v1}/organizations/:org_id`]: { GET: 'read', PATCH: 'manage' },
  [`${v1}/organizations/:org_id/people/:id`]: { DELETE: 'manage' },
  [`${v1}/organizations/:org_id/approve`]: { POST: 'manage' },
  [`${v1}/organizations/:org_id/reject`]: { POST: 'manage' },
  [`${v1}/organizations/:org_id/deactivate`]: { POST: 'manage' },
  [`${v1}/organizations/:org_id/reactivate`]: { POST: 'manage' },
  [`${v1}/resources/:svc_id/merge`]: { POST: 'manage' },
  [`${v1}/resources/:svc_id/unmerge`]: { POST: 'manage' },
  [`${v1}/resources/:svc_id/dismiss-duplicates`]: { POST: 'manage' },
  [`${v1}/duplicates`]: { GET: 'list' },
  [`${v1}/bulk-actions`]: { GET: 'list', POST: 'manage' },
  [`${v1}/bulk-actions/:id`]: { GET: 'read' },
  [`${v1}/bulk-actions/:id/stop`]: { POST: 'manage' },
  [`${v1}/bulk-actions/:id/undo`]: { POST: 'manage' },
  [`${v1}/views`]: { GET: 'list', POST: 'manage' },
  [`${v1}/views/:name`]: { DELETE: 'manage' },
  [`${v1}/imports`]: { GET: 'list' },
  [`${v1}/imports/:id`]: { GET: 'read' },
  [`${v1}/imports/:id/undo`]: { POST: 'manage' },
  [`${v1}/reports`]: { GET: 'reports' },
  [`${v1}/reports/:id`]: { GET: 'reports' },
  [`${v1}/reports/:id/resolve`]: { POST: 'manage' },
  [`${v1}/reports/:id/said`]: { DELETE: 'manage' },
  [`${v1}/suggestions`]: { GET: 'suggestions' },
  [`${v1}/suggestions/:id`]: { GET: 'suggestions' },
  [`${v1}/suggestions/:id/accept`]: { POST: 'manage' },
  [`${v1}/suggestions/:id/dismiss`]: { POST: 'manage' },
  [`${v1}/suggestions/:id/suggested`]: { DELETE: 'manage' },
  [`${v1}/claims`]: { GET: 'claims' },
  [`${v1}/claims/:id`]: { GET: 'claims' },
  [`${v1}/claims/:id/approve`]: { POST: 'manage' },
  [`${v1}/claims/:id/refuse`]: { POST: 'manage' },
  [`${v1}/claims/:id/end`]: { POST: 'manage' },
  [`${v1}/agency-contacts`]: { GET: 'asking' },
  [`${v1}/agency-contacts/bounced`]: { POST: 'manage' },
  [`${v1}/agency-calls`]: { GET: 'asking' },
  [`${v1}/needs`]: { GET: 'needs' },
  [`${v1}/changes`]: { GET: 'changes' },
  '/hsds/services': { GET: 'hsds' },
  '/hsds/services/:id': { GET: 'hsds' },
  '/hsds/organizations': { GET: 'hsds' },
  '/hsds/organizations/:id': { GET: 'hsds' },
  '/hsds/package.zip': { GET: 'package' },
  [`${v1}/team`]: { GET: 'team', PATCH: 'team' },
  [`${v1}/team/close`]: { POST: 'team' },
  [`${v1}/members`]: { GET: 'members' },
  [`${v1}/listed-members`]: { GET: 'listed-members', POST: 'listed-members' },
  [`${v1}/forms`]: { GET: 'forms' },
  [`${v1}/forms/:id/submissions`]: { GET: 'form-submissions' },
  [`${v1}/payments`]: { GET: 'payments', POST: 'payments-write' },
  [`${v1}/payments/:id`]: { GET: 'payments' },
  [`${v1}/payments/:id/reverse`]: { POST: 'payments-write' },
  [`${v1}/webhooks/subscriptions`]: { GET: 'webhooks' },
  [`${v1}/webhooks/subscriptions/:id`]: { GET: 'webhooks', PATCH: 'webhooks-write' },
  [`${v1}/webhooks/subscriptions/:id/send-waiting`]: { POST: 'webhooks-write' },
  [`${v1}/webhooks/subscriptions/:id/replay`]: { POST: 'webhooks-write' },
  [`${v1}/webhooks/deliveries/:delivery/resend`]: { POST: 'webhooks-write' },
  [`${v1}/webhooks/test-receiver`]: { GET: 'webhooks', POST: 'webhooks-write' },
  [`${v1}/webhooks/test-receiver/:request`]: { GET: 'webhooks' },
  [`${v1}/webhooks/subscriptions/:id/health`]: { GET: 'webhooks' },
  [`${v1}/webhooks/deliveries`]: { GET: 'webhooks' },
  [`${v1}/webhooks/deliveries/:id`]: { GET: 'webhooks' },
  '/audit/v1/events': { GET: 'audit' },
  '/audit/v1/events/:id': { GET: 'audit' },
  '/audit/v1/correlations/:id': { GET: 'audit' },
  '/audit/v1/as-of/streams/:stream': { GET: 'audit' },
  '/audit/v1/as-of/consents': { GET: 'audit' },
  '/audit/v1/as-of/tokens': { GET: 'audit' },
  '/audit/v1/as-of/keys': { GET: 'audit' },
  '/audit/v1/as-of/directory': { GET: 'audit' },
  '/audit/v1/as-of/members': { GET: 'audit' },
  '/audit/v1/as-of/subscriptions': { GET: 'audit' },
  '/audit/v1/keys/:key_id/usage': { GET: 'audit' },
  '/audit/v1/export': { GET: 'audit-export' },
  '/audit/log/tile/entries/*': { GET: 'audit-entries' },
};

export function kindOfRequest({ routeOptions, method }: FastifyRequest): RequestKind {
  return kinds[routeOptions.url ?? '']?.[method === 'HEAD' ? 'GET' : method] ?? 'other';
}

/** Counts of a server: written every few seconds while it runs, and once more when it closes. */
export function countKeyUsage(
  server: FastifyInstance,
  { side, now = () => new Date() }: Pick<ServerDependencies, 'side' | 'now'>,
): KeyUsageCounts {
  const counts = new KeyUsageCounts(side, { now });
  server.decorateRequest('usedKey', undefined);
  server.decorateRequest('refusedWith', undefined);
  server.addHook('onResponse', (request, reply, done) => {
    const { usedKey, refusedWith, method, routeOptions } = request;
    if (usedKey) {
      const { keyId, outcome } = usedKey;
      const reason = outcome === 'accepted' ? (refusedWith ?? null) : outcome;
      const { url: route = '' } = routeOptions;
      counts.requests.add(keyId, { method, route, status: reply.statusCode, reason });
    }
    done();
  });
  let failing = false;
  const flush = async () => {
    try {
      await counts.flush();
      failing = false;
    } catch (error) {
      // They stay in memory for the next time.
      if (!failing) server.log.warn(error, 'What keys are used for could not be written yet.');
      failing = true;
    }
  };
  const flushing = setInterval(() => void flush(), flushSeconds * 1_000).unref();
  server.addHook('onClose', async () => {
    clearInterval(flushing);
    await flush();
  });
  return counts;
}

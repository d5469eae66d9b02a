import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  noPayment,
  paymentInput,
  recordPayment,
  reversePayment,
  type PaymentOutcome,
} from '../../commands/payments/payment.ts';
import { paymentOrder, payments, type PaymentDocument } from '../../projections/payments/payments.ts';
import { untilShown } from '../../projections/until-shown.ts';
import { callerOf } from '../http/bearer/guard.ts';
import { teamOf, type TeamApiParts } from '../http/bearer/team-api.ts';
import { documentedOnly } from '../http/documented-only.ts';
import { refuseUnreadable } from '../http/idempotency.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import { pageOf, pageQuery, TeamPages } from '../http/team-pages.ts';
import { problemResponses } from '../http/errors/problem-responses.ts';
import { payment, paymentsOf } from './payment-shape.ts';

export const paymentsPath = '/dash/api/v1/payments';

const scopeNeeded = 'payments:write';
const uuid = z.uuid();

/** The payments of a team: record, list, read and reverse them. */
export function servePayments(scope: FastifyInstance, parts: TeamApiParts): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { guard, contexts, documents, personal, masterKey, base } = parts;
  const collection = documents.collection(payments.collection);
  const pages = new TeamPages<PaymentDocument>(masterKey, 'payments', paymentOrder);
  const described = { tags: ['Payments'], security: [{ key: [] }] };
  const ofOne = z.object({ id: z.string() });

  const shown = async (id: string, team: string) => {
    const doc = uuid.safeParse(id).success ? await collection.get(id) : undefined;
    if (doc?.team !== team) throw noPayment();
    const [only] = await paymentsOf(personal, [doc]);
    return only as z.output<typeof payment>;
  };
  const commanded = async (team: string, outcome: PaymentOutcome) => {
    await untilShown(documents, outcome);
    return shown(outcome.state?.payment ?? '', team);
  };

  scope.get(paymentsPath, {
    onRequest: guard(scopeNeeded),
    validatorCompiler: documentedOnly,
    schema: {
      ...described,
      summary: 'List payments',
      description: 'The payments of your team, the newest first, reversed ones too. Needs payments:write.',
      querystring: pageQuery,
      response: { 200: pageOf(payment), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request, reply) => {
      const asked = pages.asked(request.raw.url ?? '', teamOf(callerOf(request)));
      const query = { where: { team: asked.team }, orderBy: paymentOrder, descending: true };
      const { docs, rest } = pages.page(asked, await collection.page({ ...query, ...asked.reading }));
      void reply.header('cache-control', 'no-store');
      return { data: await paymentsOf(personal, docs), ...rest };
    },
  });
  routes.post(paymentsPath, {
    onRequest: [guard(scopeNeeded), refuseUnreadable],
    schema: {
      ...described,
      summary: 'Record a payment',
      description:
        'Records a payment against a member of your team, and sends payment.received to the subscriptions that have chosen it. A payment is never edited: reverse a wrong one and record the right one. Needs payments:write. Send an Idempotency-Key to be able to repeat the request safely.',
      body: paymentInput,
      response: { 201: payment, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const team = teamOf(caller);
      const outcome = await recordPayment(parts, team, request.body, contexts(request, caller));
      const answer = await commanded(team, outcome);
      return reply
        .code(201)
        .headers({ location: `${base}${paymentsPath}/${answer.id}`, 'cache-control': 'no-store' })
        .send(answer);
    },
  });
  routes.get(`${paymentsPath}/:id`, {
    onRequest: guard(scopeNeeded),
    schema: {
      ...described,
      summary: 'Read a payment',
      description: 'A payment of your team. Needs payments:write.',
      params: ofOne,
      response: { 200: payment, ...problemResponses(401, 403, 404, 429, 503) },
    },
    handler: async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      return shown(request.params.id, teamOf(callerOf(request)));
    },
  });
  routes.post(`${paymentsPath}/:id/reverse`, {
    onRequest: [guard(scopeNeeded), refuseUnreadable],
    schema: {
      ...described,
      summary: 'Reverse a payment',
      description:
        'Marks a payment that was recorded by mistake as reversed. Once, and for good. Sends payment.reversed to the subscriptions that have chosen it, and no longer sends a payment.received that waits. Needs payments:write. Send an Idempotency-Key to be able to repeat the request safely.',
      params: ofOne,
      response: { 200: payment, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const team = teamOf(caller);
      const { id } = request.params;
      // An id that is none must not begin a stream name.
      if (!uuid.safeParse(id).success) throw noPayment();
      const outcome = await reversePayment(parts, id, { asTeam: team }, contexts(request, caller));
      void reply.header('cache-control', 'no-store');
      return commanded(team, outcome);
    },
  });
  refuseOtherMethods(scope, paymentsPath, ['GET', 'HEAD', 'POST']);
  refuseOtherMethods(scope, `${paymentsPath}/:id`, ['GET', 'HEAD']);
  refuseOtherMethods(scope, `${paymentsPath}/:id/reverse`, ['POST']);
}

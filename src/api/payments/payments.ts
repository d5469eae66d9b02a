import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addMember, listedList, type ListedMember } from '../../actions/teams/listed-members.ts';
import { listedInput } from '../../commands/teams/listed-member.ts';
import { paymentList, record, reverse, type Payment } from '../../actions/payments.ts';
import { paymentInput } from '../../commands/payments.ts';
import { type TeamApiParts, serveTeamDoor } from '../http/team-door.ts';

export const paymentsPath = '/dash/api/v1/payments';

const time = z.iso.datetime();

/** A payment in answers. */
const answer = z.object({
  id: z.uuid(),
  member_id: z.uuid().describe('The person it was recorded against.'),
  amount_minor: z.int().positive().describe('In the smallest unit of the currency.'),
  currency: z.string().describe('ISO 4217.'),
  memo: z.string().nullable().describe('Null where there is none, or the person was erased.'),
  occurred_at: time.describe('When it was paid.'),
  status: z.enum(['recorded', 'reversed']),
  recorded_at: time,
  reversed_at: time.nullable(),
});

const show = (paid: Payment): z.output<typeof answer> => ({
  id: paid.payment,
  member_id: paid.member,
  amount_minor: paid.amount_minor,
  currency: paid.currency,
  memo: paid.memo,
  occurred_at: paid.occurred_at,
  status: paid.status,
  recorded_at: paid.recorded_at,
  reversed_at: paid.reversed_at ?? null,
});

export const listedPath = '/dash/api/v1/listed-members';

/** A member without an account in answers. */
const listedAnswer = z.object({
  id: z.uuid().describe('Also the member_id of their payments.'),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  note: z.string().nullable(),
  paid_until: z.string().nullable().describe('The last day that is paid for: YYYY-MM-DD.'),
  added_at: time,
});

const showListed = ({
  member,
  details,
  paid_until,
  added_at,
}: ListedMember): z.output<typeof listedAnswer> => ({
  id: member,
  name: details?.name ?? '',
  email: details?.email ?? null,
  phone: details?.phone ?? null,
  note: details?.note ?? null,
  paid_until: paid_until ?? null,
  added_at,
});

/** The members of a team who have no account. */
export const serveListedMembers = (scope: FastifyInstance, parts: TeamApiParts): void =>
  serveTeamDoor(scope, parts, 'Payments', (door) => {
    door.list(listedPath, listedList, {
      summary: 'List members without an account',
      description:
        'The people of your team who have no account: they pay, or are on your lists. In the order in which they were added. Needs payments:write.',
      answer: listedAnswer,
      show: showListed,
    });
    door.post(listedPath, addMember, {
      summary: 'Add a member without an account',
      description:
        'Writes down a person who has no account. Payments are recorded with its id as member_id. Needs payments:write. Send an Idempotency-Key to be able to repeat the request safely.',
      body: listedInput,
      answer: listedAnswer,
      show: showListed,
      location: ({ member }) => `${listedPath}/${member}`,
    });
  });

/** The payments of a team: record, list, read and reverse them. */
export const servePayments = (scope: FastifyInstance, parts: TeamApiParts): void =>
  serveTeamDoor(scope, parts, 'Payments', (door) => {
    door.list(paymentsPath, paymentList, {
      summary: 'List payments',
      description: 'The payments of your team, the newest first, reversed ones too. Needs payments:write.',
      answer,
      show,
    });
    door.post(paymentsPath, record, {
      summary: 'Record a payment',
      description:
        'Records a payment against a member of your team, and sends payment.received to the subscriptions that have chosen it. A payment is never edited: reverse a wrong one and record the right one. Needs payments:write. Send an Idempotency-Key to be able to repeat the request safely.',
      body: paymentInput,
      answer,
      show,
      location: ({ payment: id }) => `${paymentsPath}/${id}`,
    });
    door.one(`${paymentsPath}/:id`, paymentList, {
      summary: 'Read a payment',
      description: 'A payment of your team. Needs payments:write.',
      answer,
      show,
    });
    door.post(`${paymentsPath}/:id/reverse`, reverse, {
      summary: 'Reverse a payment',
      description:
        'Marks a payment that was recorded by mistake as reversed. Once, and for good. Sends payment.reversed to the subscriptions that have chosen it, and no longer sends a payment.received that waits. Needs payments:write. Send an Idempotency-Key to be able to repeat the request safely.',
      answer,
      show,
    });
  });

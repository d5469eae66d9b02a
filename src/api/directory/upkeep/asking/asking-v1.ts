import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  agencyContactList,
  mostBounces,
  reportBounces,
  type AgencyContact,
} from '../../../../actions/directory/upkeep/agency-contacts.ts';
import { callReasons } from '../../../../actions/directory/upkeep/agency-reach.ts';
import type { DuePlace } from '../../../../actions/directory/upkeep/asking-plan.ts';
import { callList, type CallRow } from '../../../../actions/directory/upkeep/calls.ts';
import { agencyAnswers, unreachableReasons } from '../../../../events/directory/upkeep/agency-contact.ts';
import { callerOf } from '../../../http/key-guard.ts';
import { ListCursors } from '../../../http/list-cursors.ts';
import { documentedOnly, readParameters } from '../../../http/read-parameters.ts';
import { problemResponses } from '../../../http/responses/problem-responses.ts';
import { serveTeamDoor, teamOf, type TeamApiParts } from '../../../http/team-door.ts';
import { pageOf, pageQuery } from '../../../http/team-pages.ts';

export const agencyContactsPath = '/dash/api/v1/agency-contacts';
export const agencyCallsPath = '/dash/api/v1/agency-calls';

const tag = 'Directory';
const time = z.iso.datetime();

const contact = z.object({
  id: z.string(),
  address: z.string().nullable().describe('Null: it is erased.'),
  state: z
    .enum(['open', 'stopped', 'unreachable', 'erased'])
    .describe('open: it may be asked again; stopped: it wants no mails; unreachable: no mail arrives.'),
  unreachable: z
    .enum(unreachableReasons)
    .nullable()
    .describe('refused: by the mail server, for ever; bounced: mails came back.'),
  language: z.string().describe('In which the newest mail is written.'),
  mailed_at: time.describe('The newest mail.'),
  answered_at: time.nullable(),
  records: z
    .array(z.object({ svc_id: z.string(), answer: z.enum(agencyAnswers).nullable() }))
    .describe('Those of the newest mail, with the newest answer about each. Null: none yet.'),
});

const showContact = (shown: AgencyContact): z.output<typeof contact> => ({
  id: shown.contact,
  address: shown.address ?? null,
  state: shown.status,
  unreachable: shown.unreachable ?? null,
  language: shown.language,
  mailed_at: shown.mailed_at,
  answered_at: shown.answered_at ?? null,
  records: shown.svc_ids.map((svc_id) => ({ svc_id, answer: shown.questions[svc_id]?.answer ?? null })),
});

const call = z.object({
  svc_id: z.string(),
  name: z.string(),
  organization: z.string().nullable(),
  phone: z.string().nullable().describe('The first one of the record.'),
  confirmed_on: z.iso.date().nullable().describe('Null: nobody has ever confirmed it.'),
  reason: z
    .enum(callReasons)
    .describe(
      'Why no mail helps. not-by-mail: agencies are not asked by mail; silent, stopped, unreachable, not-ours: what became of its contacts.',
    ),
});

const showCall = ({ record: { svcId, confirmedOn, fields }, reason }: CallRow): z.output<typeof call> => ({
  svc_id: svcId,
  name: fields.name,
  organization: fields.organization?.name ?? null,
  phone: fields.phones?.[0]?.number ?? null,
  confirmed_on: confirmedOn === '' ? null : confirmedOn,
  reason,
});

/** Asking agencies, for keys: whom a team has asked, whom to call, and addresses from which mails came back. */
export function serveAsking(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, masterKey, now = () => new Date() } = parts;
  const cursors = new ListCursors<DuePlace>(masterKey, 'agency-calls');

  serveTeamDoor(scope, parts, tag, (door) => {
    door.list(agencyContactsPath, agencyContactList, {
      summary: 'List the contacts of agencies that were asked',
      description:
        'Whom your team has asked by mail whether its records are still right, those with the newest mail first, and what they answered. Needs directory:manage.',
      answer: contact,
      show: showContact,
    });
    door.post(`${agencyContactsPath}/bounced`, reportBounces, {
      summary: 'Report mails that came back',
      description:
        'Nobody is asked at these addresses any more: the next contact of each agency is asked, or the agency is to be called. For a script that reads what your mail provider reports. The answer is the same whether an address is a contact or not, and reporting it again changes nothing. One address that is none refuses them all. Needs directory:manage.',
      body: z.strictObject({
        addresses: reportBounces.input.shape.addresses.describe(`From 1 to ${mostBounces} email addresses.`),
      }),
      answer: z.object({ received: z.int().describe('As many as were sent.') }),
      show: (value) => value,
      namesNothing: true,
    });
  });
  scope.get(agencyCallsPath, {
    onRequest: guard('directory:manage'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: [tag],
      security: [{ key: [] }],
      summary: 'List whom to call',
      description:
        'Public records of your own directory that nobody has confirmed for long, and about which no mail can ask or whose contacts did not answer: those that were confirmed longest ago first. A page may have fewer than limit, even none, and go on. Needs directory:manage.',
      querystring: pageQuery,
      response: { 200: pageOf(call), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const team = teamOf(callerOf(request));
      const { limit, cursor } = readParameters(request.raw.url ?? '', pageQuery);
      const { rows, next } = await callList(parts, team, cursors.open(cursor, team), now(), limit);
      return {
        data: rows.map(showCall),
        has_more: next !== undefined,
        next_cursor: next === undefined ? null : cursors.seal(team, next),
      };
    },
  });
}

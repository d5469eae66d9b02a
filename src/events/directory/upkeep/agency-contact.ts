import { z } from 'zod';
import { event, slug, stream, text, type EventOf } from '../../define.ts';
import { sealed } from '../../oauth/values.ts';
import { svcId } from '../resource.ts';

/** What a contact can say of a record. */
export const agencyAnswers = ['yes', 'change', 'closed', 'not_ours'] as const;
export type AgencyAnswer = (typeof agencyAnswers)[number];
export const agencyAnswer = z.enum(agencyAnswers, { message: `must be one of ${agencyAnswers.join(', ')}` });

/** The most records in one mail. The others are in the next one. */
export const mostInAsk = 50;
/** A contact gets at most one mail in so many days. */
export const daysBetweenAsks = 30;
/** So many mails about a record without an answer, and its next contact is tried. */
export const mostAsks = 2;

/** Why no mail reaches an address: the mail server refused it for ever, or somebody reported that mails came back. */
export const unreachableReasons = ['refused', 'bounced'] as const;
export type UnreachableReason = (typeof unreachableReasons)[number];

const ask = z.uuid().describe('The mail that it answers.');

/** The id of a contact: a keyed hash, in hex. */
export const contactId = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { message: 'must be the id of a contact' })
  .meta({ title: 'keyed hash, in hex' });

/**
 * An email address that a team asks whether its records are still right. The id in the name of the stream is a keyed hash of
 * the team and the normal address. Its events keep two mails a month apart, and remember for ever who wants none.
 */
export const agencyContactStream = stream('agency-contact', {
  AgencyContactMailed: event(
    'A contact of agencies is asked whether records are still right. One mail, with a private link, is sent because of this event.',
    z.strictObject({
      contact: contactId,
      team: slug.describe('The team in whose directory the records are.'),
      ask: z.uuid().describe('Identifies the mail.'),
      svc_ids: z.array(svcId).min(1).max(mostInAsk).describe('The records that stand in the mail.'),
      language: text(20).describe('In which language the mail is written.'),
      address_sealed: sealed.describe('The address, under a data key of its own.'),
      mailed_at: z.iso.datetime().describe('When. The next mail is sent 30 days later at the earliest.'),
    }),
  ),
  AgencyContactAnswered: event(
    'Somebody with the private link answered about a record. It can be taken back until it is carried out.',
    z.strictObject({ ask, svc_id: svcId, answer: agencyAnswer }),
  ),
  AgencyAnswerWithdrawn: event(
    'Somebody with the private link took an answer back, before it had any effect.',
    z.strictObject({ ask, svc_id: svcId }),
  ),
  AgencyAnswersApplied: event(
    'The answers have their effect: the records are confirmed, or what was suggested waits for the team.',
    z.strictObject({ ask, svc_ids: z.array(svcId).min(1).max(mostInAsk) }),
  ),
  AgencyContactStopped: event(
    'The contact wants no more such mails. Its data key is destroyed, so nobody can read the address.',
    z.strictObject({}),
  ),
  AgencyContactBounced: event(
    'No mail reaches the address.',
    z.strictObject({
      reason: z
        .enum(unreachableReasons)
        .describe(
          '`refused`: the mail server refused it for ever. `bounced`: it was reported that mails came back.',
        ),
    }),
  ),
  AgencyContactErased: event(
    'The address was erased. Its data key is destroyed, so nobody can read it. It gets no such mail any more.',
    z.strictObject({}),
  ),
});
export type AgencyContactEvent = EventOf<typeof agencyContactStream>;

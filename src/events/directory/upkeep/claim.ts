import { z } from 'zod';
import { event, line, slug, stream, text, type EventOf } from '../../define.ts';
import { sealed } from '../../oauth/values.ts';
import { svcId } from '../resource.ts';

/** The id of a claim: a keyed hash of the team, what is claimed and the address, in hex. */
export const claimId = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { message: 'must be the id of a claim' })
  .meta({ title: 'keyed hash, in hex' });

/** `restore`: the log was restored from before the end, and the erasure ledger says that the address was erased. */
export const claimEnders = ['team', 'claimant', 'restore'] as const;
export type ClaimEnder = (typeof claimEnders)[number];

const link = z.uuid().describe('Identifies the newest private link. Every earlier one is void.');
const dataKey = z.uuid().describe('Names the data key under which the address is sealed.');

/**
 * Somebody proves by an email address at the website of an organization that they are of it, and keeps its records. The id in
 * the name of the stream is a keyed hash of the team, the organization and the normal address.
 */
export const claimStream = stream('claim', {
  ClaimBegun: event(
    'Somebody asked to keep the records of an organization. A mail with a private link is sent because of this event.',
    z.strictObject({
      claim: claimId,
      team: slug.describe('The team in whose directory the records are.'),
      subject: text(100).describe('The organization, or the record, where that names none.'),
      svc_id: svcId.describe('The record on whose page it was asked.'),
      host: line(253).describe('The host of the website, at which the address is too.'),
      language: text(20).describe('In which language mails are written.'),
      data_key: dataKey,
      address_sealed: sealed.describe('The address, under that data key.'),
      link,
    }),
  ),
  ClaimLinkRenewed: event(
    'A new private link was asked for. It is mailed because of this event.',
    z.strictObject({ link, language: text(20) }),
  ),
  ClaimProven: event(
    'Somebody who reads the mails of the address pressed the button behind the link.',
    z.strictObject({}),
  ),
  ClaimApproved: event(
    'The claim was approved. A mail with the link to the page of the records is sent because of this event.',
    z.strictObject({
      link,
      like_before: z
        .literal(true)
        .optional()
        .describe('Not by a person: the team lets in whoever proves a host that it has approved before.'),
    }),
  ),
  ClaimRefused: event(
    'The team refused the claim.',
    z.strictObject({ reason: line(2_000).optional().describe('Is mailed to whoever claimed.') }),
  ),
  ClaimEnded: event(
    'The claim has ended, and its links are void. Its data key is destroyed, so nobody can read the address.',
    z.strictObject({
      by: z
        .enum(claimEnders)
        .describe(
          'restore: the log was restored from before its end. Who had ended it is not known, so one that begins again waits for the team.',
        ),
      data_key: dataKey,
    }),
  ),
  ClaimErased: event(
    'The address was erased. Its data key is destroyed, so nobody can read it.',
    z.strictObject({ data_key: dataKey }),
  ),
});
export type ClaimEvent = EventOf<typeof claimStream>;

/** What the people who keep records may do without the team. The id in the name of the stream is that of the team. */
export const claimRulesStream = stream('keeping-rules', {
  ClaimRulesChosen: event(
    'A team chose what the people who keep records may do without it.',
    z.strictObject({
      team: slug,
      changes: z
        .enum(['wait', 'at_once'])
        .describe(
          'Whether their changes wait for review. Closing a service always does, and so does a new website.',
        ),
      later_claims: z
        .enum(['wait', 'at_once'])
        .describe('Whether a claim waits where one of the same organization and host was approved before.'),
    }),
  ),
});
export type ClaimRulesEvent = EventOf<typeof claimRulesStream>;

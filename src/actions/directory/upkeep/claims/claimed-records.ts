import { claimableHosts } from '../../../../commands/directory/upkeep/claim-host.ts';
import { fieldsIn } from '../../../../projections/directory/document-fields.ts';
import { resources, type ResourceDocument } from '../../../../projections/directory/resources.ts';
import { claims, type ClaimDocument } from '../../../../projections/directory/upkeep/claims.ts';
import type { Documents } from '../../../../stores/documents/port.ts';

/** The most records on the page of those who keep them, and the most claims of one organization that are looked at. */
const mostRecords = 200;
const mostClaims = 50;

/** What a claim of a record is about: its organization, or the record itself, where it names none. */
export const subjectOf = ({ organization, svc_id }: ResourceDocument): string => organization ?? svc_id;

export const hostsOf = (doc: ResourceDocument): readonly string[] =>
  claimableHosts(fieldsIn(doc, 'developer'));

/**
 * Whether a claim is about a record: one of the team, of the organization, public, and its website is at the proven host. A
 * record that moves to another organization or website is kept by the claim no more, so none ever widens by itself.
 */
export const isAbout = (
  claim: Pick<ClaimDocument, 'team' | 'subject' | 'host'>,
  doc: ResourceDocument,
): boolean =>
  doc.listed === 1 &&
  doc.team === claim.team &&
  subjectOf(doc) === claim.subject &&
  hostsOf(doc).includes(claim.host);

/** The records that a claim is about, in the order in which they were submitted. */
export async function recordsOf(
  documents: Documents,
  claim: Pick<ClaimDocument, 'team' | 'subject' | 'host'>,
): Promise<readonly ResourceDocument[]> {
  const collection = documents.collection(resources.collection);
  const [one, ofOrganization] = await Promise.all([
    collection.get(claim.subject),
    collection.page({
      where: { listed: 1, organization: claim.subject },
      orderBy: ['number'],
      limit: mostRecords,
    }),
  ]);
  return [...(one ? [one] : []), ...ofOrganization].filter((doc) => isAbout(claim, doc));
}

/** Approved claims that are about a record. */
export async function keepersOf(
  documents: Documents,
  doc: ResourceDocument,
): Promise<readonly ClaimDocument[]> {
  const found = await documents.collection(claims.collection).page({
    where: { subject: subjectOf(doc), status: 'approved' },
    orderBy: ['claim'],
    limit: mostClaims,
  });
  return found.filter((claim) => isAbout(claim, doc));
}

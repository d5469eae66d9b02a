import type { ResourceState } from '../../commands/directory/resource-decider.ts';
import { openPeople } from '../../commands/directory/sealed-people.ts';
import { sealedPeople } from '../../events/directory/people.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { wholeRecord, wholeTier, type ResourceDocument } from '../../projections/directory/resources.ts';

/** A resource as the managers of its directory see it: the team tier, what is confidential, and the status. */
export function managedTier(doc: ResourceDocument, people: string | undefined): string {
  const { team, status, submitted_at, review_note = null } = doc;
  return `${wholeTier(doc, people).slice(0, -1)},${JSON.stringify({ team, status, submitted_at, review_note }).slice(1)}`;
}

/** What the key that submitted a resource sees besides its tier: what became of it. */
export function submittedTier(tier: string, doc: ResourceDocument): string {
  const { status, submitted_at, review_note = null } = doc;
  return `${tier.slice(0, -1)},${JSON.stringify({ status, submitted_at, review_note }).slice(1)}`;
}

/** The answer to a command: the resource after it. */
export async function recordOf(
  personal: PersonalData,
  { svc_id, team, status, fields }: NonNullable<ResourceState>,
) {
  const [people] = await openPeople(personal, [sealedPeople(fields) ?? {}]);
  return { ...wholeRecord(svc_id, fields), ...people, status, team };
}

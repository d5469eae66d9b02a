import type { ResourceState } from '../../commands/directory/resource.ts';
import { cardOf, detailsOf, teamTier, type ResourceDocument } from '../../projections/directory/resources.ts';

/** A resource as the managers of its directory see it: the team tier and the status. */
export function managedTier(doc: ResourceDocument): string {
  const { team, status, submitted_at, review_note = null } = doc;
  return `${teamTier(doc).slice(0, -1)},${JSON.stringify({ team, status, submitted_at, review_note }).slice(1)}`;
}

/** The answer to a command: the resource after it. */
export const recordOf = ({ svc_id, team, status, fields }: NonNullable<ResourceState>) => ({
  ...cardOf(svc_id, fields),
  ...detailsOf(fields),
  status,
  team,
});

import type { ResourceState } from '../../commands/resource.ts';
import { teamTier, type ResourceDocument } from '../../projections/resources.ts';

/** What who manages a directory sees of its resources: the team tier and where the resource stands. */
export function managedTier(doc: ResourceDocument): string {
  const { team, status, submitted_at, review_note = null } = doc;
  return `${teamTier(doc).slice(0, -1)},${JSON.stringify({ team, status, submitted_at, review_note }).slice(1)}`;
}

/** The answer to a command: the resource as the command left it. */
export function recordOf({ svc_id, team, status, fields }: NonNullable<ResourceState>) {
  const { name, category, description, url, city, region } = fields;
  const { phone, email, address, hours, languages, eligibility } = fields;
  return {
    svc_id,
    status,
    team,
    name,
    category,
    description: description ?? null,
    url: url ?? null,
    city: city ?? null,
    region: region ?? null,
    phone: phone ?? null,
    email: email ?? null,
    address: address ?? null,
    hours: hours ?? null,
    languages: languages ?? [],
    eligibility: eligibility ?? null,
  };
}

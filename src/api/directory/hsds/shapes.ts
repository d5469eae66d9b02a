import { z } from 'zod';

const uuid = z.uuid();
const text = z.string().optional();
const list = z.array(z.looseObject({ id: uuid })).optional();

/** A service in answers, for the reference. Its members are those of the published schema. */
export const service = z
  .looseObject({
    id: uuid,
    name: z.string(),
    status: z.enum(['active', 'inactive', 'defunct', 'temporarily closed']),
    organization_id: uuid.optional(),
    alternate_name: text,
    description: text,
    url: text,
    email: text.describe('For team keys.'),
    application_process: text,
    fees_description: text,
    eligibility_description: text,
    alert: text,
    assured_date: text,
    last_modified: text.describe(
      'When its source last changed it. In the minimal form, the last change here.',
    ),
    organization: z.looseObject({ id: uuid, name: z.string(), description: z.string() }).optional(),
    phones: list,
    schedules: list,
    service_areas: list,
    service_at_locations: list,
    languages: list,
    cost_options: list,
    required_documents: list,
    attributes: list.describe('Categories, and what HSDS has no place for.'),
  })
  .describe('HSDS 3.1 "service"; see https://docs.openreferral.org.');

/** An organization in answers, for the reference. */
export const organization = z
  .looseObject({
    id: uuid,
    name: z.string(),
    alternate_name: text,
    description: z.string(),
    email: text.describe('For team keys.'),
    website: text,
    year_incorporated: z.int().optional(),
    legal_status: text,
    parent_organization_id: uuid.optional(),
    additional_websites: list,
    phones: list,
    locations: list,
    organization_identifiers: list,
  })
  .describe('HSDS 3.1 "organization"; see https://docs.openreferral.org.');

const pages = {
  total_pages: z.int().optional(),
  page_number: z.int(),
  first_page: z.boolean(),
  last_page: z.boolean(),
  empty: z.boolean(),
};

/** A page of the list, for the reference. */
export const servicesPage = z.object({
  total_items: z
    .int()
    .optional()
    .describe('Absent with modified_after, and where search matches more than 1,000.'),
  ...pages,
  size: z.int().describe('The number of services on this page.'),
  contents: z
    .array(service.partial({ name: true, status: true }))
    .describe('Without full: each service without the lists that belong to it, with its organization.'),
});

/** A page of the list of organizations, for the reference. */
export const organizationsPage = z.object({
  ...pages,
  total_items: z.int(),
  size: z.int().describe('The number of organizations on this page.'),
  contents: z.array(organization).describe('Each organization without the lists that belong to it.'),
});

/** What the API says of itself, for the reference. */
export const apiInformation = z.object({
  version: z.string().describe('HSDS version.'),
  profile: z.url(),
  openapi_url: z.url(),
});

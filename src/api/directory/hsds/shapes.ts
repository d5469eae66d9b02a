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

/** A page of the list, for the reference. */
export const servicesPage = z.object({
  total_items: z
    .int()
    .optional()
    .describe('Absent with modified_after, and where search matches more than 1,000.'),
  total_pages: z.int().optional(),
  page_number: z.int(),
  size: z.int().describe('The number of services on this page.'),
  first_page: z.boolean(),
  last_page: z.boolean(),
  empty: z.boolean(),
  contents: z
    .array(service.partial({ name: true, status: true }))
    .describe('Without full: each service without the lists that belong to it, with its organization.'),
});

/** What the API says of itself, for the reference. */
export const apiInformation = z.object({
  version: z.string().describe('HSDS version.'),
  profile: z.url(),
  openapi_url: z.url(),
});
